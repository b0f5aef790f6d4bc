package io.galop.enrich.lookup;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;

/** A list of records that waits for rows, for a bounded time. */
final class Waiting {
  private final Map<String, Row> rows;
  private final Function<String, Row> orElse;
  private final Set<String> open = new HashSet<>();
  private final Promise<Map<String, Row>> done = Promise.promise();
  private boolean ended;

  /**
   * Waits for nothing yet.
   *
   * @param rows those at hand; the others are added
   * @param orElse what stands in for a row that is unavailable
   */
  Waiting(Map<String, Row> rows, Function<String, Row> orElse) {
    this.rows = rows;
    this.orElse = orElse;
  }

  void waitFor(PendingRow pending) {
    open.add(pending.key());
    pending.add(this);
  }

  /**
   * All rows, when they are there or time is up.
   *
   * @param late told how many were not there then
   */
  Future<Map<String, Row>> within(Vertx vertx, long timeoutMs, IntConsumer late) {
    long timer =
        vertx.setTimer(
            timeoutMs,
            id -> {
              late.accept(open.size());
              Set.copyOf(open).forEach(key -> onRow(key, Row.UNAVAILABLE));
            });
    return done.future().onComplete(any -> vertx.cancelTimer(timer));
  }

  void onRow(String key, Row row) {
    if (ended || !open.remove(key)) {
      return;
    }
    rows.put(key, row.isUnavailable() ? orElse.apply(key) : row);
    if (open.isEmpty()) {
      ended = true;
      done.complete(rows);
    }
  }
}
