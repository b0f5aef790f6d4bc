package io.galop.persist.rollup;

import io.galop.persist.fold.Cell;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Answers one question for rows, a stretch of an hour at a time. Buckets of several hours have a
 * row for each of their hours; whoever asks adds them up. A stretch has no more rows than {@link
 * #MOST_ROWS}, unless one bucket has, so that is what a question holds and, beyond its pages,
 * costs. A page ends with a stretch.
 */
final class RolledSelect {
  /** Of a stretch, with one field each. */
  private static final int MOST_ROWS = 20_000;

  /** A page ends with the stretch that is read after so long: its asker does not wait for ever. */
  private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(300);

  private final StoredBlocks stored;
  private final OpenBlocks blocks;
  private final ColdQuery query;
  private final long everyUs;
  private final List<String> fields;

  /**
   * Of a question.
   *
   * @param query its {@code after} counts by its time only
   */
  RolledSelect(
      StoredBlocks stored, OpenBlocks blocks, ColdQuery query, long everyUs, List<String> fields) {
    this.stored = stored;
    this.blocks = blocks;
    this.query = query;
    this.everyUs = Math.min(everyUs, BlockKey.HOUR_US);
    this.fields = fields;
  }

  ColdPage run() throws SQLException {
    List<Placed> page = new ArrayList<>();
    Optional<ColdKey> after = query.after();
    long beginNs = System.nanoTime();
    while (page.size() < query.limit() && System.nanoTime() - beginNs < LONGEST_NS) {
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
    long lastUs = hourUs + BlockKey.HOUR_US - 1;
    boolean isOver = isBack ? lastUs < query.fromUs() : hourUs > query.toUs();
    long firstUs = isBack ? Math.min(edgeUs, lastUs) : Math.max(edgeUs, hourUs);
    return isOver ? Optional.empty() : Optional.of(span(bucket(firstUs), found.getAsLong()));
  }

  private Span span(long beginUs, long hour) {
    long series = Math.max(1L, Math.max(stored.topics(), blocks.count(hour, query.filter())));
    long lengthUs = Math.max(1, MOST_ROWS / fields.size() / series) * everyUs;
    long hourUs = hour * BlockKey.HOUR_US;
    return query.newestFirst()
        ? new Span(Math.max(hourUs, beginUs + everyUs - lengthUs), beginUs + everyUs, everyUs)
        : new Span(beginUs, Math.min(hourUs + BlockKey.HOUR_US, beginUs + lengthUs), everyUs);
  }

  private long bucket(long timeUs) {
    return Math.floorDiv(timeUs, everyUs) * everyUs;
  }

  private OptionalLong nextHour(long from) throws SQLException {
    boolean isBack = query.newestFirst();
    OptionalLong open = blocks.hour(from, isBack);
    OptionalLong inFile = stored.hour(from, isBack);
    if (open.isEmpty() || inFile.isEmpty()) {
      return open.isEmpty() ? inFile : open;
    }
    long a = open.getAsLong();
    long b = inFile.getAsLong();
    return OptionalLong.of(isBack ? Math.max(a, b) : Math.min(a, b));
  }

  private void read(Span span, List<Placed> page) throws SQLException {
    SpanRows rows = new SpanRows(span, fields.size(), query.fromUs(), query.toUs());
    for (int i = 0; i < fields.size(); i++) {
      read(BlockKey.hour(span.beginUs()), i, rows);
    }
    rows.addTo(page, query.newestFirst());
  }

  /** Memory first: what is not there was in the file before, or is in it by now. */
  private void read(long hour, int field, SpanRows rows) throws SQLException {
    Map<BlockKey, Cell[]> open = blocks.of(hour, fields.get(field), query.filter());
    open.forEach((key, minutes) -> rows.add(key, field, minutes));
    stored.of(
        hour,
        fields.get(field),
        (key, bytes) -> {
          if (!open.containsKey(key)) {
            rows.add(key, field, MinuteBlock.of(bytes).cells());
          }
        });
  }
}
