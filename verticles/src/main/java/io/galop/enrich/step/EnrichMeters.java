package io.galop.enrich.step;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.function.Supplier;

/** What the stage counts. */
public final class EnrichMeters {
  private static final String PREFIX = "galop.enrich.";

  private final MeterRegistry registry;
  public final Counter recordsIn;
  public final Counter recordsOut;
  public final Counter duplicates;
  public final Counter refusedBusy;
  public final Counter unsettledGivenUp;

  public EnrichMeters(MeterRegistry registry) {
    this.registry = registry;
    this.recordsIn = counter("records.in", "Records taken from the doors");
    this.recordsOut = counter("records.out", "Records handed on to be stored and shown");
    this.duplicates = counter("duplicates", "Records whose id had been taken before");
    this.refusedBusy = counter("refused.busy", "Batches refused since too much was pending");
    this.unsettledGivenUp =
        counter("unsettled.given.up", "Records enriched and not kept until they are sent again");
  }

  private Counter counter(String name, String meaning, String... tags) {
    return Counter.builder(PREFIX + name).description(meaning).tags(tags).register(registry);
  }

  public Counter dropped(String step) {
    return counter("dropped", "Records that a step has dropped", "step", step);
  }

  /** Records that a step could not take. */
  public Counter deadLetters(String step, String file) {
    String name = DeadLetter.baseName(file);
    return counter("dead.letters", "Records not taken by a step", "step", step, "name", name);
  }

  public Counter lookupMisses(String table) {
    return counter("lookup.misses", "Records without a row in the table", "table", table);
  }

  public Counter lookupUnavailable(String table) {
    return counter("lookup.unavailable", "Records whose row did not come in time", "table", table);
  }

  public Counter schemaRefreshFailures(String file) {
    String name = DeadLetter.baseName(file);
    return counter("schema.refresh.failures", "Changed schemas not readable", "name", name);
  }

  public MeterRegistry registry() {
    return registry;
  }

  public Counter lookupRefreshFailures(String table) {
    return counter("lookup.refresh.failures", "Changed tables not readable", "table", table);
  }

  public Counter topicsForgotten(String step) {
    return counter("topics.forgotten", "Topics whose state was dropped for others", "step", step);
  }

  public Counter timesAhead(String step) {
    return counter("times.ahead", "Records with a time far ahead of the clock", "step", step);
  }

  /** The time that the calls of a script take. */
  public Timer scriptCalls(String file) {
    return Timer.builder(PREFIX + "script.calls")
        .description("Calls of a script's function enrich")
        .tag("name", DeadLetter.baseName(file))
        .register(registry);
  }

  /** Calls of a script that were ended by a limit. */
  public Counter scriptLimits(String file) {
    String name = DeadLetter.baseName(file);
    return counter("script.limits", "Calls of a script ended by a limit", "name", name);
  }

  /** Topics whose script state was forgotten to make room, or as it was too large. */
  public Counter scriptStatesForgotten(String file) {
    String name = DeadLetter.baseName(file);
    return counter(
        "script.states.forgotten",
        "Topics whose script state made room or was too large",
        "name",
        name);
  }

  public void pending(int shard, Supplier<Number> bytes) {
    Gauge.builder(PREFIX + "pending", bytes)
        .description("Bytes taken and not yet acknowledged")
        .baseUnit("bytes")
        .tag("shard", Integer.toString(shard))
        .strongReference(true)
        .register(registry);
  }

  public void unsettled(int shard, Supplier<Number> bytes) {
    Gauge.builder(PREFIX + "unsettled", bytes)
        .description("Bytes enriched, not stored, kept until sent again")
        .baseUnit("bytes")
        .tag("shard", Integer.toString(shard))
        .strongReference(true)
        .register(registry);
  }
}
