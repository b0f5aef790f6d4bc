package io.galop.persist.cassandra;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which topics and buckets were lately written to the tables of names, so that not each record
 * writes its own again. Those names live longer than records by what passes until they are written
 * again. Bounded: the one that was used least recently is forgotten, and written once more. From
 * any thread.
 */
final class WrittenNames {
  /** How long after its last writing a name is written again. */
  static final long FRESH_SECONDS = TimeUnit.HOURS.toSeconds(1);

  private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(FRESH_SECONDS);

  private final int most;
  private final Map<Name, Long> writtenNs = new LinkedHashMap<>(16, 0.75f, true);

  /** A topic in a bucket. */
  record Name(Instant bucket, String topic) {}

  WrittenNames(int most) {
    this.most = most;
  }

  synchronized boolean isFresh(Name name, long nowNs) {
    Long known = writtenNs.get(name);
    return known != null && nowNs - known < FRESH_NS;
  }

  /** The server has them. */
  synchronized void onWritten(Collection<Name> names, long nowNs) {
    for (Name name : names) {
      writtenNs.put(name, nowNs);
    }
    var oldest = writtenNs.keySet().iterator();
    while (writtenNs.size() > most) {
      oldest.next();
      oldest.remove();
    }
  }

  /** Nothing is known of what the server has. */
  synchronized void forget() {
    writtenNs.clear();
  }
}
