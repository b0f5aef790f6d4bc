package io.galop.enrich.script.swap;

import io.galop.enrich.script.Script;
import io.galop.enrich.script.TopicStates;
import io.galop.record.Record;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A script step as one event loop has it: a script, the thread that it runs on, a breaker. At most
 * one list of each shard of the event loop waits. A thread that hangs in a call which no limit
 * could end is given up, and another one goes on with a script freshly loaded.
 */
final class Lane {
  /** How much longer than its limit a call may take before its thread is given up. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ScriptStep step;
  private final String name;
  private final BlockingQueue<Consumer<LaneThread>> tasks = new LinkedBlockingQueue<>();
  private final Breaker breaker;
  private volatile LaneThread thread;
  private volatile Shadow shadow;

  Lane(ScriptStep step, String name) {
    this.step = step;
    this.name = name;
    this.breaker =
        new Breaker(
            step.config().breaker(), () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  }

  /** Loads the script; fails with a sentence that says what to do. */
  Future<Void> start(Vertx vertx) {
    Context context = vertx.getOrCreateContext();
    Promise<Void> started = Promise.promise();
    thread =
        new LaneThread(
            this,
            step,
            loaded -> {
              try {
                loaded.load();
                context.runOnContext(now -> started.complete());
              } catch (Throwable e) { // the start of the node waits
                context.runOnContext(now -> started.fail(e));
              }
            });
    thread.start(name);
    return started.future();
  }

  /** Hands records to the script; what becomes of them comes back on the caller's event loop. */
  Future<List<Record>> enrich(Vertx vertx, List<Record> records) {
    Context context = vertx.getOrCreateContext();
    Promise<List<Record>> promise = Promise.promise();
    ListRun run =
        new ListRun(records, enriched -> context.runOnContext(now -> promise.complete(enriched)));
    tasks.add(on -> on.work(run));
    return promise.future();
  }

  /** Does something between two lists of records, on the thread of the script. */
  void atBoundary(Consumer<LaneThread> task) {
    tasks.add(task);
  }

  /** What the script keeps for each topic; only its thread may look into it. */
  TopicStates states() {
    return thread.states();
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

  /** The candidate that sees what the live script does; null if there is none. */
  Shadow shadow() {
    return shadow;
  }

  void shadow(Shadow candidate) {
    shadow = candidate;
  }

  /** Replaces a thread that hangs in a call. Called now and then, from one thread. */
  void giveUpIfStuck() {
    LaneThread stuck = thread;
    if (stuck == null) {
      return;
    }
    stuck.start(name); // if there was no memory for its thread before
    if (isStuck(stuck)) {
      giveUp(stuck, stuck.running());
    }
  }

  private boolean isStuck(LaneThread one) {
    long limit = TimeUnit.MILLISECONDS.toNanos(step.config().timeLimitMs()) + PATIENCE_NANOS;
    return one.callNanos() >= limit;
  }

  /** The record that it hangs on is the next thread's before that runs; or else nothing is done. */
  private void giveUp(LaneThread stuck, ListRun run) {
    LaneThread next =
        new LaneThread(
            this,
            step,
            on -> {
              on.loadInPlace();
              step.onLimit(this, true);
              on.fail(run, "it did not end when timeLimitMs had passed");
              on.goOn(run);
            });
    next.mayHave(run);
    synchronized (run) { // what a call returns is not taken meanwhile
      if (!isStuck(stuck) || !run.takeOver(stuck, next)) {
        return;
      }
      thread = next;
    }
    step.onThreadGivenUp();
    next.start(name);
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
   * @param done is given the one that has no more to do
   */
  void replace(Script fresh, Consumer<Optional<Script>> done) {
    atBoundary(
        on -> {
          shadow = null;
          breaker.reset();
          done.accept(on.replace(fresh));
        });
  }
}
