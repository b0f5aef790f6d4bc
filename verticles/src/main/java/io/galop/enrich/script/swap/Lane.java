package io.galop.enrich.script.swap;

import io.galop.enrich.script.Script;
import io.galop.enrich.script.TopicStates;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A script step as one event loop has it: a script, the thread that it runs on, a breaker. At most
 * one list of each strand of the event loop's shards waits. A thread that hangs in a call which no
 * limit could end is given up, and another one goes on with a script freshly loaded.
 */
final class Lane implements ScriptMemory.Keeper {
  /** How much longer than its limit a call may take before its thread is given up. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** And for how long it must be seen to: a process that was stopped has had no time to end it. */
  private static final long SEEN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The same for loading, which takes seconds where a language begins on a busy machine. */
  private static final long LOAD_PATIENCE_MS = 30_000;

  private static final String HANGS = "it did not end when timeLimitMs had passed";

  private final StepContext step;
  private final String name;
  private final BlockingQueue<Consumer<LaneThread>> tasks = new LinkedBlockingQueue<>();
  private final Breaker breaker;
  private final long mostLoadMs;

  /** The one that works here; null before the start. */
  private volatile @Nullable LaneThread thread;

  /** The candidate that sees what the live script does; null if there is none. */
  private volatile @Nullable Shadow shadow;

  /** When the thread was first seen to hang, as of {@link System#nanoTime}; 0 if it was not. */
  private long stuckSinceNanos;

  /** Zero: its memory may be looked for. */
  private volatile long leftAloneUntil;

  Lane(StepContext step, String name) {
    this(step, name, 10 * step.config().timeLimitMs() + LOAD_PATIENCE_MS);
  }

