package io.galop.cli.replay;

import io.galop.cli.input.EventTime;
import io.galop.cli.input.LineReader;
import io.galop.json.JsonString;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * CSV with a header row: the columns become the fields of the data, numbers as numbers, empty cells
 * left out. The event time is taken from the column that the user maps, else from one called {@code
 * timestamp} or {@code time}; it is no field of the data.
 */
final class CsvSource implements Source {
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9]\\d{0,17})(\\.\\d{1,40})?([eE][+-]?\\d{1,3})?");
  private static final List<String> USUAL_TIMES = List.of("timestamp", "time");

  private final LineReader lines;
  private final CsvLines records;
  private final int columnCount;
  private final int timeColumn;
  private final Map<String, Integer> fields = new LinkedHashMap<>();

  /**
   * Reads the header.
   *
   * @throws IllegalArgumentException if there is none, or a column that is wanted is not in it or
   *     more than once
   */
  CsvSource(LineReader lines, Columns columns) throws IOException {
    this.lines = lines;
    this.records = new CsvLines(lines);
    CsvLines.Row first = records.next();
    if (first == null || !first.problem().isEmpty()) {
      throw new IllegalArgumentException("the file does not begin with a header row");
    }
    List<String> header = CsvRow.split(first.text());
    columnCount = header.size();
    timeColumn =
        columns.time().isPresent()
            ? column(header, columns.time().get())
            : USUAL_TIMES.stream()
                .mapToInt(header::indexOf)
                .filter(i -> i >= 0)
                .findFirst()
                .orElse(-1);
    if (columns.fields().isEmpty()) {
      takeAll(header);
    } else {
      columns.fields().forEach((name, column) -> fields.put(name, column(header, column)));
    }
  }

  private void takeAll(List<String> header) {
    for (int i = 0; i < header.size(); i++) {
      if (i != timeColumn) {
        fields.put(header.get(i), header.get(i).isEmpty() ? i : column(header, header.get(i)));
      }
    }
  }

  private static int column(List<String> header, String name) {
    int index = header.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "the header has no column '" + name + "'; it has " + String.join(", ", header));
    }
    if (header.lastIndexOf(name) != index) {
      throw new IllegalArgumentException(
          "the header has the column '" + name + "' more than once; rename the others");
    }
    return index;
  }

  @Override
  public @Nullable Item next() throws IOException {
    CsvLines.Row row = records.next();
    if (row == null) {
      return null;
    }
    try {
      return row.problem().isEmpty() ? read(row) : new Malformed(row.line(), row.problem());
    } catch (IllegalArgumentException e) {
      return new Malformed(row.line(), ErrorText.of(e));
    }
  }

  private Entry read(CsvLines.Row row) {
    List<String> cells = CsvRow.split(row.text());
    if (cells.size() != columnCount) {
      throw new IllegalArgumentException(
          "has %d fields, the header has %d".formatted(cells.size(), columnCount));
    }
    long timeUs = timeColumn < 0 ? NO_TIME : EventTime.parseUs(cells.get(timeColumn));
    return new Entry(row.line(), timeUs, data(cells));
  }

  private byte[] data(List<String> cells) {
    List<String> members = new ArrayList<>(fields.size());
    fields.forEach(
        (name, column) -> {
          String cell = cells.get(column);
          if (!cell.isEmpty()) {
            String value = NUMBER.matcher(cell).matches() ? cell : JsonString.quoted(cell);
            members.add(JsonString.quoted(name) + ":" + value);
          }
        });
    return ("{" + String.join(",", members) + "}").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void skipTo(long line) throws IOException {
    CsvLines.Row row = records.peek();
    while (row != null && row.line() <= line) {
      records.next();
      row = records.peek();
    }
  }

  @Override
  public long offset() {
    return lines.offset();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
