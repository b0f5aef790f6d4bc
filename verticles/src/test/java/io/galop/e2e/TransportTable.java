package io.galop.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Transport × guarantee: one mark for each cell. */
final class TransportTable {
  private final List<Row> rows;
  private final Map<String, Map<Row, String>> columns = new LinkedHashMap<>();

  TransportTable(List<Row> rows) {
    this.rows = rows;
  }

  /** A column is done; {@code problems} has the rows that are not good. */
  void put(String guarantee, Map<Row, String> problems) {
    columns.put(guarantee, problems);
  }

  /** What is wrong with a cell; empty: nothing. */
  String problem(String guarantee, Row row) {
    return columns.get(guarantee).getOrDefault(row, "");
  }

  /** Prints it, and writes it to a file. */
  void print(Path file) throws IOException {
    StringBuilder text = new StringBuilder("%-28s".formatted("transport"));
    columns.keySet().forEach(column -> text.append("  ").append(column));
    for (Row row : rows) {
      text.append('\n').append("%-28s".formatted(row));
      columns.forEach(
          (column, problems) -> {
            String mark = problems.containsKey(row) ? "FAIL" : "ok";
            text.append("  ").append("%-".concat(column.length() + "s").formatted(mark));
          });
    }
    Files.writeString(file, text.append('\n'));
    System.out.println(text);
  }
}
