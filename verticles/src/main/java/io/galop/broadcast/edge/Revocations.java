package io.galop.broadcast.edge;

import io.galop.config.broadcast.TokenConfig;
import io.galop.jvm.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * The subjects whose viewers were sent away, and when: their tokens from before then are refused.
 * Of two moments of a subject the later counts, so nodes that tell each other all they know agree
 * in the end, in whatever order.
 *
 * <p>A clock that is ahead for a while must not make old tokens good again. So a node tells others
 * of what its clock has room for, but forgets only what is over by the steady clock too. Safe to
 * use from any thread.
 */
final class Revocations {
  /** About 10 MB. */
  static final int MOST = 100_000;

  /** Clocks of nodes may differ; an entry that is kept for longer does no harm. */
  private static final long KEPT_LONGER_MS = TimeUnit.MINUTES.toMillis(1);

  /** A clock that is wrong when a node starts has been set by then. */
  private static final long KEPT_AT_LEAST_MS = TimeUnit.HOURS.toMillis(1);

  private final long leewayMs;
  private final boolean isForGood;
  private final long keptMs;
  private final ConcurrentSkipListMap<String, Entry> entries = new ConcurrentSkipListMap<>();

  /**
   * One subject's.
   *
   * @param untilMs its tokens from before are refused, milliseconds since 1970 UTC
   * @param keptSteadyMs it is not forgotten before, see {@link Moment#steadyMs}
   */
  private record Entry(long untilMs, long keptSteadyMs) {}

  Revocations(TokenConfig config) {
    this.leewayMs = TimeUnit.SECONDS.toMillis(config.leewaySeconds());
    long maxLifeMs = TimeUnit.SECONDS.toMillis(config.maxLifeSeconds());
    this.isForGood = maxLifeMs == 0; // nobody knows how long tokens live
    this.keptMs = maxLifeMs + 2 * leewayMs + KEPT_LONGER_MS;
  }

  /**
   * Tokens of a subject from before a moment are refused from now on.
   *
   * @param untilMs milliseconds since 1970 UTC
   * @return whether that is news
   * @throws IllegalStateException if there are too many
   */
  boolean add(String subject, long untilMs, Moment at) {
    return !isOver(untilMs, at.wallMs()) && restore(subject, untilMs, at);
  }

  /** As {@link #add}, of what this node has saved: kept for a while though it may be over. */
  boolean restore(String subject, long untilMs, Moment at) {
    if (entries.size() >= MOST && !entries.containsKey(subject)) {
      throw new IllegalStateException(
          "there are %d disconnected subjects already; broadcast.token.maxLifeSeconds lets old ones go"
              .formatted(MOST));
    }
    Entry entry = new Entry(untilMs, at.steadyMs() + leftMs(untilMs, at.wallMs()));
    boolean[] isNews = {false};
    entries.compute(
        subject,
        (key, known) -> {
          isNews[0] = known == null || known.untilMs < untilMs;
          return isNews[0] ? entry : known;
        });
    return isNews[0];
  }

  private long leftMs(long untilMs, long nowMs) {
    long ageMs = Math.max(0, nowMs - untilMs);
    return Math.max(keptMs - ageMs, Math.min(keptMs, KEPT_AT_LEAST_MS));
  }

  /** Whether a token may no longer be used; one that does not say when it was issued may not. */
  boolean revokes(Viewer viewer) {
    Entry entry = entries.isEmpty() ? null : entries.get(viewer.subject());
    return entry != null && viewer.issuedMs() < entry.untilMs + leewayMs;
  }

  /**
   * Forgets those whose every token has expired.
   *
   * @return whether there were any
   */
  boolean forget(Moment at) {
    return entries
        .values()
        .removeIf(
            entry -> isOver(entry.untilMs, at.wallMs()) && at.steadyMs() - entry.keptSteadyMs > 0);
  }

  private boolean isOver(long untilMs, long nowMs) {
    return !isForGood && nowMs - untilMs > keptMs;
  }

  /** All, subject → moment, as they are now. */
  Map<String, Long> all() {
    Map<String, Long> all = new HashMap<>();
    entries.forEach((subject, entry) -> all.put(subject, entry.untilMs));
    return all;
  }

  /** So many that are not over, in the order of their names, behind one; empty: from the first. */
  List<Map.Entry<String, Long>> behind(String subject, int most, long nowMs) {
    List<Map.Entry<String, Long>> found = new ArrayList<>();
    for (Map.Entry<String, Entry> one : entries.tailMap(subject, false).entrySet()) {
      long untilMs = one.getValue().untilMs;
      if (found.size() == most) {
        return found;
      }
      if (!isOver(untilMs, nowMs)) {
        found.add(Map.entry(one.getKey(), untilMs));
      }
    }
    return found;
  }

  /** The same for the same that are not over, whatever their order; hardly ever for others. */
  long fingerprint(long nowMs) {
    long sum = 0;
    for (Map.Entry<String, Entry> one : entries.entrySet()) {
      long untilMs = one.getValue().untilMs;
      if (!isOver(untilMs, nowMs)) {
        long mixed = one.getKey().hashCode() * 0x9E3779B97F4A7C15L ^ untilMs;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        sum += mixed ^ mixed >>> 27;
      }
    }
    return sum;
  }

  int size() {
    return entries.size();
  }
}
