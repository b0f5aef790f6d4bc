package io.galop.persist.explain;

import io.galop.node.AskedRecord;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.record.DerivedId;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Looks for records in a store, page by page: so many pages at most for each, and for so long at
 * most for all of a question. Called on an event loop, and answers there.
 */
final class StoreLook {
  static final int MOST_PAGES = 10;
  private static final int PAGE_RECORDS = 1_000;
  private static final int PAGE_BYTES = 1024 * 1024;

  /** Whoever asks waits for 5 s. */
  private static final long TIMEOUT_MS = 4_000;

  private final Loop loop;
  private final String name;
  private final Store store;
  private final long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);

  StoreLook(Loop loop, String name, Store store) {
    this.loop = loop;
    this.name = name;
    this.store = store;
  }

  /**
   * What was found.
   *
   * @param records in no order
   * @param isWhole whether all that there may be was looked at
   * @param reachedUs the event time down to which that is so; of use where it is not whole
   */
  record Result(List<Placed> records, boolean isWhole, long reachedUs) {}

  /** The record of a topic and an id, of which the event time is known. */
  Future<Result> holds(AskedRecord asked) {
    return look(asked.topic(), asked.timeUs(), asked.timeUs(), new Wanted(asked.id(), false));
  }

  /** The records of an id and those that were made of it, on its topic, the newest first. */
  Future<Result> find(String topic, String id, long fromUs, long toUs) {
    return look(topic, fromUs, toUs, new Wanted(id, true));
  }

  private record Wanted(String id, boolean isMadeOfItToo) {
    boolean is(Record record) {
      return isMadeOfItToo ? DerivedId.isOf(record.id(), id) : record.id().equals(id);
    }
  }

  private Future<Result> look(String topic, long fromUs, long toUs, Wanted wanted) {
    ColdQuery first =
        new ColdQuery(
            TopicFilter.parse(topic, Integer.MAX_VALUE),
            fromUs,
            toUs,
            PAGE_RECORDS,
            PAGE_BYTES,
            true,
            Optional.empty());
    return page(first, wanted, new ArrayList<>(), 1);
  }

  private Future<Result> page(ColdQuery query, Wanted wanted, List<Placed> found, int number) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    if (leftMs <= 0) {
      return Future.failedFuture(
          "the store " + name + " took too long for all of the question; ask for fewer records");
    }
    return loop.within(leftMs, "the answer of the store " + name, store.query(query))
        .compose(page -> next(query, wanted, found, number, page));
  }

  private Future<Result> next(
      ColdQuery query, Wanted wanted, List<Placed> found, int number, ColdPage page) {
    page.records().stream().filter(one -> wanted.is(one.record())).forEach(found::add);
    boolean isFound = !found.isEmpty() && !wanted.isMadeOfItToo();
    if (page.next().isEmpty() || isFound) {
      return Future.succeededFuture(new Result(found, true, query.fromUs()));
    }
    ColdKey upTo = page.next().get();
    if (number == MOST_PAGES) {
      return Future.succeededFuture(new Result(found, false, upTo.timeUs()));
    }
    return page(after(query, upTo), wanted, found, number + 1);
  }

  private static ColdQuery after(ColdQuery query, ColdKey upTo) {
    return new ColdQuery(
        query.filter(),
        query.fromUs(),
        query.toUs(),
        query.limit(),
        query.maxBytes(),
        query.newestFirst(),
        Optional.of(upTo));
  }
}
