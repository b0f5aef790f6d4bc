package io.galop.broadcast.edge;

import io.galop.config.broadcast.TokenConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * The subjects whose viewers were sent away, and when: their tokens from before then are refused.
 * Of two moments of a subject the later counts, so nodes that tell each other all they know agree
 * in the end, in whatever order. Safe to use from any thread.
 */
final class Revocations {
  /** About 10 MB. */
  static final int MOST = 100_000;

  /** Clocks of nodes may differ; an entry that is kept for longer does no harm. */
  private static final long KEPT_LONGER_MS = TimeUnit.MINUTES.toMillis(1);

  private final long leewayMs;
  private final long maxLifeMs;
  private final ConcurrentSkipListMap<String, Long> beforeMs = new ConcurrentSkipListMap<>();

  Revocations(TokenConfig config) {
    this.leewayMs = TimeUnit.SECONDS.toMillis(config.leewaySeconds());
    this.maxLifeMs = TimeUnit.SECONDS.toMillis(config.maxLifeSeconds());
  }

  /**
   * Tokens of a subject from before a moment are refused from now on.
   *
   * @param untilMs milliseconds since 1970 UTC
   * @return whether that is news
   * @throws IllegalStateException if there are too many
   */
  boolean add(String subject, long untilMs, long nowMs) {
    if (isForgotten(untilMs, nowMs)) {
      return false;
    }
    if (beforeMs.size() >= MOST && !beforeMs.containsKey(subject)) {
      throw new IllegalStateException(
          "there are %d disconnected subjects already; broadcast.token.maxLifeSeconds lets old ones go"
              .formatted(MOST));
    }
    boolean[] isNews = {false};
    beforeMs.compute(
        subject,
        (key, known) -> {
          isNews[0] = known == null || known < untilMs;
          return isNews[0] ? Long.valueOf(untilMs) : known;
        });
    return isNews[0];
  }

  /** Whether a token may no longer be used; one that does not say when it was issued may not. */
  boolean revokes(Viewer viewer) {
    Long until = beforeMs.isEmpty() ? null : beforeMs.get(viewer.subject());
    return until != null && viewer.issuedMs() < until + leewayMs;
  }

  /**
   * Forgets those whose every token has expired.
   *
   * @return whether there were any
   */
  boolean forget(long nowMs) {
    return beforeMs.values().removeIf(until -> isForgotten(until, nowMs));
  }

  private boolean isForgotten(long untilMs, long nowMs) {
    return maxLifeMs > 0 && nowMs > untilMs + maxLifeMs + 2 * leewayMs + KEPT_LONGER_MS;
  }

  /** All, subject → moment, as they are now. */
  Map<String, Long> all() {
    return Map.copyOf(beforeMs);
  }

  /** So many in the order of their names, behind one; empty: from the first. */
  List<Map.Entry<String, Long>> behind(String subject, int most) {
    List<Map.Entry<String, Long>> found = new ArrayList<>();
    for (Map.Entry<String, Long> one : beforeMs.tailMap(subject, false).entrySet()) {
      if (found.size() == most) {
        return found;
      }
      found.add(one);
    }
    return found;
  }

  /** The same for the same entries, whatever their order; hardly ever for others. */
  long fingerprint() {
    long sum = 0;
    for (Map.Entry<String, Long> one : beforeMs.entrySet()) {
      long mixed = one.getKey().hashCode() * 0x9E3779B97F4A7C15L ^ one.getValue();
      mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
      sum += mixed ^ mixed >>> 27;
    }
    return sum;
  }

  int size() {
    return beforeMs.size();
  }
}
