package io.galop.persist.rollup;

import io.galop.persist.fold.Cell;
import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of a {@link Span}: of each topic and epoch, by bucket, the cells of its fields. */
final class SpanRows {
  private final Span span;
  private final int fields;
  private final long fromUs;
  private final long toUs;
  private final Map<Series, @Nullable Cell[][]> series = new HashMap<>();

  private record Series(String topic, long epoch) {}

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
        buckets[bucket][field].add(values);
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
    List<Map.Entry<Series, @Nullable Cell[][]>> inOrder =
        series.entrySet().stream()
            .sorted(
                (a, b) -> {
                  int order = order(a.getKey()).compareTo(order(b.getKey()));
                  return newestFirst ? -order : order;
                })
            .toList();
    for (int i = 0; i < span.buckets(); i++) {
      int bucket = newestFirst ? span.buckets() - 1 - i : i;
      long beginUs = span.beginUs() + bucket * span.everyUs();
      for (Map.Entry<Series, @Nullable Cell[][]> one : inOrder) {
        Cell[] cells = one.getValue()[bucket];
        if (cells != null) {
          page.add(RolledRow.of(beginUs, one.getKey().epoch(), one.getKey().topic(), cells));
        }
      }
    }
  }

  /** Of two rows of a bucket; see {@link RolledRow}. */
  private static ColdKey order(Series series) {
    return new ColdKey(0, RolledRow.id(series.epoch(), 0), series.topic());
  }
}
