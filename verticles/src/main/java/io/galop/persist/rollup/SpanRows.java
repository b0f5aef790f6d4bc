package io.galop.persist.rollup;

import io.galop.persist.fold.Cell;
import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of a {@link Span}: of each topic and epoch, by bucket, the cells of its fields. */
final class SpanRows {
  /** Ids are in the order of epochs. */
  private static final String EPOCH = "%019d";

  private final Span span;
  private final int fields;
  private final long fromUs;
  private final long toUs;
  private final Map<Series, @Nullable Cell[][]> series = new HashMap<>();

  private record Series(String topic, long epoch) {}

  /** A series in its place among the rows of a bucket. */
  private record Line(ColdKey key, long epoch, @Nullable Cell[][] buckets) {}

  /**
   * Empty.
   *
   * @param fromUs minutes before do not count
   * @param toUs nor do those that begin behind
   */
  SpanRows(Span span, int fields, long fromUs, long toUs) {
    this.span = span;
    this.fields = fields;
    this.fromUs = Math.max(span.beginUs(), fromUs);
    this.toUs = Math.min(span.endUs() - 1, toUs);
  }

  /**
   * Adds the minutes of an hour.
   *
   * @param minutes of which some are null, and none is changed later
   */
  void add(BlockKey key, int field, @Nullable Cell[] minutes) {
    Cell[][] buckets =
        series.computeIfAbsent(
            new Series(key.topic(), key.epoch()), fresh -> new Cell[span.buckets()][]);
    for (int minute = 0; minute < minutes.length; minute++) {
      Cell values = minutes[minute];
      long timeUs = key.hour() * BlockKey.HOUR_US + minute * BlockKey.MINUTE_US;
      if (values != null && timeUs >= fromUs && timeUs <= toUs) {
        int bucket = span.bucket(timeUs);
        if (buckets[bucket] == null) {
          buckets[bucket] = cells();
        }
        buckets[bucket][field].add(values, false);
      }
    }
  }

  private Cell[] cells() {
    Cell[] cells = new Cell[fields];
    for (int i = 0; i < fields; i++) {
      cells[i] = new Cell();
    }
    return cells;
  }

  /** Adds all rows in their order: by time, then by epoch as text, then by topic. */
  void addTo(List<Placed> page, boolean newestFirst) {
    List<Line> lines = new ArrayList<>();
    series.forEach(
        (of, buckets) -> {
          ColdKey key = new ColdKey(0, EPOCH.formatted(of.epoch()), of.topic());
          lines.add(new Line(key, of.epoch(), buckets));
        });
    Comparator<Line> order = Comparator.comparing(Line::key);
    lines.sort(newestFirst ? order.reversed() : order);
    for (int i = 0; i < span.buckets(); i++) {
      int bucket = newestFirst ? span.buckets() - 1 - i : i;
      long beginUs = span.beginUs() + bucket * span.everyUs();
      for (Line line : lines) {
        Cell[] cells = line.buckets()[bucket];
        if (cells != null) {
          page.add(RolledRow.of(beginUs, line.epoch(), line.key().id(), line.key().topic(), cells));
        }
      }
    }
  }
}
