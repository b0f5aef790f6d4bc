package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.Member;
import io.galop.record.Placed;
import io.galop.record.RecordCodec;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** The answer of one node, page by page. Lives on one event loop. */
final class NodeAnswer {
  /** Parts of a page that was set aside, each fetched when the client has taken the one before. */
  static final int PARTS = 8;

  private static final int LEAST_RECORDS = 16;

  private final Function<HistoryQuery, Future<Page>> pages;
  private final Member member;
  private final HistoryQuery query;
  private List<Placed> records = List.of();
  private int at;
  private int received;
  private int repeated;
  private String next = "";

  /** The {@link #next} that the page began with. */
  private String begin = "";

  /** Records of the largest page: parts grow to that again. */
  private int wholePage;

  /** Most records of the next page. */
  private int pageRecords = Integer.MAX_VALUE;

  /** Whether the page that {@link #next} begins with was there already. */
  private boolean isSetAside;

  private Collection<String> missing = List.of();

  /**
   * Not asked yet.
   *
   * @param pages asks the node
   */
  NodeAnswer(Member member, HistoryQuery query, Function<HistoryQuery, Future<Page>> pages) {
    this.member = member;
    this.query = query;
    this.pages = pages;
  }

  Member member() {
    return member;
  }

  /** Gets the next page with a record, or the last one. */
  Future<Void> load() {
    if (!isSetAside && pageRecords < wholePage) { // the client has taken one without being behind
      pageRecords = Math.min(wholePage, 2 * pageRecords);
    }
    HistoryQuery rest =
        new HistoryQuery(
            query.filter(),
            query.fromUs(),
            query.toUs(),
            Math.min(pageRecords, query.limit() - (received - repeated)),
            query.newestFirst(),
            next);
    return pages.apply(rest).compose(this::take);
  }

  private Future<Void> take(Page page) {
    if (isSetAside && !missing.containsAll(page.missing())) {
      return Future.failedFuture(
          "of node " + member.name() + " the stores " + page.missing() + " do not answer any more");
    }
    isSetAside = false;
    begin = next;
    records = page.records();
    wholePage = Math.max(wholePage, records.size());
    missing = page.missing();
    at = 0;
    received += records.size();
    next = page.next();
    return records.isEmpty() && hasMore() ? load() : Future.succeededFuture();
  }

  /**
   * Lets go of the rest of the page. {@link #load} gets it again, in smaller parts and from where
   * it was read to.
   */
  void setAside() {
    pageRecords = Math.max(LEAST_RECORDS, wholePage / PARTS);
    if (hasRecord()) {
      received -= records.size() - at;
      isSetAside = true;
      next = at == 0 ? begin : behind(records.get(at - 1));
    }
    records = List.of();
    at = 0;
  }

  private String behind(Placed last) {
    return new Place(new TreeSet<>(missing), Optional.of(Order.key(last))).text();
  }

  /** Bytes of the page. */
  long bytes() {
    long bytes = 0;
    for (Placed placed : records) {
      bytes += RecordCodec.approximateBytes(placed.record());
    }
    return bytes;
  }

  /** Whether the page is the last one. */
  boolean isLast() {
    return !hasMore();
  }

  /** Names of the stores that the answer is without. */
  Collection<String> missing() {
    return missing;
  }

  /** Whether the next record is known. */
  boolean hasRecord() {
    return at < records.size();
  }

  /** Whether {@link #load} must come before it is known whether there is a next record. */
  boolean mustLoad() {
    return !hasRecord() && hasMore();
  }

  /** What was a repetition only does not count as asked for. */
  private boolean hasMore() {
    return (isSetAside || !next.isEmpty()) && received - repeated < query.limit();
  }

  Placed record() {
    return records.get(at);
  }

  /** The records of the page that was loaded last. */
  List<Placed> page() {
    return records;
  }

  /** Goes on behind a record that is in the answer already, or will be. */
  void repeat() {
    repeated++;
    at++;
  }

  void advance() {
    at++;
  }
}
