package io.galop.enrich;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads comma-separated values as RFC 4180 has them; a line may also end in a bare LF, and a byte
 * order mark is passed over. Every row has as many cells as the first.
 */
final class Csv {

  /** A row and the line that it begins on. */
  record Row(int line, List<String> cells) {}

  /** A text that is no table; the message begins with the line. */
  static final class BrokenTable extends StepFile.FaultyText {
    private static final long serialVersionUID = 1L;

    BrokenTable(int line, String rule) {
      super("line " + line, rule);
    }
  }

  private final String text;
  private int at;
  private int line = 1;

  private Csv(String text) {
    this.text = text;
    this.at = text.startsWith("\ufeff") ? 1 : 0;
  }

  /**
   * All rows, the header first.
   *
   * @throws BrokenTable where a rule is broken
   */
  static List<Row> read(String text) {
    Csv csv = new Csv(text);
    List<Row> rows = new ArrayList<>();
    while (csv.at < text.length()) {
      Row row = csv.row();
      if (!rows.isEmpty() && row.cells().size() != rows.get(0).cells().size()) {
        int wanted = rows.get(0).cells().size();
        throw new BrokenTable(
            row.line(), "has " + row.cells().size() + " cells, the first line has " + wanted);
      }
      rows.add(row);
    }
    return rows;
  }

  private Row row() {
    int begin = line;
    List<String> cells = new ArrayList<>();
    while (true) {
      cells.add(isAt('"') ? quotedCell() : plainCell());
      if (isAt(',')) {
        at++;
      } else {
        endLine();
        return new Row(begin, cells);
      }
    }
  }

  private boolean isAt(char c) {
    return at < text.length() && text.charAt(at) == c;
  }

  private void endLine() {
    if (isAt('\r')) {
      at++;
    }
    if (at < text.length() && !isAt('\n')) {
      throw new BrokenTable(line, "a comma or the end of the line must follow on a closing quote");
    }
    at++;
    line++;
  }

  private String plainCell() {
    int begin = at;
    while (at < text.length() && text.charAt(at) != ',' && !isLineEnd()) {
      if (text.charAt(at) == '"') {
        throw new BrokenTable(line, "a cell that holds a quote must stand in quotes, it doubled");
      }
      at++;
    }
    return text.substring(begin, at);
  }

  private boolean isLineEnd() {
    char c = text.charAt(at);
    return c == '\n' || c == '\r' && (at + 1 == text.length() || text.charAt(at + 1) == '\n');
  }

  private String quotedCell() {
    StringBuilder cell = new StringBuilder();
    int begin = line;
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        if (!isAt('"')) {
          return cell.toString();
        }
      }
      line += c == '\n' ? 1 : 0;
      cell.append(c);
    }
    throw new BrokenTable(begin, "a quote is opened and never closed");
  }
}
