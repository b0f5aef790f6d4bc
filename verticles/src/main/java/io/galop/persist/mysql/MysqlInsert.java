package io.galop.persist.mysql;

import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.List;

/** The statement that stores the records of a batch, and what it takes. */
final class MysqlInsert {
  private static final int COLUMNS = 8;

  /** What an INSERT takes besides the records: its own text, lengths, numbers. */
  private static final int ROW_OVERHEAD_BYTES = 64;

  private MysqlInsert() {}

  /** Whether the statement for a batch is not larger than a packet, as far as can be told. */
  static boolean fits(StoreBatch batch, long maxPacketBytes) {
    long rowBytes = (long) batch.records().size() * ROW_OVERHEAD_BYTES;
    return 2 * batch.bytes() + rowBytes <= 2 * maxPacketBytes;
  }

  /** The statement for so many rows. */
  static String of(int rows) {
    return "INSERT INTO galop_records"
        + " (id, topic, time_us, data, shard, epoch, `offset`, stored_us) VALUES "
        + "(?,?,?,?,?,?,?,?),".repeat(rows - 1)
        + "(?,?,?,?,?,?,?,?) ON DUPLICATE KEY UPDATE id = VALUES(id)";
  }

  /** What stands for the question marks. */
  static List<Object> parameters(List<Placed> records, long nowUs) {
    List<Object> parameters = new ArrayList<>(COLUMNS * records.size());
    for (Placed placed : records) {
      Record record = placed.record();
      parameters.add(record.id());
      parameters.add(record.topic());
      parameters.add(record.timeUs());
      parameters.add(record.data());
      parameters.add((long) placed.position().shard());
      parameters.add(placed.position().epoch());
      parameters.add(placed.position().offset());
      parameters.add(nowUs);
    }
    return parameters;
  }
}
