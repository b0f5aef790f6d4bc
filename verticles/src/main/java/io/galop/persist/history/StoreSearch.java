package io.galop.persist.history;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the stores, each for so long at most. One that fails or is late is left out of the answer
 * and of its other pages, and named; nor is it asked again for a moment, so that not every question
 * waits for it.
 */
final class StoreSearch {
  private static final Logger LOG = LoggerFactory.getLogger(StoreSearch.class);
  private static final long LEFT_ALONE_NS = TimeUnit.SECONDS.toNanos(5);
  private final Vertx vertx;
  private final Map<String, Store> stores;
  private final long timeoutMs;
  private final Map<String, Long> failedNs = new ConcurrentHashMap<>();

  StoreSearch(Vertx vertx, Map<String, Store> stores, long timeoutMs) {
    this.vertx = vertx;
    this.stores = stores;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Asks all but some.
   *
   * @param without names of stores that the pages before are without
   * @param isFirst whether a store may be left out still; on later pages its failure is the
   *     answer's, since it has given a part of it
   * @return by name; nothing from a store that is left out
   */
  Map<String, Future<Optional<Part>>> run(ColdQuery query, Set<String> without, boolean isFirst) {
    Map<String, Future<Optional<Part>>> asked = new TreeMap<>();
    stores.forEach(
        (name, store) -> {
          if (!without.contains(name)) {
            asked.put(
                name, isFirst ? attempt(name, store, query) : withDeadline(name, store, query));
          }
        });
    return asked;
  }

  private Future<Optional<Part>> withDeadline(String name, Store store, ColdQuery query) {
    return Loop.current(vertx)
        .within(timeoutMs, "the answer of the store " + name, store.query(query))
        .map(page -> Optional.of(new Part(page.records(), page.next())));
  }

  private Future<Optional<Part>> attempt(String name, Store store, ColdQuery query) {
    Long failed = failedNs.get(name);
    if (failed != null && System.nanoTime() - failed < LEFT_ALONE_NS) {
      return Future.succeededFuture(Optional.empty());
    }
    return withDeadline(name, store, query)
        .onSuccess(part -> failedNs.remove(name))
        .recover(failure -> leaveOut(name, failure));
  }

  /** Too many questions are no fault of the store: the client may ask again. */
  private Future<Optional<Part>> leaveOut(String name, Throwable failure) {
    if (failure instanceof Refusal refusal && refusal.why() == Why.BUSY) {
      return Future.failedFuture(refusal);
    }
    failedNs.put(name, System.nanoTime());
    LOG.warn("a history answer omits the store {}: {}", name, failure.getMessage());
    return Future.succeededFuture(Optional.empty());
  }
}
