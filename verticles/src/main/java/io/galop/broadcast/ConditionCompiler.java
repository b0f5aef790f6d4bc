package io.galop.broadcast;

import io.galop.broadcast.hub.Selection;
import io.galop.config.broadcast.WhereConfig;
import io.galop.expression.ExpressionFailure;
import io.galop.expression.RecordFilter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Makes conditions of what browsers write. It takes milliseconds, so a thread of its own does it,
 * which rests three times as long as it worked, 100 ms at most; and once for the same text while
 * that is remembered. One for a node, for any thread.
 */
final class ConditionCompiler {
  private static final int REMEMBERED = 256;
  private static final int MOST_WAITING = 64;

  /** How long the thread rests after some work: so many times what that took. */
  private static final int REST = 3;

  /** The first takes a second, for the classes that it needs; the next need not wait for that. */
  private static final long MOST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final WhereConfig limits;
  private final WorkerExecutor thread;

  /** The answers, the one asked for longest ago first. */
  private final Map<String, Future<RecordFilter>> known = new LinkedHashMap<>(16, 0.75f, true);

  private int waiting;

  /** Of the thread alone. */
  private long restUntilNanos = System.nanoTime();

  ConditionCompiler(Vertx vertx, WhereConfig limits) {
    this.limits = limits;
    this.thread = vertx.createSharedWorkerExecutor("galop-conditions", 1);
  }

  /**
   * What a registration selects that asks for something.
   *
   * @param before what it selects if it does not
   * @return fails with an {@link IllegalArgumentException} that says what is wrong with it, or an
   *     {@link IllegalStateException} if it may be had later
   */
  Future<Selection> select(Selection before, Wishes wishes) {
    Selection shown = wishes.fields().map(before::showing).orElse(before);
    String where = wishes.where().orElse(null);
    if (where == null) {
      return Future.succeededFuture(shown);
    }
    return where.isBlank()
        ? Future.succeededFuture(shown.where(Optional.empty()))
        : compiled(where).map(filter -> shown.where(Optional.of(filter)));
  }

  private synchronized Future<RecordFilter> compiled(String where) {
    Future<RecordFilter> before = known.get(where);
    if (before != null) {
      return before;
    }
    if (limits.maxConditions() == 0) {
      return refused("is not allowed here, by broadcast.where.maxConditions");
    }
    if (where.length() > limits.maxCharacters()) {
      return refused("must have at most " + limits.maxCharacters() + " characters");
    }
    if (waiting >= MOST_WAITING) {
      return Future.failedFuture(
          new IllegalStateException("too many conditions are being read; come back later"));
    }
    waiting++;
    Future<RecordFilter> made =
        thread.executeBlocking(() -> compile(where)).onComplete(done -> done());
    known.put(where, made);
    if (known.size() > REMEMBERED) {
      known.remove(known.keySet().iterator().next());
    }
    return made;
  }

  private static Future<RecordFilter> refused(String what) {
    return Future.failedFuture(new IllegalArgumentException("header where " + what));
  }

  /** How many conditions wait to be read. */
  synchronized int waiting() {
    return waiting;
  }

  private synchronized void done() {
    waiting--;
  }

  private RecordFilter compile(String where) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(restUntilNanos - System.nanoTime());
    long begunNanos = System.nanoTime();
    try {
      return RecordFilter.ofStranger(where);
    } catch (ExpressionFailure e) {
      throw new IllegalArgumentException("header where: " + e.detail(), e);
    } finally {
      long endNanos = System.nanoTime();
      restUntilNanos = endNanos + Math.min(MOST_REST_NANOS, REST * (endNanos - begunNanos));
    }
  }
}
