package io.galop.persist.rollup;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.bus.RolledQuery;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Answers questions for rows from this node's roll-ups, where it has any. From event loops. */
public final class RolledAnswers {
  private static final int MOST_ROWS = 5_000;
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private final Optional<Rollups> rollups;
  private final Counter rows;
  private final Counter refused;

  public RolledAnswers(Optional<Rollups> rollups, MeterRegistry meters) {
    this.rollups = rollups;
    this.rows =
        Counter.builder("galop.history.rolled.rows")
            .description("Rows of roll-ups that questions were answered with")
            .register(meters);
    this.refused =
        Counter.builder("galop.history.rolled.refused")
            .description("Questions for rows of roll-ups refused as too many waited")
            .register(meters);
  }

  /** From when on it can; see {@link Rollups#since}. */
  public Future<JsonObject> onSince(RolledQuery question) {
    return rollups
        .map(some -> some.since(filter(question.query()), question.fields()))
        .orElseGet(() -> Future.succeededFuture(new JsonObject().put("isMeant", false)));
  }

  /**
   * A page of rows, each in the form of a record.
   *
   * @return fails with a {@link Refusal}
   */
  public Future<Page> onQuery(RolledQuery question) {
    if (rollups.isEmpty()) {
      return Future.failedFuture(new Refusal(Why.NOT_READY, "this node has no roll-ups"));
    }
    ColdQuery query;
    try {
      query = query(question.query());
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(new Refusal(Why.BAD_REQUEST, String.valueOf(e.getMessage())));
    }
    return rollups
        .get()
        .rows(query, question.everyUs(), question.fields())
        .map(this::page)
        .onFailure(this::count);
  }

  private void count(Throwable failure) {
    if (failure instanceof Refusal refusal && refusal.why() == Why.BUSY) {
      refused.increment();
    }
  }

  private Page page(ColdPage page) {
    rows.increment(page.records().size());
    return new Page(
        true,
        Position.none(0),
        page.next().map(key -> Long.toString(key.timeUs())).orElse(""),
        page.records());
  }

  private static TopicFilter filter(HistoryQuery query) {
    return TopicFilter.parse(query.filter(), Integer.MAX_VALUE);
  }

  private static ColdQuery query(HistoryQuery query) {
    return new ColdQuery(
        filter(query),
        query.fromUs(),
        query.toUs(),
        Math.max(1, Math.min(MOST_ROWS, query.limit())),
        MOST_BYTES,
        query.newestFirst(),
        next(query.next()));
  }

  /** A page goes on behind a time. */
  private static Optional<ColdKey> next(String timeUs) {
    return timeUs.isEmpty()
        ? Optional.empty()
        : Optional.of(new ColdKey(Long.parseLong(timeUs), "", ""));
  }
}
