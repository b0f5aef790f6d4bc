package io.galop.enrich.script.swap;

import io.galop.enrich.script.Script;
import io.galop.enrich.script.StateMap;
import io.galop.enrich.script.TopicStates;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a {@link Lane}, and the script that only it calls. */
final class LaneThread {
  private static final Logger LOG = LoggerFactory.getLogger(LaneThread.class);
  private static final long NO_CALL = 0;
  private static final long PAUSE_MS = 100;
  private static final Consumer<LaneThread> REST = LaneThread::rest;

  private final Lane lane;
  private final StepContext step;
  private final Consumer<LaneThread> first;
  private final TopicStates states;

  /** Null while none is loaded: before the first, when it begins anew, or if it is broken. */
  private @Nullable Script script;

  private final Hanging.Member hanging = new Hanging.Member();

  /** The threads that hang in the version that this one has. */
  private volatile Hanging others;

  /** The one that was given up while it loaded the script; null if none was. */
  private final @Nullable LaneThread loading;

  private boolean ended;
  private boolean started;
  private boolean isBroken;

  /** What the thread had used when the list began, or behind the last slow call. */
  private long cpuNanos;

  /** What the thread had allocated when its script was loaded. */
  private volatile long allocatedBefore;

  /** What it had allocated when the memory was looked at. */
  private long allocatedAtLook;

  private volatile long id;
  private volatile boolean beginsAnew;

  /** The list under way, or the last one that was; null before the first. */
  private volatile @Nullable ListRun running;

  private volatile long callBegan = NO_CALL;
  private volatile long loadBegan = NO_CALL;

  /**
   * A thread that is to be started.
   *
   * @param loading the thread in whose place it is, if that hangs while it loads the script: this
   *     one does so when that has ended after all; else null
   * @param first what it does first; if that fails the thread goes on all the same
   */
  LaneThread(
      Lane lane, StepContext step, @Nullable LaneThread loading, Consumer<LaneThread> first) {
    this.lane = lane;
    this.step = step;
    this.loading = loading;
    this.first = first;
    this.states = step.newStates();
    this.others = step.inUse().hanging();
  }

  /** Does nothing if it was started; an OutOfMemoryError leaves it for another attempt. */
  synchronized void start(String name) {
    if (!started) {
      Thread thread = new Thread(this::run, name);
      thread.setDaemon(true);
      thread.start();
      started = true;
    }
  }

  private void run() {
    id = Thread.currentThread().getId();
    attempt(first);
    while (!ended && lane.isCurrent(this)) {
      try {
        attempt(lane.tasks().take());
      } catch (InterruptedException e) {
        LOG.debug("{} was interrupted, which ends a call and not the thread", step.name());
      }
    }
    hanging.end();
    if (script != null) {
      script.close();
    }
  }

  /** Whatever is thrown, an Error too, the thread lives on and so does the list that it has. */
  private void attempt(Consumer<LaneThread> task) {
    @Nullable Consumer<LaneThread> now = task;
    while (now != null) {
      try {
        now.accept(this);
        now = null;
      } catch (Throwable e) { // whoever waits for the list would wait for ever
        now = REST;
        report(e);
      }
    }
  }

