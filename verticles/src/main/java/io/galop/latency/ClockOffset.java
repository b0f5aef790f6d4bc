package io.galop.latency;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * By how much the clock of another node is ahead of this node's, as NTP finds it: the other is
 * asked for its time, and had it at some moment between question and answer. The shortest exchange
 * of the last ones says it best. All times are microseconds. From any thread.
 */
public final class ClockOffset {
  /** An exchange is of use for so long. */
  private static final long MOST_AGE_US = 60_000_000;

  private static final int MOST_EXCHANGES = 16;

  /** How much clocks may drift apart meanwhile: 1 µs in so many. */
  private static final long DRIFT = 10_000;

  private final Deque<Exchange> exchanges = new ArrayDeque<>();
  private volatile @Nullable Exchange best;

  private record Exchange(long aheadUs, long errorUs, long atUs) {
    long errorUs(long nowUs) {
      return errorUs + Math.max(0, nowUs - atUs) / DRIFT;
    }
  }

  /**
   * Takes an exchange.
   *
   * @param askedUs when the question left, by this node's clock
   * @param otherUs what the other node answered, by its own
   * @param answeredUs when the answer was there, by this node's clock
   */
  public synchronized void add(long askedUs, long otherUs, long answeredUs) {
    long halfUs = Math.max(0, answeredUs - askedUs + 1) / 2;
    Exchange next = new Exchange(otherUs - (askedUs + halfUs), halfUs, answeredUs);
    exchanges.removeIf(each -> answeredUs - each.atUs() > MOST_AGE_US || contradicts(each, next));
    exchanges.addLast(next);
    if (exchanges.size() > MOST_EXCHANGES) {
      exchanges.removeFirst();
    }
    Exchange shortest = next;
    for (Exchange each : exchanges) {
      if (each.errorUs(answeredUs) < shortest.errorUs(answeredUs)) {
        shortest = each;
      }
    }
    best = shortest;
  }

  /** Whether one of the clocks was set, or stood still, between two exchanges. */
  private static boolean contradicts(Exchange before, Exchange next) {
    long apart = Math.abs(before.aheadUs() - next.aheadUs());
    return apart > before.errorUs(next.atUs()) + next.errorUs();
  }

  /** How much {@link #aheadUs} may be wrong; {@link Long#MAX_VALUE} if it is not known. */
  public long errorUs(long nowUs) {
    Exchange known = best;
    return known == null || nowUs - known.atUs() > MOST_AGE_US
        ? Long.MAX_VALUE
        : known.errorUs(nowUs);
  }

  /** By how much the other clock is ahead; 0 if it is not known. */
  public long aheadUs() {
    Exchange known = best;
    return known == null ? 0 : known.aheadUs();
  }
}
