package io.galop.enrich.lookup;

import io.galop.config.enrich.LookupCacheConfig;
import io.galop.jvm.ErrorText;
import io.galop.store.TlsReason;
import io.galop.vertx.Loop;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the store: what one turn of the event loop wants, or what gathered while the connections
 * were busy, in one select; a key that is being asked for already not again.
 */
final class Selects {
  private static final Logger LOG = LoggerFactory.getLogger(Selects.class);

  private final Vertx vertx;
  private final LookupCacheConfig config;
  private final String name;
  private final Supplier<Future<RowStore>> opener;
  private final BiFunction<String, @Nullable String, Row> keep;
  private final RowMeters meters;
  private final Map<String, PendingRow> pending = new HashMap<>();
  private final Deque<PendingRow> queue = new ArrayDeque<>();

  @SuppressWarnings("NullAway.Init") // start sets it, which comes first
  private Loop loop;

  /** Null while there is no connection. */
  private @Nullable RowStore store;

  private int underWay;
  private boolean opening;
  private boolean flushing;
  private boolean down;
  private boolean closed;
  private long notBeforeNs = System.nanoTime();

  /**
   * For one table.
   *
   * @param keep keeps what was read of a key, a JSON object or null
   */
  Selects(
      Vertx vertx,
      LookupCacheConfig config,
      String name,
      Supplier<Future<RowStore>> opener,
      BiFunction<String, @Nullable String, Row> keep,
      RowMeters meters) {
    this.vertx = vertx;
    this.config = config;
    this.name = name;
    this.opener = opener;
    this.keep = keep;
    this.meters = meters;
  }

  /** Connects and looks whether the table can be read; a store that is away fails nothing. */
  Future<Void> start() {
    loop = Loop.current(vertx);
    Promise<Void> started = Promise.promise();
    opening = true;
    Future<RowStore> connected =
        opener
            .get()
            .compose(opened -> opened.check().map(opened).onFailure(failed -> opened.close()));
    loop.within(config.giveUpMs(), "the connection", connected)
        .onComplete(
            outcome -> {
              if (outcome.failed()) {
                // It may still come, when others have been opened in its place.
                connected.onSuccess(RowStore::close);
              }
              onOpened(outcome);
              started.complete();
            });
    return started.future();
  }

  /** Whether the store failed or was too slow, and has not answered in time since. */
  boolean isDown() {
    return down;
  }

  /** Asks for a key; null if too many wait. */
  @Nullable PendingRow ask(String key) {
    loop.check();
    PendingRow one = pending.get(key);
    if (one != null) {
      meters.coalesced.increment();
      return one;
    }
    if (pending.size() >= config.maxPendingKeys()) {
      meters.refused.increment();
      return null;
    }
    one = new PendingRow(key);
    pending.put(key, one);
    queue.add(one);
    flushSoon(0);
    return one;
  }

  private void flushSoon(long delayMs) {
    if (flushing || closed) {
      return;
    }
    flushing = true;
    if (delayMs > 0) {
      vertx.setTimer(delayMs, id -> flush());
    } else {
      vertx.runOnContext(none -> flush());
    }
  }

  private void flush() {
    flushing = false;
    long pauseMs = TimeUnit.NANOSECONDS.toMillis(notBeforeNs - System.nanoTime());
    if (pauseMs > 0) {
      flushSoon(pauseMs);
    } else if (store == null) {
      open();
    } else {
      RowStore asked = store;
      while (!queue.isEmpty() && underWay < config.connections() && !closed) {
        send(asked);
      }
    }
  }

  private void open() {
    if (!opening && !closed && !queue.isEmpty()) {
      opening = true;
      loop.bring(opener.get()).onComplete(this::onOpened);
    }
  }

  private void onOpened(AsyncResult<RowStore> opened) {
    opening = false;
    if (opened.failed()) {
      List<PendingRow> all = List.copyOf(queue);
      queue.clear();
      onFailed(null, opened.cause());
      settle(all, Row.UNAVAILABLE);
    } else if (closed) {
      opened.result().close();
    } else {
      store = opened.result();
      flushSoon(0);
    }
  }

  private void send(RowStore asked) {
    List<PendingRow> batch = new ArrayList<>();
    while (batch.size() < config.maxKeys() && !queue.isEmpty()) {
      batch.add(queue.remove());
    }
    underWay++;
    long startedNs = System.nanoTime();
    Future<Map<String, String>> rows = asked.select(batch.stream().map(PendingRow::key).toList());
    loop.within(config.giveUpMs(), "its answer", rows)
        .onComplete(
            answer -> {
              underWay--;
              long tookNs = System.nanoTime() - startedNs;
              meters.selects.record(tookNs, TimeUnit.NANOSECONDS);
              if (answer.succeeded()) {
                onAnswer(batch, answer.result(), TimeUnit.NANOSECONDS.toMillis(tookNs));
              } else {
                onFailed(asked, answer.cause());
                settle(batch, Row.UNAVAILABLE);
              }
              flushSoon(0);
            });
  }

  private void onAnswer(List<PendingRow> batch, Map<String, String> found, long tookMs) {
    if (down && tookMs <= config.timeoutMs()) {
      down = false;
      LOG.info("{} can be read again", name);
    }
    for (PendingRow one : batch) {
      pending.remove(one.key());
      one.settle(keep.apply(one.key(), found.get(one.key())));
    }
  }

  private void settle(List<PendingRow> batch, Row row) {
    batch.forEach(one -> pending.remove(one.key()));
    batch.forEach(one -> one.settle(row));
  }

  /** Whoever asked waited in vain. */
  void onTooSlow() {
    down("it does not answer within " + config.timeoutMs() + " ms (cache.timeoutMs)");
  }

  /** Null: none could be opened. */
  private void onFailed(@Nullable RowStore failed, Throwable why) {
    meters.failures.increment();
    notBeforeNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.retryMs());
    down(TlsReason.of(why).orElse(ErrorText.of(why)));
    if (failed != null && failed == store) {
      store = null;
      failed.close();
    }
  }

  private void down(String why) {
    if (!down) {
      down = true;
      LOG.warn("{} cannot be read; records continue without waiting for it: {}", name, why);
    }
  }

  void close() {
    closed = true;
    if (store != null) {
      store.close();
      store = null;
    }
    settle(List.copyOf(queue), Row.UNAVAILABLE);
    queue.clear();
  }
}
