package io.galop.persist.history;

import io.galop.bus.HistoryLane;
import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.Member;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;

/** The answer of one node, page by page. Lives on one event loop. */
final class NodeAnswer {
  private final HistoryLane lane;
  private final Member member;
  private final HistoryQuery query;
  private final long storesMs;
  private List<Placed> records = List.of();
  private int at;
  private int received;
  private int repeated;
  private String next = "";
  private Collection<String> missing = List.of();

  /**
   * @param storesMs how long the node waits for its stores at most
   */
  NodeAnswer(HistoryLane lane, Member member, HistoryQuery query, long storesMs) {
    this.storesMs = storesMs;
    this.lane = lane;
    this.member = member;
    this.query = query;
  }

  Member member() {
    return member;
  }

  /** Gets the next page with a record, or the last one. */
  Future<Void> load() {
    HistoryQuery rest =
        new HistoryQuery(
            query.filter(),
            query.fromUs(),
            query.toUs(),
            query.limit() - (received - repeated),
            query.newestFirst(),
            next);
    return lane.query(member.id(), rest, storesMs).compose(this::take);
  }

  private Future<Void> take(Page page) {
    records = page.records();
    missing = page.missing();
    at = 0;
    received += records.size();
    next = page.next();
    return records.isEmpty() && hasMore() ? load() : Future.succeededFuture();
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
    return !next.isEmpty() && received - repeated < query.limit();
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