  private void report(Throwable broken) {
    try {
      LOG.error("script {}: a task failed", step.name(), broken);
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (Throwable e) { // not even memory to say so: there may be some for the next attempt
      Thread.yield();
    }
  }

  /** What is left of the list that a task broke off in, behind the record that it broke off on. */
  private void rest() {
    ListRun run = running;
    if (run != null && run.current(this) != null) {
      fail(run, "the call broke off, the log says how");
      goOn(run);
    }
  }

  /**
   * Loads the version in use.
   *
   * @throws IllegalArgumentException saying what is wrong with the script
   */
  void load() {
    StepContext.InUse inUse = step.inUse();
    others = inUse.hanging();
    allocatedBefore = Usage.allocatedBytes();
    script = inUse.version().open(states);
  }

  /** What it has allocated since its script was loaded; it cannot hold more. */
  long allocatedBytes() {
    return id == 0 ? 0 : Usage.allocatedBytes(id) - allocatedBefore;
  }

  /** Another script takes the place of this one before the next call. */
  void askToBeginAnew() {
    beginsAnew = true;
  }

  /** Whether it was asked to and has not yet. */
  boolean beginsAnew() {
    return beginsAnew;
  }

  /** What the script holds can be collected from then on; the next call loads it. */
  void beginAnewIfAsked() {
    if (beginsAnew) {
      if (script != null) {
        script.close();
        script = null;
      }
      allocatedBefore = Usage.allocatedBytes();
      beginsAnew = false;
      step.onLimit(lane.breaker(), true);
    }
  }

  private void lookAtMemory() {
    long now = Usage.allocatedBytes();
    if (now - allocatedAtLook > step.memory().worthALookBytes()) {
      allocatedAtLook = now;
      step.memory().look();
    }
  }

  /** Loads it where the node runs already: without it each record is a dead letter that says so. */
  void loadInPlace() {
    Optional<Script> before = Optional.ofNullable(script);
    loadBegan = System.nanoTime() | 1;
    try {
      load();
      isBroken = false;
      before.ifPresent(Loading::closeAside);
    } catch (IllegalArgumentException e) {
      isBroken = true;
      LOG.error("{}", e.getMessage());
    } finally {
      loadBegan = NO_CALL;
    }
  }

  /** The same, unless the version in use hangs another thread that does so. */
  void loadUnlessItHangs() {
    if (loading == null || loading.hanging.isOver()) {
      loadInPlace();
    }
  }

  /** What its script keeps for each topic, and the next one will. */
  TopicStates states() {
    return states;
  }

  /** Another script from now on; the one before, if there was one, has no more to do. */
  Optional<Script> replace(Script fresh, Hanging hangingInIt) {
    Optional<Script> before = Optional.ofNullable(script);
    if (fresh.states() == states) {
      script = fresh;
      others = hangingInIt;
      return before;
    }
    loadInPlace(); // it was loaded for a thread that has been given up since
    return Optional.of(fresh);
  }

  void end() {
    ended = true;
  }

  /** How long the call under way takes by now; 0 if there is none. */
  long callNanos() {
    return since(callBegan);
  }

  /** How long it has been loading the script in place by now; 0 if it is not. */
  long loadNanos() {
    return since(loadBegan);
  }

  private static long since(long began) {
    return began == NO_CALL ? 0 : System.nanoTime() - began;
  }

  /** Another one has its place. It counts as one that hangs in the version that it has. */
  void giveUp() {
    hanging.giveUp(others);
  }

  Hanging others() {
    return others;
  }

  /** The list under way, or the last one that was; null before the first. */
  @Nullable ListRun running() {
    return running;
  }

  /** Enriches a list, record by record, until it is done or another thread has it. */
  void work(ListRun run) {
    run.take(this);
    mayHave(run);
    goOn(run);
  }

  /** The list is the one to see to, if it is this thread's. */
  void mayHave(@Nullable ListRun run) {
    running = run;
  }

  /** Enriches what is left of a list. */
  void goOn(ListRun run) {
    cpuNanos = Usage.cpuNanos();
    boolean mine = true;
    for (Record record = run.current(this); mine && record != null; record = run.current(this)) {
      mine = run.put(this, step.covers(record) ? call(record) : List.of(record));
    }
  }

  /** The record that a thread hung on, or broke off on, is a dead letter. */
  void fail(ListRun run, String why) {
    Record broken = run.current(this);
    if (broken != null) {
      run.put(this, List.of(step.letters().failed(broken, why)));
    }
  }

  private List<Record> call(Record record) {
    Shadow shadow = lane.shadow();
    Optional<StateMap> before = shadow == null ? Optional.empty() : shadow.before(record, states);
    boolean isSuspended = lane.isSuspended();
    Outcome outcome = isSuspended ? lane.suspendedOutcome() : counted(record, shadow != null);
    if (shadow != null) {
      shadow.offer(record, before, outcome);
    }
    if (isSuspended) {
      return List.of(step.letters().suspended(record, lane.isHanging()));
    }
    return outcome.hasFailed()
        ? List.of(step.letters().failed(record, outcome.failure()))
        : new ArrayList<>(outcome.records());
  }

  private Outcome counted(Record record, boolean measured) {
    Outcome outcome = called(record, measured);
    step.onCall(lane.breaker(), outcome, isSlow(outcome));
    return outcome;
  }

  /** A call that only waited for a processor or a collection was not slow of its own doing. */
  private boolean isSlow(Outcome outcome) {
    long limit = TimeUnit.MILLISECONDS.toNanos(step.config().breaker().slowCallMs());
    if (outcome.nanos() <= limit) {
      return false;
    }
    long before = cpuNanos;
    cpuNanos = Usage.cpuNanos();
    return cpuNanos - before > limit;
  }

  private Outcome called(Record record, boolean measured) {
    lookAtMemory();
    beginAnewIfAsked();
    if (script == null && !isBroken) {
      loadUnlessItHangs();
    }
    Script called = script;
    if (called == null) {
      return Outcome.failed("the script could not be loaded again, the log says why");
    }
    callBegan = System.nanoTime() | 1;
    try {
      return Outcome.of(called, record, step.config().maxAllocatedBytes(), measured);
    } finally {
      callBegan = NO_CALL;
    }
  }
}
