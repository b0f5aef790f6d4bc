package io.galop.persist.history;

import io.galop.json.TextBytes;
import java.nio.charset.StandardCharsets;

/**
 * Lines of CSV as RFC 4180 has them. A cell is written as it is: a spreadsheet that takes one that
 * begins with '=' for a formula must be told not to.
 */
final class Csv4180 {
  private static final String END = "\r\n";

  private Csv4180() {}

  /** A cell, in quotes where it needs them. */
  static String cell(String text) {
    boolean isPlain = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      isPlain &= c != ',' && c != '"' && c != '\n' && c != '\r';
    }
    return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /** A line. */
  static void line(Iterable<String> cells, TextBytes to) {
    StringBuilder line = new StringBuilder();
    String between = "";
    for (String one : cells) {
      line.append(between).append(cell(one));
      between = ",";
    }
    to.add(line.append(END).toString().getBytes(StandardCharsets.UTF_8));
  }
}
