package io.galop.persist.sql;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;

/** Rows of the table of records as records, and what its questions have alike. */
public final class TableRows {
  private TableRows() {}

  /** Of the columns id, topic, time_us, data, shard, epoch, offset. */
  public static Placed placed(Object[] row) {
    Position position = new Position(((Long) row[4]).intValue(), (Long) row[5], (Long) row[6]);
    return new Placed(
        position, new Record(text(row[0]), text(row[1]), (Long) row[2], bytes(row[3])));
  }

  /** Names are texts in one driver and bytes in the other. */
  public static String text(Object column) {
    return column instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : String.valueOf(column);
  }

  private static byte[] bytes(Object column) {
    return column instanceof byte[] bytes
        ? bytes
        : String.valueOf(column).getBytes(StandardCharsets.UTF_8);
  }

  /** A pattern of LIKE for what the filter means and perhaps more. */
  public static String like(String filter) {
    String escaped = filter.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return escaped.replace("/#", "%").replace('#', '%').replace('+', '%');
  }

  /** Why the store of this name does not answer a question. */
  public static Refusal refusal(String name, Throwable failure) {
    boolean busy =
        failure instanceof RejectedExecutionException
            || String.valueOf(failure.getMessage()).contains("max wait queue size");
    return busy
        ? new Refusal(Why.BUSY, "too many queries wait for the store " + name)
        : new Refusal(
            Why.NOT_READY, "the store " + name + " cannot be read: " + failure.getMessage());
  }
}
