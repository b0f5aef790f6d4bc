package io.galop.enrich.lookup;

import io.galop.config.enrich.LookupCacheConfig;
import io.galop.config.enrich.LookupConfig;
import io.galop.json.JsonString;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table in a store, for one event loop. A row at hand is given at once and, when it
 * is no longer new, asked for again in the background; for others the caller waits, at most for the
 * configured time, and not at all while the store is down.
 */
public final class Rows {
  private final Vertx vertx;
  private final LookupCacheConfig config;
  private final boolean servesStale;
  private final long refreshNs;
  private final long absentNs;
  private final long maxAgeNs;
  private final RowCache cache;
  private final Selects selects;
  private final RowMeters meters;

  /** The rows of what the configuration names; nothing is asked for yet. */
  public static Rows of(Vertx vertx, LookupConfig config, RowMeters meters) {
    return new Rows(vertx, config, RowStores.opener(vertx, config), meters);
  }

  Rows(Vertx vertx, LookupConfig lookup, Supplier<Future<RowStore>> opener, RowMeters meters) {
    this.vertx = vertx;
    this.config = lookup.cache();
    this.meters = meters;
    this.servesStale = lookup.onUnavailable() == LookupConfig.OnUnavailable.STALE;
    this.refreshNs = nanos(lookup.refreshMs() == 0 ? Long.MAX_VALUE : lookup.refreshMs());
    this.absentNs = nanos(config.absentMs());
    this.maxAgeNs = nanos(config.maxAgeMs());
    this.cache = new RowCache(lookup.maxRows(), config.maxBytes());
    String head = JsonString.quoted(lookup.into()) + ':';
    this.selects =
        new Selects(
            vertx,
            config,
            "the table " + lookup.table(),
            opener,
            (key, object) -> keep(key, Row.read(head, object, System.nanoTime())),
            meters);
  }

  private static long nanos(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private Row keep(String key, Row row) {
    cache.put(key, row);
    return row;
  }

  /** Connects. A store that is away is no failure: records then go as the configuration says. */
  public Future<Void> start() {
    return selects.start();
  }

  /**
   * The rows of keys.
   *
   * @return for each key its row; already there if nothing has to be waited for
   */
  public Future<Map<String, Row>> get(Collection<String> keys) {
    Map<String, Row> rows = new HashMap<>(keys.size() * 2);
    Waiting waiting = null;
    for (String key : keys) {
      PendingRow pending = atHand(key, rows);
      if (pending != null) {
        waiting = waiting == null ? new Waiting(rows, this::standIn) : waiting;
        waiting.waitFor(pending);
      }
    }
    return waiting == null
        ? Future.succeededFuture(rows)
        : waiting.within(vertx, config.timeoutMs(), this::onLate);
  }

  /** Asks for rows that are going to be needed. */
  public void prefetch(Collection<String> keys) {
    long nowNs = System.nanoTime();
    for (String key : keys) {
      Row row = cache.get(key);
      if (row == null || row.ageNs(nowNs) >= maxAgeNs) {
        selects.ask(key);
      }
    }
  }

  /** Puts what can be said of a key at once, and is null; else what is to be waited for. */
  private @Nullable PendingRow atHand(String key, Map<String, Row> rows) {
    long nowNs = System.nanoTime();
    Row row = cache.get(key);
    if (row != null && row.ageNs(nowNs) < maxAgeNs) {
      meters.hits.increment();
      if (row.ageNs(nowNs) >= (row.isFound() ? refreshNs : absentNs)) {
        meters.refreshes.increment();
        selects.ask(key);
      }
      rows.put(key, row);
      return null;
    }
    meters.waits.increment();
    PendingRow pending = selects.ask(key);
    if (pending == null || selects.isDown()) {
      rows.put(key, standIn(key));
      return null;
    }
    return pending;
  }

  private Row standIn(String key) {
    Row old = servesStale ? cache.get(key) : null;
    if (old == null) {
      return Row.UNAVAILABLE;
    }
    meters.stale.increment();
    return old;
  }

  private void onLate(int keys) {
    meters.timeouts.increment(keys);
    selects.onTooSlow();
  }

  public Future<Void> close() {
    selects.close();
    return Future.succeededFuture();
  }
}
