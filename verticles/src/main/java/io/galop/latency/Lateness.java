package io.galop.latency;

import io.galop.record.DoorStamp;
import io.galop.record.TraceContext;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How late records are on this node, by stage, door and transport, against the {@link DoorStamp} of
 * their door. Times of another node's clock are brought to this one's; where that cannot be done
 * well enough nothing is counted but that. From any thread; a call costs some 0.1 µs, and is made
 * for a Batch or a sample, never for each viewer.
 */
public final class Lateness {
  /** Of stages that are before any viewer. */
  public static final String NO_TRANSPORT = "";

  /** Two nodes' clocks have to be known to be as near as this. */
  static final long MOST_NODE_ERROR_US = 5_000;

  /** And with a browser's clock: more than a frame of its screen says little. */
  static final long MOST_SCREEN_ERROR_US = 25_000;

  /** What is later than this is no measurement. */
  private static final long LATEST_US = TimeUnit.HOURS.toMicros(1);

  private final String node;
  private final LongSupplier clockUs;
  private final Map<Series, LatencyHistogram> histograms = new ConcurrentHashMap<>();
  private final Map<String, ClockOffset> offsets = new ConcurrentHashMap<>();
  private final Map<Uncounted, LongAdder> uncounted = new EnumMap<>(Uncounted.class);

  /** Null unless somebody collects traces. */
  private volatile @Nullable TraceSink traces;

  /** What one histogram is about. */
  public record Series(LatencyStage stage, String door, String transport) {}

  /** Why a record was not counted. */
  public enum Uncounted {
    /** The offset of the clocks is not known well enough. */
    CLOCK,
    /** The viewer that was looked at was behind, or has not taken the sample before. */
    BEHIND,
    /** It was there before it was read, or an hour after. */
    SENSELESS;

    /** As in metrics. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Of a node with this id, with a clock that goes on evenly from its time of day now. */
  public Lateness(String node) {
    this(node, steady());
  }

  /** The same with a clock of its own, in microseconds. */
  public Lateness(String node, LongSupplier clockUs) {
    this.node = node;
    this.clockUs = clockUs;
    for (Uncounted why : Uncounted.values()) {
      uncounted.put(why, new LongAdder());
    }
  }

  /** Whoever sets the time of day must not make records late. */
  private static LongSupplier steady() {
    long beginUs = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    long beginNanos = System.nanoTime();
    return () -> beginUs + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - beginNanos);
  }

  /** The time of this node's clock for lateness, in microseconds since the epoch. */
  public long nowUs() {
    return clockUs.getAsLong();
  }

  /** A door of this node has just read something. */
  public DoorStamp stamp(String door) {
    return new DoorStamp(node, door, nowUs());
  }

  /** From now on this is told where records of traces are; before any door is open. */
  public void traces(TraceSink sink) {
    traces = sink;
  }

  /** Whether somebody collects traces here: else no door need look for them. */
  public boolean isTracing() {
    return traces != null;
  }

  /** So many records have reached a stage just now. */
  public void record(LatencyStage stage, String transport, DoorStamp stamp, long records) {
    if (!stamp.isNone()) {
      record(stage, transport, stamp, records, nowUs(), 0, MOST_NODE_ERROR_US);
      if (stamp.isTraced()) {
        trace(stage.word(), transport, stamp);
      }
    }
  }

  /** A Batch has left the steps just now: traces tell it, no histogram does. */
  public void enriched(DoorStamp stamp) {
    trace("enriched", NO_TRANSPORT, stamp);
  }

  private void trace(String stage, String transport, DoorStamp stamp) {
    TraceContext trace = stamp.trace();
    TraceSink sink = traces;
    if (trace == null || sink == null) {
      return;
    }
    long nowUs = nowUs();
    ClockOffset other = stamp.node().equals(node) ? null : offset(stamp.node());
    boolean isKnown = other == null || other.errorUs(nowUs) <= MOST_NODE_ERROR_US;
    long beginUs = stamp.atUs() - (other == null || !isKnown ? 0 : other.aheadUs());
    sink.reached(
        new TraceSink.Reached(
            trace, stage, stamp, transport, Math.min(beginUs, nowUs), nowUs, isKnown));
  }

  /**
   * A browser says when it showed a record.
   *
   * @param atUs by this node's clock, as the browser knows it
   * @param errorUs how much it may be wrong, at least 0
   */
  public void screen(String transport, DoorStamp stamp, long atUs, long errorUs) {
    if (!stamp.isNone()) {
      record(LatencyStage.SCREEN, transport, stamp, 1, atUs, errorUs, MOST_SCREEN_ERROR_US);
    }
  }

  private void record(
      LatencyStage stage,
      String transport,
      DoorStamp stamp,
      long records,
      long atUs,
      long errorUs,
      long mostErrorUs) {
    ClockOffset other = stamp.node().equals(node) ? null : offset(stamp.node());
    long nodesErrorUs = other == null ? 0 : other.errorUs(nowUs());
    if (nodesErrorUs > MOST_NODE_ERROR_US || nodesErrorUs + errorUs > mostErrorUs) {
      uncounted(Uncounted.CLOCK, records);
      return;
    }
    long lateUs = atUs - stamp.atUs() + (other == null ? 0 : other.aheadUs());
    if (lateUs < -(nodesErrorUs + errorUs) || lateUs > LATEST_US) {
      uncounted(Uncounted.SENSELESS, records);
      return;
    }
    histograms
        .computeIfAbsent(
            new Series(stage, stamp.door(), transport), first -> new LatencyHistogram())
        .record(Math.max(0, lateUs), records);
  }

  /** Records were not counted. */
  public void uncounted(Uncounted why, long records) {
    counter(why).add(records);
  }

  /** How many were not. */
  public long uncounted(Uncounted why) {
    return counter(why).sum();
  }

  private LongAdder counter(Uncounted why) {
    return Objects.requireNonNull(uncounted.get(why), "each reason has its counter");
  }

  /** The offset of another node's clock, for who measures it. */
  public ClockOffset offset(String other) {
    return offsets.computeIfAbsent(other, first -> new ClockOffset());
  }

  /** Only these other nodes are there. */
  public void keepOffsets(Set<String> others) {
    offsets.keySet().retainAll(others);
  }

  /** Shows all histograms. */
  public void forEach(BiConsumer<Series, LatencyHistogram> action) {
    histograms.forEach(action);
  }

  /** The counts of a stage in the last minute, of all doors and transports together. */
  public long[] lastMinute(LatencyStage stage) {
    long[] all = new long[LatencyHistogram.boundsUs().length + 1];
    histograms.forEach(
        (series, histogram) -> {
          if (series.stage() == stage) {
            long[] some = histogram.lastMinute();
            Arrays.setAll(all, i -> all[i] + some[i]);
          }
        });
    return all;
  }

  /** Ten seconds are over. */
  public void tick() {
    histograms.values().forEach(LatencyHistogram::tick);
  }
}
