package io.galop.persist.cassandra;

import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A page of an answer, made of the rows of many topics, each in order and each cut somewhere.
 * Nothing is taken behind the first of these cuts, since what else stands there is not known. Holds
 * at most twice what a page may have. For one thread.
 */
final class MergedRows {
  private final ColdQuery query;
  private final int limit;
  private final Comparator<ColdKey> order;
  private final List<Placed> found = new ArrayList<>();
  private long bytes;

  /** Up to here, inclusive, all that was asked for is known; empty: everywhere. */
  private Optional<ColdKey> end = Optional.empty();

  MergedRows(ColdQuery query, int limit) {
    this.query = query;
    this.limit = limit;
    this.order =
        query.newestFirst() ? Comparator.<ColdKey>reverseOrder() : Comparator.naturalOrder();
  }

  /** The first event time that is still of use. */
  long fromUs() {
    long fromUs = query.fromUs();
    return query.newestFirst()
        ? end.map(key -> Math.max(fromUs, key.timeUs())).orElse(fromUs)
        : query.after().map(key -> Math.max(fromUs, key.timeUs())).orElse(fromUs);
  }

  /** The last event time that is still of use. */
  long toUs() {
    long toUs = query.toUs();
    return query.newestFirst()
        ? query.after().map(key -> Math.min(toUs, key.timeUs())).orElse(toUs)
        : end.map(key -> Math.min(toUs, key.timeUs())).orElse(toUs);
  }

  /**
   * Takes rows of a topic.
   *
   * @param rows in the order of the answer, at least two unless they are whole
   * @param isWhole whether there are no more in what was asked for
   */
  void add(List<Placed> rows, boolean isWhole) {
    for (Placed placed : rows) {
      ColdKey key = key(placed);
      boolean isBefore = query.after().filter(after -> order.compare(key, after) <= 0).isPresent();
      if (!isBefore && !isBehindEnd(key)) {
        found.add(placed);
        bytes += placed.record().data().length;
      }
    }
    if (!isWhole) {
      endAt(key(rows.get(rows.size() - 1)));
    }
    if (found.size() >= 2L * limit || bytes >= 2L * query.maxBytes()) {
      cut();
    }
  }

  private static ColdKey key(Placed placed) {
    return ColdKey.of(placed.record());
  }

  private boolean isBehindEnd(ColdKey key) {
    return end.filter(last -> order.compare(key, last) > 0).isPresent();
  }

  private void endAt(ColdKey key) {
    if (end.isEmpty() || !isBehindEnd(key)) {
      end = Optional.of(key);
    }
  }

  /** Whether the page ends here, whatever later buckets hold. */
  boolean isFull() {
    cut();
    return end.isPresent();
  }

  private void cut() {
    found.removeIf(placed -> isBehindEnd(key(placed)));
    found.sort(Comparator.comparing(MergedRows::key, order));
    long kept = 0;
    int size = 0;
    while (size < Math.min(limit, found.size()) && (size == 0 || kept < query.maxBytes())) {
      kept += found.get(size).record().data().length;
      size++;
    }
    bytes = kept;
    if (size < found.size() || size == limit || size > 0 && kept >= query.maxBytes()) {
      found.subList(size, found.size()).clear();
      endAt(key(found.get(size - 1)));
    }
  }

  ColdPage page() {
    cut();
    return new ColdPage(found, end);
  }
}
