package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.write.Tally;
import io.galop.broadcast.write.Tally.Count;
import io.galop.latency.LatencyStage;
import io.galop.latency.Lateness;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** What a broadcast node counts. Safe to call from any thread. */
public final class BroadcastMeters {
  private final Counter incomplete;
  private final Counter repeated;
  private final AtomicInteger connections = new AtomicInteger();

  private final RecentLosses missed = new RecentLosses();
  private final RecentLosses sentAway = new RecentLosses();

  /** By the ordinal of the reason. */
  private final Counter[] disconnects = new Counter[Disconnect.values().length];

  private final List<Tally> tallies = new CopyOnWriteArrayList<>();
  private final MeterRegistry registry;
  private final Lateness lateness;
  private final Counter answersRefused;
  private final Counter filledRounds;
  private final Counter conditionsFailed;
  private final Counter conditionsEnded;

  public BroadcastMeters(MeterRegistry registry, Lateness lateness) {
    this.registry = registry;
    this.lateness = lateness;
    counter(Count.PUBLISHED, "published", "Records that registrations meant, once for each");
    counter(Count.SENT, "sent", "Records that left for a browser");
    counter(Count.MERGED, "merged", "Records sent in one write with the one before them");
    counter(
        Count.CONFLATED,
        "conflated",
        "Records replaced by a newer one of their topic, or passed over while they waited");
    counter(Count.DROPPED, "dropped", "Records whose connection or registration ended first");
    counter(Count.DELTAS, "deltas", "Records written as what is different to the one before");
    counter(
        Count.THROTTLED,
        "throttled",
        "Records that waited for their connection's bytes per second");
    gauge("waiting", "Records published and neither sent, conflated nor dropped", this::waiting);
    this.incomplete =
        Counter.builder("galop.broadcast.incomplete")
            .description("Resumes answered as incomplete, with a snapshot")
            .register(registry);
    this.repeated =
        Counter.builder("galop.broadcast.repeated")
            .description("Records not shown again that a new owner has placed a second time")
            .register(registry);
    this.answersRefused =
        Counter.builder("galop.latency.answers.refused")
            .description("Answers of browsers that came too soon after others to be counted")
            .register(registry);
    this.filledRounds =
        counter("rounds.filled", "Rounds of writing that viewers behind had to wait for");
    this.conditionsFailed =
        counter("conditions.failed", "Records of which a condition was neither true nor false");
    this.conditionsEnded =
        counter("conditions.ended", "Conditions that ended since they took too much time");
    gauge("connections", "Connections of browsers", connections::get);
    countDisconnects();
  }

  private void countDisconnects() {
    for (Disconnect why : Disconnect.values()) {
      disconnects[why.ordinal()] =
          Counter.builder("galop.broadcast.disconnects")
              .description("Connections that the node ended, by reason")
              .tag("reason", why.reason())
              .register(registry);
    }
  }

  private void counter(Count what, String name, String description) {
    FunctionCounter.builder("galop.broadcast." + name, this, meters -> meters.sum(what))
        .description(description)
        .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder("galop.broadcast." + name).description(description).register(registry);
  }

  private double sum(Count what) {
    return tallies.stream().mapToLong(tally -> tally.get(what)).sum();
  }

  private long waiting() {
    return tallies.stream().mapToLong(Tally::waiting).sum();
  }

  /** Where one more event loop counts what becomes of records. */
  Tally tally() {
    Tally tally = new Tally(lateness);
    tallies.add(tally);
    return tally;
  }

  /** Counts rounds of writing for which somebody had to wait. */
  Counter filledRounds() {
    return filledRounds;
  }

  public void gauge(String what, String description, Supplier<Number> value) {
    Gauge.builder("galop.broadcast." + what, value).description(description).register(registry);
  }

  /** A way to show a number that other threads may read late. */
  public AtomicLong number(String what, String description) {
    AtomicLong number = new AtomicLong();
    gauge(what, description, number::get);
    return number;
  }

  /** A broadcast node has so many more records, this one the first. */
  public void fed(Entry first, int records) {
    lateness.record(LatencyStage.FED, Lateness.NO_TRANSPORT, first.stamp(), records);
  }

  /** Where to tell how late records are. */
  public Lateness lateness() {
    return lateness;
  }

  /** A browser says too often when it showed a record. */
  public void answerRefused() {
    answersRefused.increment();
  }

  public void repeated() {
    repeated.increment();
  }

  /** A registration that came back cannot be sent all that it missed. */
  public void incomplete(Registration registration) {
    incomplete.increment();
    missed.add(ViewerLoss.of(registration));
  }

  void conditionFailed() {
    conditionsFailed.increment();
  }

  void conditionEnded() {
    conditionsEnded.increment();
  }

  /** The node has ended a connection; of a slow one it is told who that was. */
  void disconnected(Disconnect why, RecordReceiver viewer, Collection<Registration> registrations) {
    disconnects[why.ordinal()].increment();
    if (why == Disconnect.SLOW) {
      sentAway.add(ViewerLoss.of(viewer, registrations));
    }
  }

  /** Which viewers had to miss something of late: they came back too late to be sent all. */
  public RecentLosses missed() {
    return missed;
  }

  /**
   * Which were sent away as too slow. They come back with their Positions, and may miss nothing.
   */
  public RecentLosses sentAway() {
    return sentAway;
  }

  public AtomicInteger connections() {
    return connections;
  }
}