  /**
   * @param mostLoadMs how long loading may take, where the node runs already, before its thread is
   *     given up
   */
  Lane(StepContext step, String name, long mostLoadMs) {
    this.step = step;
    this.name = name;
    this.mostLoadMs = mostLoadMs;
    this.breaker =
        new Breaker(
            step.config().breaker(), () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  }

  /** Loads the script; fails with a sentence that says what to do. */
  Future<Void> start(Vertx vertx) {
    Context context = vertx.getOrCreateContext();
    Promise<Void> started = Promise.promise();
    String late =
        "script %s cannot be started: it was not loaded within %d s, what stands outside of"
            + " functions may hang";
    long timer =
        vertx.setTimer(
            TimeUnit.SECONDS.toMillis(Loading.MOST_SECONDS),
            over ->
                started.tryFail(
                    new IllegalArgumentException(
                        late.formatted(step.config().file(), Loading.MOST_SECONDS))));
    LaneThread first =
        new LaneThread(
            this,
            step,
            null,
            loaded -> {
              try {
                loaded.load();
                context.runOnContext(now -> started.tryComplete());
              } catch (Throwable e) { // the start of the node waits
                context.runOnContext(now -> started.tryFail(e));
              }
            });
    thread = first;
    first.start(name);
    return started.future().onComplete(any -> vertx.cancelTimer(timer));
  }

  /** Hands records to the script; what becomes of them comes back on the caller's event loop. */
  Future<List<Record>> enrich(Vertx vertx, List<Record> records, StepTally tally) {
    Context context = vertx.getOrCreateContext();
    Promise<List<Record>> promise = Promise.promise();
    ListRun run =
        new ListRun(
            records, tally, enriched -> context.runOnContext(now -> promise.complete(enriched)));
    tasks.add(on -> on.work(run));
    return promise.future();
  }

  /** Does something between two lists of records, on the thread of the script. */
  void atBoundary(Consumer<LaneThread> task) {
    tasks.add(task);
  }

  /** What the script keeps for each topic; only its thread may look into it. */
  TopicStates states() {
    return thread().states();
  }

  /** How much the script keeps for all topics, roughly. */
  long stateBytes() {
    LaneThread now = thread;
    return now == null ? 0 : now.states().bytes();
  }

  @Override
  public long allocatedBytes() {
    LaneThread now = thread;
    return now == null ? 0 : now.allocatedBytes();
  }

  /** Its script begins anew before the next call, or now if there is none. */
  @Override
  public void beginAnew() {
    thread().askToBeginAnew();
    atBoundary(LaneThread::beginAnewIfAsked);
  }

  /** Whether it has, since it was asked to. */
  @Override
  public boolean hasBegunAnew() {
    return !thread().beginsAnew();
  }

  /** Memory is not looked for here until then. */
  @Override
  public void leaveAlone(long untilNanos) {
    leftAloneUntil = untilNanos;
  }

  @Override
  public boolean isLeftAlone(long nowNanos) {
    return leftAloneUntil != 0 && nowNanos - leftAloneUntil < 0;
  }

  @Override
  public void onBegunAnew(String used, String allocated, String freed) {
    step.onBegunAnew(used, allocated, freed);
  }

  private LaneThread thread() {
    return Objects.requireNonNull(thread, "the start of the step comes first");
  }

  BlockingQueue<Consumer<LaneThread>> tasks() {
    return tasks;
  }

  /** Whether a thread is the one that works here, and not one that was given up. */
  boolean isCurrent(LaneThread one) {
    return thread == one;
  }

  Breaker breaker() {
    return breaker;
  }

  /** Whether records are not to be handed to the script now. */
  boolean isSuspended() {
    return breaker.isSuspended() || isHanging();
  }

  /** Whether that is for good: as many threads as may hang in the version that it has. */
  boolean isHanging() {
    LaneThread now = thread;
    return now != null && now.others().isFull();
  }

  /**
   * What a new version is compared with on a record that comes meanwhile. One that is suspended for
   * good loses it whatever the new one does; one that is tried again soon might have done well.
   */
  Outcome suspendedOutcome() {
    return isHanging() ? Outcome.failed("it is suspended") : Outcome.UNKNOWN;
  }

  /** Whether records need not come here: nobody would see them. */
  boolean isPassedBy() {
    return isSuspended() && shadow == null;
  }

  /** The candidate that sees what the live script does; null if there is none. */
  @Nullable Shadow shadow() {
    return shadow;
  }

  void shadow(@Nullable Shadow candidate) {
    shadow = candidate;
  }

  /** Replaces a thread that hangs in a call. Called now and then, from one thread. */
  void giveUpIfStuck() {
    LaneThread stuck = thread;
    if (stuck == null) {
      return;
    }
    stuck.start(name); // if there was no memory for its thread before
    if (!isStuck(stuck)) {
      stuckSinceNanos = 0;
    } else if (stuckSinceNanos == 0) {
      stuckSinceNanos = System.nanoTime() | 1;
    } else if (System.nanoTime() - stuckSinceNanos > SEEN_NANOS) {
      stuckSinceNanos = 0;
      giveUp(stuck, stuck.running());
    }
  }

  private boolean isStuck(LaneThread one) {
    long limit = TimeUnit.MILLISECONDS.toNanos(step.config().timeLimitMs()) + PATIENCE_NANOS;
    return one.callNanos() >= limit || isStuckLoading(one);
  }

  private boolean isStuckLoading(LaneThread one) {
    return one.loadNanos() >= TimeUnit.MILLISECONDS.toNanos(mostLoadMs);
  }

  private void giveUp(LaneThread stuck, @Nullable ListRun run) {
    boolean isLoading = isStuckLoading(stuck);
    LaneThread next =
        new LaneThread(
            this, step, isLoading ? stuck : null, on -> goOn(on, run, isLoading ? "" : HANGS));
    next.mayHave(run);
    if (!takesOver(next, stuck, run)) {
      return;
    }
    stuck.giveUp();
    step.onThreadGivenUp(isLoading);
    next.start(name);
  }

  /** Between two lists nothing has to be taken over, but the next one would wait for ever. */
  private boolean takesOver(LaneThread next, LaneThread stuck, @Nullable ListRun run) {
    if (run == null) {
      thread = next;
      return true;
    }
    synchronized (run) { // what a call returns is not taken meanwhile
      if (!isStuck(stuck) || !run.takeOver(stuck, next) && !isStuckLoading(stuck)) {
        return false;
      }
      thread = next;
      return true;
    }
  }

  /**
   * What the next thread does first, with the list of the one that hangs.
   *
   * @param run null if there is none, between two lists
   * @param why the record that it hangs on is a dead letter; empty if it hangs on none
   */
  private void goOn(LaneThread on, @Nullable ListRun run, String why) {
    if (!why.isEmpty()) {
      step.onLimit(breaker, true);
    }
    if (run != null && !why.isEmpty()) {
      on.fail(run, why);
    }
    on.loadUnlessItHangs();
    if (run != null) {
      on.goOn(run);
    }
  }

  /** Ends the thread behind all that was handed over, and the script with it. */
  Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    if (thread == null) {
      return Future.succeededFuture();
    }
    tasks.add(
        on -> {
          on.end();
          closed.complete();
        });
    return closed.future();
  }

  /**
   * Puts another script in the place of the live one.
   *
   * @param others the threads that hang in that version
   * @param done is given the one that has no more to do
   */
  void replace(Script fresh, Hanging others, Consumer<Optional<Script>> done) {
    atBoundary(
        on -> {
          shadow = null;
          breaker.reset();
          done.accept(on.replace(fresh, others));
        });
  }
}
