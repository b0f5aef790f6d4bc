package io.galop.latency;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts times in buckets, each a tenth wider than the one before: so a quantile that is read from
 * the buckets, by whatever interpolation, is at most 10 % from the true one, between 0.1 ms and a
 * minute. Takes about 1.2 KB. From any thread; {@link #tick} from one.
 */
public final class LatencyHistogram {
  private static final double GROWTH = 1.1;
  private static final double FIRST_US = 100;
  private static final double LAST_US = 60_000_000;

  /** The upper bounds of all buckets but the last, in microseconds. */
  private static final long[] BOUNDS_US = bounds();

  /** How many {@link #tick}s the window is long. */
  private static final int WINDOW = 6;

  private final AtomicLongArray counts = new AtomicLongArray(BOUNDS_US.length + 1);
  private final LongAdder sumUs = new LongAdder();
  private final long[][] before = new long[WINDOW][BOUNDS_US.length + 1];
  private int next;

  /** Rounded down, so that rounding makes no bucket wider. */
  private static long[] bounds() {
    int buckets = (int) Math.ceil(Math.log(LAST_US / FIRST_US) / Math.log(GROWTH)) + 1;
    long[] bounds = new long[buckets];
    double bound = FIRST_US;
    for (int i = 0; i < buckets; i++) {
      bounds[i] = (long) bound;
      bound = bounds[i] * GROWTH;
    }
    return bounds;
  }

  /** The upper bounds of all buckets but the last, which has none, in microseconds. */
  public static long[] boundsUs() {
    return BOUNDS_US.clone();
  }

  /** So many records were so late. */
  public void record(long us, long records) {
    int at = Arrays.binarySearch(BOUNDS_US, us);
    counts.addAndGet(at < 0 ? -at - 1 : at, records);
    sumUs.add(us * records);
  }

  /** How many records there are in each bucket, the last one's those beyond all bounds. */
  public long[] counts() {
    long[] now = new long[counts.length()];
    for (int i = 0; i < now.length; i++) {
      now[i] = counts.get(i);
    }
    return now;
  }

  /** All times together, in microseconds. */
  public long sumUs() {
    return sumUs.sum();
  }

  /** A sixth of a minute is over. */
  synchronized void tick() {
    before[next] = counts();
    next = (next + 1) % WINDOW;
  }

  /** The counts of the last minute, as in {@link #counts}. */
  public synchronized long[] lastMinute() {
    long[] now = counts();
    long[] then = before[next];
    for (int i = 0; i < now.length; i++) {
      now[i] -= then[i];
    }
    return now;
  }

  /**
   * A quantile of counts, in microseconds: in the middle of its bucket.
   *
   * @param part from 0 to 1, such as 0.99
   * @return 0 if nothing was counted
   */
  public static long quantileUs(long[] counts, double part) {
    long all = Arrays.stream(counts).sum();
    long due = Math.max(1, (long) Math.ceil(all * part));
    long seen = 0;
    for (int i = 0; i < counts.length && all > 0; i++) {
      seen += counts[i];
      if (seen >= due) {
        long low = i == 0 ? 0 : BOUNDS_US[i - 1];
        return i == BOUNDS_US.length ? low : (low + BOUNDS_US[i]) / 2;
      }
    }
    return 0;
  }
}
