package io.galop.ingest.intake;

import io.galop.record.DoorStamp;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.galop.record.TraceContext;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a door counts. */
public final class DoorMeters {
  private final String door;
  private final Counter accepted;
  private final Counter acknowledged;
  private final Counter paused;
  private final Counter halfSent;
  private final Counter untoldEnded;
  private final Counter strangers;
  private final Counter invalidTraces;
  private final Counter takenTraces;
  private final Counter unsampledTraces;
  private final Counter leftOutTraces;
  private final Map<Reason, Counter> rejected = new EnumMap<>(Reason.class);

  public DoorMeters(MeterRegistry registry, String door) {
    this.door = door;
    this.accepted = counter(registry, "records", "Records that have gone on to enrichment", door);
    this.acknowledged = counter(registry, "acknowledged", "Records that are acknowledged", door);
    this.paused =
        counter(
            registry,
            "paused",
            "Times that a door stopped reading or refused a request, as too much was in flight",
            door);
    this.halfSent =
        Counter.builder("galop.ingest.half.sent.ended")
            .description("Bodies, lines and messages that did not become whole in their time")
            .tag("door", door)
            .register(registry);
    this.untoldEnded =
        counter(
            registry,
            "untold.ended",
            "Connections ended, as there was no room for rejections that nobody read",
            door);
    this.strangers =
        counter(
            registry,
            "strangers",
            "Requests and connections refused, as they showed no or a wrong token or certificate",
            door);
    this.invalidTraces = invalidTraces(registry, door);
    this.takenTraces = traces(registry, "taken", door);
    this.unsampledTraces = traces(registry, "unsampled", door);
    this.leftOutTraces = traces(registry, "left_out", door);
    for (Reason reason : Reason.values()) {
      rejected.put(
          reason,
          Counter.builder("galop.ingest.rejected")
              .description("Records refused, by reason")
              .tags("door", door, "reason", reason.word())
              .register(registry));
    }
  }

  private static Counter counter(MeterRegistry registry, String name, String what, String door) {
    return Counter.builder("galop.ingest." + name)
        .description(what)
        .tag("door", door)
        .register(registry);
  }

  private static Counter invalidTraces(MeterRegistry registry, String door) {
    String what = "Requests and messages whose traceparent was not read, as it is none";
    return counter(registry, "traces.invalid", what, door);
  }

  private static Counter traces(MeterRegistry registry, String outcome, String door) {
    return Counter.builder("galop.ingest.traces")
        .description("Requests and messages with a traceparent; left_out by telemetry.sampleEvery")
        .tags("door", door, "outcome", outcome)
        .register(registry);
  }

  /** The door's name. */
  String door() {
    return door;
  }

  /** Records that have gone on to enrichment. */
  void accepted(int records) {
    accepted.increment(records);
  }

  /** Records that are acknowledged. */
  void acknowledged(int records) {
    acknowledged.increment(records);
  }

  /** A record was refused. */
  public void rejected(Rejection rejection) {
    Counter counter = rejected.get(rejection.reason());
    Objects.requireNonNull(counter, "each reason has its counter").increment();
  }

  /** Counts what was begun to be sent and ended by the node. */
  public Counter halfSent() {
    return halfSent;
  }

  /** A connection is ended as there is no room for what was refused of one read. */
  public void untoldEnded() {
    untoldEnded.increment();
  }

  /** Somebody was refused who is no publisher. */
  public void stranger() {
    strangers.increment();
  }

  /**
   * What was read, with the trace that its publisher names; null if that is not sampled, is not the
   * one in so many that is kept, or is none. Each is counted.
   */
  @Nullable DoorStamp traced(DoorStamp read, String traceparent, int sampleEvery) {
    TraceContext trace = TraceContext.parse(traceparent);
    if (trace == null) {
      invalidTraces.increment();
      return null;
    }
    boolean isTaken = trace.isSampled() && trace.isOneIn(sampleEvery);
    Counter leftOut = trace.isSampled() ? leftOutTraces : unsampledTraces;
    (isTaken ? takenTraces : leftOut).increment();
    return isTaken ? read.traced(trace) : null;
  }

  /** The door has stopped reading, or refused a request, because too much is in flight. */
  public void paused() {
    paused.increment();
  }
}
