package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.json.JsonDecimals;
import io.galop.json.JsonString;
import io.galop.json.TextBytes;
import io.galop.persist.fold.Aggregate;
import io.galop.persist.fold.Cell;
import io.galop.persist.history.Form.Format;
import io.galop.persist.store.ColdKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Rows that were computed, as text: buckets by time and then topic, points by topic and then time.
 * Bounded by the limit of the question. On one thread at a time.
 */
final class RowText implements Fold.Rows {
  private static final int FIRST_BYTES = 16 * 1024;

  private final Format format;
  private final AnswerShape shape;
  private final HistoryQuery query;
  private final Optional<ColdKey> after;
  private final List<Aggregate> aggregates;
  private final long endUs;
  private final TextBytes text = new TextBytes(FIRST_BYTES);
  private int rows;
  private String last = "";

  /**
   * Begins with the names of columns, where there are such.
   *
   * @param nowUs a bucket that is not over yet is marked as a part
   */
  RowText(HistoryRequest request, long nowUs) {
    this.format = request.form().format();
    this.shape = request.shape();
    this.query = request.query();
    this.after = request.after();
    this.aggregates = shape.aggregates().stream().sorted().toList();
    this.endUs = Math.min(query.toUs(), nowUs);
    if (format == Format.CSV) {
      Csv4180.line(columns(), text);
    }
  }

  private List<String> columns() {
    List<String> names = new ArrayList<>(List.of("time", "topic"));
    if (shape.points() > 0) {
      names.addAll(shape.fields());
      return names;
    }
    names.add("part");
    for (String field : shape.fields()) {
      aggregates.forEach(one -> names.add(field + "." + one.text()));
    }
    return names;
  }

  /** Whether there are as many rows as wanted. */
  boolean isFull() {
    return rows == query.limit();
  }

  /** The last row as the {@code after} of the next question; empty if there is no row. */
  String last() {
    return last;
  }

  @Override
  public void on(long beginUs, SortedMap<String, Cell[]> topics) {
    boolean isPart = beginUs < query.fromUs() || beginUs > endUs - shape.everyUs() + 1;
    for (Map.Entry<String, Cell[]> topic : topics.entrySet()) {
      if (!isFull() && !isShown(beginUs, topic.getKey())) {
        bucket(beginUs, topic.getKey(), topic.getValue(), isPart);
        last = beginUs + ":" + topic.getKey();
      }
    }
  }

  private boolean isShown(long beginUs, String topic) {
    return after
        .filter(
            key ->
                key.timeUs() == beginUs
                    ? topic.compareTo(key.topic()) <= 0
                    : query.newestFirst() == beginUs > key.timeUs())
        .isPresent();
  }

  private void bucket(long beginUs, String topic, Cell[] cells, boolean isPart) {
    rows++;
    if (format == Format.CSV) {
      List<String> line = new ArrayList<>();
      line.add(Long.toString(beginUs));
      line.add(topic);
      line.add(Boolean.toString(isPart));
      for (Cell cell : cells) {
        aggregates.forEach(one -> line.add(cell.isEmpty() ? "" : number(cell.get(one))));
      }
      Csv4180.line(line, text);
    } else {
      StringBuilder data = new StringBuilder();
      for (int i = 0; i < cells.length; i++) {
        if (!cells[i].isEmpty()) {
          data.append(data.length() == 0 ? "" : ",");
          JsonString.quote(data, shape.fields().get(i)).append(':');
          append(cells[i], data);
        }
      }
      object(beginUs, topic, data, isPart);
    }
  }

  private void append(Cell cell, StringBuilder to) {
    char before = '{';
    for (Aggregate one : aggregates) {
      String number = number(cell.get(one));
      to.append(before).append('"').append(one.text()).append("\":");
      to.append(number.isEmpty() ? "null" : number);
      before = ',';
    }
    to.append('}');
  }

  /** Of a sum that no double holds there is no average. */
  private static String number(double value) {
    StringBuilder text = new StringBuilder();
    if (Double.isFinite(value)) {
      JsonDecimals.append(value, text);
    }
    return text.toString();
  }

  private void object(long timeUs, String topic, StringBuilder data, boolean isPart) {
    if (format == Format.JSON) {
      text.add(rows == 1 ? '[' : ',');
    }
    StringBuilder row = new StringBuilder("{\"topic\":");
    JsonString.quote(row, topic).append(",\"time\":").append(timeUs);
    row.append(",\"data\":{").append(data).append(isPart ? "},\"part\":true}" : "}}");
    text.add(row.toString().getBytes(StandardCharsets.UTF_8));
    if (format == Format.NDJSON) {
      text.add('\n');
    }
  }

  /** A point of a topic. */
  void point(String topic, long timeUs, double value) {
    rows++;
    if (format == Format.CSV) {
      Csv4180.line(List.of(Long.toString(timeUs), topic, number(value)), text);
    } else {
      StringBuilder data = JsonString.quote(new StringBuilder(), shape.fields().get(0));
      object(timeUs, topic, data.append(':').append(number(value)), false);
    }
  }

  /** The whole; nothing may follow. */
  byte[] end() {
    if (format == Format.JSON) {
      if (rows == 0) {
        text.add('[');
      }
      text.add(']');
    }
    return text.toBytes();
  }
}
