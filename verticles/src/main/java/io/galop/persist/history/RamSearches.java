package io.galop.persist.history;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.persist.HistoryConfig;
import io.galop.persist.ram.Slab;
import io.galop.persist.store.ColdQuery;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Searches the RAM tier: on threads of its own or, if that is soon done, on the event loop that is
 * asked. So many may wait for the threads; more are refused. Safe to call from any event loop.
 */
final class RamSearches implements AutoCloseable {
  private static final int LONGEST_SEARCH_S = 30;

  private final IntFunction<Slab[]> slabs;
  private final int shards;
  private final WorkerExecutor readers;
  private final AtomicInteger searches = new AtomicInteger();
  private final int mostSearches;
  private final Counter refused;
  private final int loopBytes;
  private final Counter onLoop;
  private final Counter onThreads;

  RamSearches(
      Vertx vertx,
      HistoryConfig config,
      int shards,
      IntFunction<Slab[]> slabs,
      MeterRegistry meters) {
    this.slabs = slabs;
    this.shards = shards;
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

  /** Fails with a {@link Refusal}, {@code BUSY}, if too many wait. */
  Future<Part> run(ColdQuery query) {
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
