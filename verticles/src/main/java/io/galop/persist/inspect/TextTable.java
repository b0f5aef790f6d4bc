package io.galop.persist.inspect;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Prints rows in columns: numbers to the right, texts to the left. */
final class TextTable {
  private final List<String[]> rows = new ArrayList<>();

  TextTable(String... titles) {
    rows.add(titles);
  }

  void row(String... cells) {
    rows.add(cells);
  }

  void print(PrintStream out) {
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.length; column++) {
        String format = (isNumeric(column) ? "%" : "%-") + width(column) + "s  ";
        line.append(format.formatted(row[column]));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row[column].length()).max().orElse(1);
  }

  private boolean isNumeric(int column) {
    return rows.stream().skip(1).allMatch(row -> row[column].matches("[\\d.]+"));
  }
}
