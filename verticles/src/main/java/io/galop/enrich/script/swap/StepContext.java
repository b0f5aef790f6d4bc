package io.galop.enrich.script.swap;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.CandidateCheck;
import io.galop.enrich.script.TopicStates;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Scope;
import io.galop.guest.SourceFile;
import io.galop.node.Node;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the lanes and the trials of a script step share: its configuration, the version in use, and
 * what is counted and said of it. Knows nobody who uses it. Safe to call from any thread.
 */
final class StepContext {
  private static final Logger LOG = LoggerFactory.getLogger(StepContext.class);

  /** How long a script that was begun anew is warned of. */
  private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final Node node;
  private final ScriptConfig config;
  private final TopicStates.Bounds stateBounds;
  private final Scope scope;
  private final ScriptLetters letters;
  private final Timer calls;
  private final Counter limits;
  private final Counter forgotten;
  private final SwapMeters meters;
  private final ScriptMemory memory;
  private final AtomicInteger allHanging = new AtomicInteger();
  private final Hanging trials;
  private volatile InUse inUse;
  private volatile long begunAnewNanos;

  /**
   * The version in use.
   *
   * @param hanging the threads that hang in it; those of the one before are not its own
   */
  record InUse(ScriptVersion version, Hanging hanging) {}

  /**
   * Of a step whose script is read now; blocks.
   *
   * @param maxStateBytes what the script may keep for all topics of an event loop
   * @throws IllegalArgumentException if there is no such file
   */
  StepContext(Node node, ScriptConfig config, long maxStateBytes, ScriptMemory memory) {
    this.memory = memory;
    this.node = node;
    this.config = config;
    this.stateBounds =
        new TopicStates.Bounds(config.maxStateTopics(), config.maxTopicStateBytes(), maxStateBytes);
    this.scope = new Scope(config.topics());
    EnrichMeters counts = new EnrichMeters(node.meters());
    this.calls = counts.scriptCalls(config.file());
    this.limits = counts.scriptLimits(config.file());
    this.forgotten = counts.scriptStatesForgotten(config.file());
    this.meters = new SwapMeters(node.meters(), config.file());
    this.letters = new ScriptLetters(config, counts, meters);
    meters.hanging(allHanging::get);
    this.trials = newHanging();
    live(version(SourceFile.find(directory(), config.file()), casesBeside()));
  }

  /** The cases that stand beside the file. */
  Optional<String> casesBeside() {
    return CandidateCheck.cases(directory(), config.file());
  }

  /** A version of the script, under its name. */
  ScriptVersion version(SourceFile found, Optional<String> cases) {
    String name = String.valueOf(Path.of(config.file()).getFileName());
    int maxTopicBytes = node.config().ingest().limits().maxTopicBytes();
    return new ScriptVersion(
        config.withFile(name), maxTopicBytes, new SourceFile(name, found.text()), cases);
  }

  /** Empty states for a lane. */
  TopicStates newStates() {
    return newStates(forgotten::increment);
  }

  /** The same; what they forget is told to the caller. */
  TopicStates newStates(Runnable onForgotten) {
    return new TopicStates(stateBounds, onForgotten);
  }

  /** Where the script is looked for first. */
  String directory() {
    return node.config().enrich().directory();
  }

  ScriptConfig config() {
    return config;
  }

  /** What the script is called in counts and topics of dead letters. */
  String name() {
    return letters.name();
  }

  SwapMeters meters() {
    return meters;
  }

  ScriptVersion live() {
    return inUse.version();
  }

  InUse inUse() {
    return inUse;
  }

  /** Whoever loads the script from now on loads this version. */
  void live(ScriptVersion version) {
    inUse = new InUse(version, newHanging());
  }

  private Hanging newHanging() {
    return new Hanging(config.breaker().maxHangingThreads(), allHanging);
  }

  /** Those that hang in versions that were tried; as many as may be, and no more are. */
  Hanging trials() {
    return trials;
  }

  /** The topics that the script is for, whichever version is in use. */
  Scope scope() {
    return scope;
  }

  boolean covers(Record record) {
    return scope.covers(record.topic());
  }

  /** A call of the live script has ended. */
  void onCall(Breaker breaker, Outcome outcome, boolean slow) {
    calls.record(outcome.nanos(), TimeUnit.NANOSECONDS);
    if (outcome.byLimit() || slow) {
      onLimit(breaker, outcome.byLimit());
    } else {
      breaker.onCall(false);
    }
  }

  /** A call was ended by a limit, or should have been. */
  void onLimit(Breaker breaker, boolean ended) {
    limits.increment(ended ? 1 : 0);
    if (breaker.onCall(true)) {
      meters.suspensions.increment();
      LOG.warn(
          "script {} is suspended on one event loop for {} ms: {} calls were slow or ended by a"
              + " limit; its records become dead letters",
          config.file(),
          breaker.remainingMs(),
          config.breaker().hits());
    }
  }

  void onThreadGivenUp(boolean isLoading) {
    meters.threadsGivenUp.increment();
    LOG.error(
        "script {}: {} could not be stopped; its thread and state are abandoned, and {} threads"
            + " hang",
        config.file(),
        isLoading ? "loading it again" : "a call",
        allHanging.get());
  }

  /** What looks after the memory that scripts keep. */
  ScriptMemory memory() {
    return memory;
  }

  /** A script was begun anew since the heap was full after a full collection. */
  void onBegunAnew(String used, String allocated, String freed) {
    meters.memoryResets.increment();
    String what =
        "script %s was reloaded on one event loop: the heap was full (%s after a collection) and it had allocated %s; that freed %s; its variables are lost, its state is kept"
            .formatted(config.file(), used, allocated, freed);
    LOG.warn(what);
    node.readiness()
        .warn(memoryPart(), what, "bound what the script keeps, or give the node more memory");
    begunAnewNanos = System.nanoTime() | 1;
  }

  /** Tells for the audit log of a new version: how it came, or what the node made of it. */
  void tell(String by, ScriptVersion version, String outcome) {
    Map<String, String> which = Map.of("file", config.file(), "version", version.hash());
    node.acts().tell(by, "scripts", which, outcome);
  }

  private String memoryPart() {
    return "script " + name() + " memory";
  }

  /** What becomes of records that the script cannot take. */
  ScriptLetters letters() {
    return letters;
  }

  /** Ends the warning of memory when it has been there for long enough. */
  void calmMemory() {
    if (begunAnewNanos != 0 && System.nanoTime() - begunAnewNanos > WARN_NANOS) {
      begunAnewNanos = 0;
      node.readiness().calm(memoryPart());
    }
  }

  /** Warns in the node's status while the script is suspended on some event loops. */
  void showSuspended(long suspended, int lanes, boolean isHanging) {
    String part = "script " + name();
    if (suspended > 0) {
      node.readiness()
          .warn(
              part,
              "suspended on %d of %d event loops, its records become dead letters%s"
                  .formatted(suspended, lanes, isHanging ? ": " + letters.hang() : ""));
    } else {
      node.readiness().calm(part);
    }
  }
}
