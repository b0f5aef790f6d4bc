package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.persist.HistoryConfig;
import io.galop.persist.ram.Slab;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Answers questions about what this node keeps: the RAM tier, searched on threads of its own or, if
 * that is soon done, on the event loop that is asked, and the stores. What is evicted from the RAM
 * tier before a store has it is in no answer until it has. Safe to call from any event loop.
 */
public final class HistoryAnswers implements AutoCloseable {
  private static final int MOST_RECORDS = 10_000;
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private final StoreSearch stores;
  private final RamSearches ram;

  /**
   * Starts the threads.
   *
   * @param slabs the slabs of each shard, from any thread
   */
  public HistoryAnswers(
      Vertx vertx,
      HistoryConfig config,
      int shards,
      IntFunction<Slab[]> slabs,
      Map<String, Store> stores,
      MeterRegistry meters) {
    this.stores = new StoreSearch(vertx, stores, config.storeTimeoutMs());
    this.ram = new RamSearches(vertx, config, shards, slabs, meters);
  }

  /**
   * A page of the answer.
   *
   * @return fails with a {@link Refusal}: {@code BUSY} if too many questions wait
   */
  public Future<Page> onQuery(HistoryQuery question) {
    ColdQuery query;
    Place place;
    try {
      place = Place.parse(question.next());
      query = query(question, place);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(new Refusal(Why.BAD_REQUEST, String.valueOf(e.getMessage())));
    }
    Future<Part> inRam = ram.run(query);
    Map<String, Future<Optional<Part>>> asked =
        stores.run(query, place.without(), place.key().isEmpty());
    List<Future<?>> all = new ArrayList<>(asked.values());
    all.add(inRam);
    PartMerge merge = new PartMerge(new Order(query.newestFirst()), query.limit(), MOST_BYTES);
    return Future.join(all).map(done -> page(merge, inRam.result(), asked, place.without()));
  }

  private static Page page(
      PartMerge merge, Part ram, Map<String, Future<Optional<Part>>> asked, Set<String> without) {
    Part merged = ram;
    Set<String> missing = new TreeSet<>(without);
    for (Map.Entry<String, Future<Optional<Part>>> one : asked.entrySet()) {
      Optional<Part> part = one.getValue().result();
      if (part.isPresent()) {
        merged = merge.of(merged, part.get());
      } else {
        missing.add(one.getKey());
      }
    }
    String next = merged.upTo().map(key -> new Place(missing, Optional.of(key)).text()).orElse("");
    return new Page(missing.isEmpty(), Position.none(0), next, merged.records(), missing);
  }

  private static ColdQuery query(HistoryQuery question, Place place) {
    return new ColdQuery(
        TopicFilter.parse(question.filter(), Integer.MAX_VALUE),
        question.fromUs(),
        question.toUs(),
        Math.max(1, Math.min(MOST_RECORDS, question.limit())),
        MOST_BYTES,
        question.newestFirst(),
        place.key());
  }

  /** Ends the threads. */
  @Override
  public void close() {
    ram.close();
  }
}
