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
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Answers questions about what this node keeps: the RAM tier, searched on threads of its own or, if
 * that is soon done, on the event loop that is asked, and the stores. What is evicted from the RAM
 * tier before a store has it is in no answer until it has. Safe to call from any event loop.
 */
public final class HistoryAnswers implements AutoCloseable {
  private static final int MOST_RECORDS = 10_000;
  private static final int MOST_BYTES = 4 * 1024 * 1024;
  private static final int LONGEST_SEARCH_S = 30;

  private final IntFunction<Slab[]> slabs;
  private final int shards;
  private final StoreSearch stores;
  private final WorkerExecutor readers;
  private final AtomicInteger searches = new AtomicInteger();
  private final int mostSearches;
  private final Counter refused;
  private final int loopBytes;
  private final Counter onLoop;
  private final Counter onThreads;

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
    this.slabs = slabs;
    this.shards = shards;
    this.stores = new StoreSearch(vertx, stores, config.storeTimeoutMs());
    this.mostSearches = config.readers() + config.maxWaiting();
    this.refused =
        Counter.builder("galop.history.refused")
            .description("Pages that were not searched for, since too many waited")
            .register(meters);
    Gauge.builder("galop.history.searches", searches, AtomicInteger::get)
        .description("Searches of the RAM tier that are under way or wait")
        .register(meters);
    this.loopBytes = config.loopBytes();
    this.onLoop = searched(meters, "loop");
    this.onThreads = searched(meters, "threads");
    this.readers =
        vertx.createSharedWorkerExecutor(
            "galop-history", config.readers(), LONGEST_SEARCH_S, TimeUnit.SECONDS);
  }

  private static Counter searched(MeterRegistry meters, String on) {
    return Counter.builder("galop.history.searched")
        .description("Searches of the RAM tier, by where they ran")
        .tag("on", on)
        .register(meters);
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
      return Future.failedFuture(new Refusal(Why.BAD_REQUEST, e.getMessage()));
    }
    Future<Part> ram = searchRam(query);
    Map<String, Future<Optional<Part>>> asked =
        stores.run(query, place.without(), place.key().isEmpty());
    List<Future<?>> all = new ArrayList<>(asked.values());
    all.add(ram);
    PartMerge merge = new PartMerge(new Order(query.newestFirst()), query.limit(), MOST_BYTES);
    return Future.join(all).map(done -> page(merge, ram.result(), asked, place.without()));
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

  private Future<Part> searchRam(ColdQuery query) {
    if (loopBytes > 0) {
      List<RamSearch.Place> places = places(query);
      if (bytes(places, query) <= loopBytes) {
        onLoop.increment();
        return Future.succeededFuture(new RamSearch(query).run(places));
      }
    }
    if (searches.incrementAndGet() > mostSearches) {
      searches.decrementAndGet();
      refused.increment();
      return Future.failedFuture(
          new Refusal(Why.BUSY, "persist.history.maxWaiting questions wait already"));
    }
    onThreads.increment();
    return readers
        .executeBlocking(() -> new RamSearch(query).run(places(query)), false)
        .onComplete(done -> searches.decrementAndGet());
  }

  /** What a search looks at; slabs of another time are passed over. */
  private static long bytes(List<RamSearch.Place> places, ColdQuery query) {
    long bytes = 0;
    for (RamSearch.Place place : places) {
      int published = place.slab().publishedBytes();
      bytes += place.slab().mayHold(query.fromUs(), query.toUs()) ? published : 0;
    }
    return bytes;
  }

  private List<RamSearch.Place> places(ColdQuery query) {
    TopicFilter filter = query.filter();
    List<RamSearch.Place> places = new ArrayList<>();
    int only = filter.isExact() ? Topic.shard(filter.toString(), shards) : -1;
    for (int shard = 0; shard < shards; shard++) {
      if (only < 0 || only == shard) {
        for (Slab slab : slabs.apply(shard)) {
          long firstUs = query.newestFirst() ? slab.newestUs() : slab.oldestUs();
          places.add(new RamSearch.Place(shard, slab, firstUs));
        }
      }
    }
    return places;
  }

  /** Ends the threads. */
  @Override
  public void close() {
    readers.close();
  }
}
