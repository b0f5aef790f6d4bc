package io.galop.persist.cassandra;

import io.galop.persist.store.StoreBatch;
import io.galop.record.Record;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Notices that a table was emptied while the cursor beside it was not: the record that was stored
 * last is gone, and none that is older is found; or the name of its topic or its bucket is gone,
 * without which questions do not find it. One record that somebody has deleted is not taken for it.
 * Blocks.
 */
final class CassandraWitness {
  /** Writes that were under way at the emptying may have stamps from before it, as may nodes. */
  private static final long SURELY_OLDER_US = TimeUnit.MINUTES.toMicros(1);

  private final TimeBuckets buckets;
  private final int retentionHours;
  private volatile Optional<Stored> last = Optional.empty();

  /** The one to look for: what was stored since the last look may have come after the emptying. */
  private volatile Optional<Stored> seen = Optional.empty();

  private record Stored(Record record, long atUs) {}

  CassandraWitness(TimeBuckets buckets, int retentionHours) {
    this.buckets = buckets;
    this.retentionHours = retentionHours;
  }

  /** The store is read from its cursor; without one it is filled anew, so nothing can be missed. */
  void onOpened(boolean hasCursor) {
    last = hasCursor ? last : Optional.empty();
    seen = hasCursor ? seen : Optional.empty();
  }

  /** Records are in the store. */
  void onStored(StoreBatch parcel, long atUs) {
    Record record = parcel.records().get(parcel.records().size() - 1).record();
    last =
        Optional.of(
            new Stored(
                new Record(record.id(), record.topic(), record.timeUs(), new byte[0]), atUs));
    seen = seen.isEmpty() ? last : seen;
  }

  /** Whether a table was emptied since it was asked before. */
  boolean isGone(CassandraStatements ask, long nowMs) {
    Optional<Stored> known = seen.filter(stored -> isKept(stored, nowMs));
    Optional<Stored> next = last;
    boolean isGone = known.isPresent() && isGone(ask, known.get());
    seen = isGone ? known : next;
    return isGone;
  }

  /** With some time to spare for what is being deleted. */
  private boolean isKept(Stored stored, long nowMs) {
    long ageMs = nowMs - TimeUnit.MICROSECONDS.toMillis(stored.atUs());
    long keptMs = TimeUnit.HOURS.toMillis(retentionHours);
    long spareMs = Math.min(TimeUnit.HOURS.toMillis(1), keptMs / 2);
    return retentionHours == 0 || ageMs < keptMs - spareMs;
  }

  private boolean isGone(CassandraStatements ask, Stored known) {
    Record record = known.record();
    var bucket = buckets.of(record.timeUs());
    var session = ask.session();
    var topic = session.execute(ask.hasTopic().bind(bucket, record.topic()));
    if (topic.one() == null || session.execute(ask.buckets().bind(bucket, bucket)).one() == null) {
      return true;
    }
    var there =
        session.execute(ask.storedAt().bind(record.topic(), bucket, record.timeUs(), record.id()));
    if (there.one() != null) {
      return false;
    }
    return session.execute(ask.some().bind()).all().stream()
        .noneMatch(row -> row.getLong(0) < known.atUs() - SURELY_OLDER_US);
  }
}
