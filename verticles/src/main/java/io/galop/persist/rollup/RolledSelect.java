package io.galop.persist.rollup;

import io.galop.persist.fold.Cell;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Answers one question for rows, a stretch of whole buckets at a time: some of an hour, or one that
 * has several hours. A stretch has no more rows than {@link #MOST_ROWS}, unless one bucket has, so
 * that is what a question holds and, beyond its pages, costs. A page ends with a stretch.
 */
final class RolledSelect {
  /** Of a stretch. */
  private static final int MOST_ROWS = 20_000;

  /** Stretches that a page goes through at most. */
  private static final int MOST_STRETCHES = 2_000;

  private final Connection connection;
  private final OpenBlocks blocks;
  private final TopicNames names;
  private final ColdQuery query;
  private final long everyUs;
  private final List<String> fields;

  /**
   * Of a question.
   *
   * @param query its {@code after} counts by its time only
   */
  RolledSelect(
      Connection connection,
      OpenBlocks blocks,
      TopicNames names,
      ColdQuery query,
      long everyUs,
      List<String> fields) {
    this.connection = connection;
    this.blocks = blocks;
    this.names = names;
    this.query = query;
    this.everyUs = everyUs;
    this.fields = fields;
  }

  ColdPage run() throws SQLException {
    List<Placed> page = new ArrayList<>();
    Optional<ColdKey> after = query.after();
    for (int i = 0; i < MOST_STRETCHES && page.size() < query.limit(); i++) {
      Optional<Span> span = span(after);
      if (span.isEmpty()) {
        return new ColdPage(page, Optional.empty());
      }
      read(span.get(), page);
      after = Optional.of(behind(span.get()));
    }
    return new ColdPage(page, after);
  }

  /** A place behind all rows of a stretch and before all others. */
  private ColdKey behind(Span span) {
    return new ColdKey(query.newestFirst() ? span.beginUs() : span.endUs() - 1, "", "");
  }

  /** What is read next; empty behind the last row. */
  private Optional<Span> span(Optional<ColdKey> after) throws SQLException {
    boolean isBack = query.newestFirst();
    long edgeUs = isBack ? query.toUs() : query.fromUs();
    if (after.isPresent()) {
      long afterUs = after.get().timeUs();
      edgeUs = isBack ? Math.min(edgeUs, afterUs - 1) : Math.max(edgeUs, afterUs + 1);
    }
    OptionalLong found = nextHour(BlockKey.hour(edgeUs));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    long hourUs = found.getAsLong() * BlockKey.HOUR_US;
    long hourEndUs = hourUs + BlockKey.HOUR_US;
    long beginUs = bucket(isBack ? Math.min(edgeUs, hourEndUs - 1) : Math.max(edgeUs, hourUs));
    boolean isOver = isBack ? beginUs + everyUs <= query.fromUs() : beginUs > query.toUs();
    return isOver ? Optional.empty() : Optional.of(span(beginUs, found.getAsLong()));
  }

  private Span span(long beginUs, long hour) throws SQLException {
    if (everyUs >= BlockKey.HOUR_US) {
      return new Span(beginUs, beginUs + everyUs, everyUs);
    }
    long series = Math.max(1, blocks.count(hour) + stored().count(hour, fields));
    long lengthUs = Math.max(1, MOST_ROWS / series) * everyUs;
    long hourUs = hour * BlockKey.HOUR_US;
    return query.newestFirst()
        ? new Span(Math.max(hourUs, beginUs + everyUs - lengthUs), beginUs + everyUs, everyUs)
        : new Span(beginUs, Math.min(hourUs + BlockKey.HOUR_US, beginUs + lengthUs), everyUs);
  }

  private long bucket(long timeUs) {
    return Math.floorDiv(timeUs, everyUs) * everyUs;
  }

  private StoredBlocks stored() {
    return new StoredBlocks(connection, names);
  }

  private OptionalLong nextHour(long from) throws SQLException {
    boolean isBack = query.newestFirst();
    OptionalLong open = blocks.hour(from, isBack);
    OptionalLong stored = stored().hour(from, isBack);
    if (open.isEmpty() || stored.isEmpty()) {
      return open.isEmpty() ? stored : open;
    }
    long a = open.getAsLong();
    long b = stored.getAsLong();
    return OptionalLong.of(isBack ? Math.max(a, b) : Math.min(a, b));
  }

  private void read(Span span, List<Placed> page) throws SQLException {
    SpanRows rows = new SpanRows(span, fields.size(), query.fromUs(), query.toUs());
    for (long hour = BlockKey.hour(span.beginUs());
        hour <= BlockKey.hour(span.endUs() - 1);
        hour++) {
      for (int i = 0; i < fields.size(); i++) {
        read(hour, i, rows);
      }
    }
    rows.addTo(page, query.newestFirst());
  }

  /** Memory first: what is not there was in the file before, or is in it by now. */
  private void read(long hour, int field, SpanRows rows) throws SQLException {
    Map<BlockKey, Cell[]> open = blocks.of(hour, fields.get(field), query.filter());
    open.forEach((key, minutes) -> rows.add(key, field, minutes));
    stored()
        .of(
            hour,
            fields.get(field),
            query.filter(),
            (key, bytes) -> {
              if (!open.containsKey(key)) {
                rows.add(key, field, MinuteBlock.of(bytes).cells());
              }
            });
  }
}
