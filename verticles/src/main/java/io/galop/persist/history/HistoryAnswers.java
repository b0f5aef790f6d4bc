package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.HistoryConfig;
import io.galop.persist.cold.ColdPage;
import io.galop.persist.cold.ColdQuery;
import io.galop.persist.cold.ColdStore;
import io.galop.persist.ram.Slab;
import io.galop.record.Position;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Answers questions about what this node keeps: the RAM tier, searched on threads of its own, and
 * the cold store. What is evicted from the RAM tier before the cold store has it is in no answer
 * until it has.
 */
public final class HistoryAnswers implements AutoCloseable {
  private static final int MOST_RECORDS = 10_000;
  private static final int MOST_BYTES = 4 * 1024 * 1024;
  private static final int LONGEST_SEARCH_S = 30;

  private final IntFunction<Slab[]> slabs;
  private final int shards;
  private final Optional<ColdStore> cold;
  private final WorkerExecutor readers;
  private final AtomicInteger searches = new AtomicInteger();
  private final int mostSearches;

  /**
   * Answers from the event loop that calls.
   *
   * @param slabs the slabs of each shard, from any thread
   */
  public HistoryAnswers(
      Vertx vertx,
      HistoryConfig config,
      int shards,
      IntFunction<Slab[]> slabs,
      Optional<ColdStore> cold) {
    this.slabs = slabs;
    this.shards = shards;
    this.cold = cold;
    this.mostSearches = config.readers() + config.maxWaiting();
    this.readers =
        vertx.createSharedWorkerExecutor(
            "galop-history", config.readers(), LONGEST_SEARCH_S, TimeUnit.SECONDS);
  }

  /**
   * A page of the answer.
   *
   * @return fails with a {@link Refusal}: {@code BUSY} if too many questions wait
   */
  public Future<Page> onQuery(HistoryQuery question) {
    ColdQuery query;
    try {
      query = query(question);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(new Refusal(Why.BAD_REQUEST, e.getMessage()));
    }
    Future<Part> ram = searchRam(query);
    Future<Part> store = searchCold(query);
    Merge merge = new Merge(new Order(query.newestFirst()), query.limit(), MOST_BYTES);
    return Future.join(ram, store).map(both -> page(merge.of(ram.result(), store.result())));
  }

  private static ColdQuery query(HistoryQuery question) {
    return new ColdQuery(
        TopicFilter.parse(question.filter(), Integer.MAX_VALUE),
        question.fromUs(),
        question.toUs(),
        Math.max(1, Math.min(MOST_RECORDS, question.limit())),
        MOST_BYTES,
        question.newestFirst(),
        Order.parse(question.next()));
  }

  private static Page page(Part part) {
    String next = part.upTo().map(Order::text).orElse("");
    return new Page(true, Position.none(0), next, part.records());
  }

  private Future<Part> searchRam(ColdQuery query) {
    if (searches.incrementAndGet() > mostSearches) {
      searches.decrementAndGet();
      return Future.failedFuture(
          new Refusal(Why.BUSY, "persist.history.maxWaiting questions wait already"));
    }
    return readers
        .executeBlocking(() -> new RamSearch(query).run(places(query)), false)
        .onComplete(done -> searches.decrementAndGet());
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

  private Future<Part> searchCold(ColdQuery query) {
    return cold.map(store -> store.query(query).map(HistoryAnswers::part))
        .orElseGet(() -> Future.succeededFuture(new Part(List.of(), Optional.empty())));
  }

  private static Part part(ColdPage page) {
    return new Part(page.records(), page.next());
  }

  /** Ends the threads. */
  @Override
  public void close() {
    readers.close();
  }
}
