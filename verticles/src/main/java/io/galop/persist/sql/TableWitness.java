package io.galop.persist.sql;

import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Notices that the table was emptied while the cursor beside it was not: the record that was stored
 * last is gone, and so is all that is older, which retention would not have done yet. One record
 * that somebody has deleted is not taken for it.
 */
public final class TableWitness {
  private final SqlLink link;
  private final int retentionHours;
  private volatile Optional<Stored> last = Optional.empty();

  /** The one to look for: what was stored since the last look may have come after the emptying. */
  private volatile Optional<Stored> seen = Optional.empty();

  private record Stored(String topic, String id, long atUs) {}

  /** Has seen nothing yet; 0 hours for ever. */
  public TableWitness(SqlLink link, int retentionHours) {
    this.link = link;
    this.retentionHours = retentionHours;
  }

  /** The store is read from its cursor; without one it is filled anew, so nothing can be missed. */
  public void onOpened(boolean hasCursor) {
    last = hasCursor ? last : Optional.empty();
    seen = hasCursor ? seen : Optional.empty();
  }

  /** A record was committed. */
  public void onStored(Record record, long atUs) {
    last = Optional.of(new Stored(record.topic(), record.id(), atUs));
  }

  /** Whether the table was emptied since it was asked before. */
  public Future<Boolean> isGone(long nowMs) {
    Optional<Stored> known = seen.filter(stored -> isKept(stored, nowMs));
    Optional<Stored> next = last;
    if (known.isEmpty()) {
      seen = next;
      return Future.succeededFuture(false);
    }
    return link.ask("SELECT stored_us FROM galop_records ORDER BY seq LIMIT 1", List.of())
        .compose(oldest -> check(known.get(), oldest))
        .onSuccess(gone -> seen = gone ? known : next);
  }

  /** With an hour to spare for what is being deleted. */
  private boolean isKept(Stored stored, long nowMs) {
    long ageHours =
        TimeUnit.MILLISECONDS.toHours(nowMs - TimeUnit.MICROSECONDS.toMillis(stored.atUs()));
    return retentionHours == 0 || ageHours < retentionHours - 1;
  }

  private Future<Boolean> check(Stored known, List<Object[]> oldest) {
    if (!oldest.isEmpty() && (Long) oldest.get(0)[0] <= known.atUs()) {
      return Future.succeededFuture(false);
    }
    String sql = "SELECT seq FROM galop_records WHERE topic = ? AND id = ?";
    return link.ask(sql, List.of(known.topic(), known.id())).map(List::isEmpty);
  }
}
