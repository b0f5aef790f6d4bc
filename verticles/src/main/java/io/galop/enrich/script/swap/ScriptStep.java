package io.galop.enrich.script.swap;

import io.galop.config.ScriptConfig;
import io.galop.enrich.script.CandidateCheck;
import io.galop.enrich.script.TopicStates;
import io.galop.enrich.step.DeadLetter;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Scope;
import io.galop.guest.SourceFile;
import io.galop.node.Node;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A script step of this node: the version in use, and a {@link Lane} for each event loop, which all
 * have the same version.
 */
public final class ScriptStep {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptStep.class);

  /** How long a script that was begun anew is warned of. */
  private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final Node node;
  private final ScriptConfig config;
  private final Scope scope;
  private final DeadLetter deadLetter;
  private final Timer calls;
  private final Counter deadLetters;
  private final Counter limits;
  private final Counter forgotten;
  private final SwapMeters meters;
  private final ScriptMemory memory;
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final AtomicInteger allHanging = new AtomicInteger();
  private final Hanging trials;
  private final Queue<Shadow> endedShadows = new ConcurrentLinkedQueue<>();
  private volatile InUse inUse;
  private volatile long begunAnewNanos;

  /**
   * The version in use.
   *
   * @param hanging the threads that hang in it; those of the one before are not its own
   */
  record InUse(ScriptVersion version, Hanging hanging) {}

  /**
   * A step whose script is read now; blocks.
   *
   * @throws IllegalArgumentException if there is no such file
   */
  ScriptStep(Node node, ScriptConfig config, ScriptMemory memory) {
    this.memory = memory;
    this.node = node;
    this.config = config;
    this.scope = new Scope(config.topics());
    this.deadLetter = new DeadLetter("script", config.file(), Reason.SCRIPT_FAILED);
    EnrichMeters counts = new EnrichMeters(node.meters());
    this.calls = counts.scriptCalls(config.file());
    this.deadLetters = counts.deadLetters("script", config.file());
    this.limits = counts.scriptLimits(config.file());
    this.forgotten = counts.scriptStatesForgotten(config.file());
    this.meters = new SwapMeters(node.meters(), config.file());
    meters.suspended(this::suspendedLanes);
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
    return new TopicStates(config.maxStateTopics(), forgotten::increment);
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
    return DeadLetter.baseName(config.file());
  }

  SwapMeters meters() {
    return meters;
  }

  /** A lane for one more event loop. */
  Lane open() {
    Lane lane = new Lane(this, "galop-script-" + name() + "-" + lanes.size());
    lanes.add(lane);
    return lane;
  }

  List<Lane> lanes() {
    return lanes;
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
  void onCall(Lane lane, Outcome outcome, boolean slow) {
    calls.record(outcome.nanos(), TimeUnit.NANOSECONDS);
    if (outcome.byLimit() || slow) {
      onLimit(lane, outcome.byLimit());
    } else {
      lane.breaker().onCall(false);
    }
  }

  /** A call was ended by a limit, or should have been. */
  void onLimit(Lane lane, boolean ended) {
    limits.increment(ended ? 1 : 0);
    if (lane.breaker().onCall(true)) {
      meters.suspensions.increment();
      LOG.warn(
          "script {} is suspended on one event loop for {} ms: {} calls were slow or ended by a"
              + " limit; its records become dead letters",
          config.file(),
          lane.breaker().remainingMs(),
          config.breaker().hits());
    }
  }

  void onThreadGivenUp(boolean isLoading) {
    meters.threadsGivenUp.increment();
    LOG.error(
        "script {}: {} could not be ended, its thread is given up and its state with it; {} hang"
            + " now",
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
        "script %s was begun anew on one event loop: the heap was full (%s after a collection) and it had allocated %s; that freed %s, and what it kept in variables is gone, its state is not"
            .formatted(config.file(), used, allocated, freed);
    LOG.warn(what);
    node.readiness()
        .warn(memoryPart(), what, "bound what the script keeps, or give the node more memory");
    begunAnewNanos = System.nanoTime() | 1;
  }

  private String memoryPart() {
    return "script " + name() + " memory";
  }

  /** What becomes of a record that the script failed on. */
  Record deadLetter(Record record, String why) {
    deadLetters.increment();
    return deadLetter.of(record, why);
  }

  /** What becomes of a record that comes to a lane while the script is suspended there. */
  Record suspendedLetter(Record record, Lane lane) {
    meters.suspendedRecords.increment();
    if (lane.isHanging()) {
      return deadLetter(record, "the script is suspended, as " + hang());
    }
    return deadLetter(
        record,
        "the script is suspended, as calls of it were slow or ended by a limit; drive the record"
            + " again when it is mended");
  }

  private String hang() {
    return "%d threads hang in it (breaker.maxHangingThreads), which only a restart of the node ends; deploy a mended version meanwhile"
        .formatted(config.breaker().maxHangingThreads());
  }

  /** On how many event loops it is suspended now. */
  long suspendedLanes() {
    return lanes.stream().filter(Lane::isSuspended).count();
  }

  /** The thread of a version whose trial is over counts if it hangs. */
  void seeTo(Shadow ended) {
    endedShadows.add(ended);
  }

  /** Looks after threads and warnings; called now and then, never waits. */
  void look() {
    lanes.forEach(Lane::giveUpIfStuck);
    endedShadows.removeIf(Shadow::settle);
    if (begunAnewNanos != 0 && System.nanoTime() - begunAnewNanos > WARN_NANOS) {
      begunAnewNanos = 0;
      node.readiness().calm(memoryPart());
    }
    String part = "script " + name();
    long suspended = suspendedLanes();
    boolean hanging = lanes.stream().anyMatch(Lane::isHanging);
    if (suspended > 0) {
      node.readiness()
          .warn(
              part,
              "suspended on %d of %d event loops, its records become dead letters%s"
                  .formatted(suspended, lanes.size(), hanging ? ": " + hang() : ""));
    } else {
      node.readiness().calm(part);
    }
  }
}
