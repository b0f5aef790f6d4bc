package io.galop.cli.replay;

import io.galop.cli.input.LineReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins lines to CSV records. A quote that is never closed costs only its own line: the lines after
 * it, looked at in vain, are read again as records of their own.
 */
final class CsvLines {
  private static final int MAX_LINES_OF_RECORD = 1_000;

  /**
   * A record, or a line that is none.
   *
   * @param problem empty if {@code text} is a record
   */
  record Row(long line, String text, String problem) {}

  private final LineReader lines;
  private final Deque<Row> ahead = new ArrayDeque<>();

  /** What was looked at and is not taken yet; null if nothing is. */
  private @Nullable Row peeked;

  CsvLines(LineReader lines) {
    this.lines = lines;
  }

  /** The record that {@link #next} will give; null at the end. */
  @Nullable Row peek() throws IOException {
    if (peeked == null) {
      peeked = read();
    }
    return peeked;
  }

  /** The next record that is not an empty line; null at the end. */
  @Nullable Row next() throws IOException {
    Row row = peek();
    peeked = null;
    return row;
  }

  private @Nullable Row read() throws IOException {
    Row first = line();
    while (first != null && first.text.isEmpty() && first.problem.isEmpty()) {
      first = line();
    }
    return first == null || CsvRow.isClosed(first.text) ? first : joined(first);
  }

  private Row joined(Row first) throws IOException {
    List<Row> taken = new ArrayList<>();
    StringBuilder text = new StringBuilder(first.text);
    while (taken.size() < MAX_LINES_OF_RECORD) {
      Row more = line();
      if (more == null) {
        break;
      }
      taken.add(more);
      text.append('\n').append(more.text);
      if (!CsvRow.isClosed(more.text)) {
        return new Row(first.line, text.toString(), "");
      }
    }
    for (int i = taken.size() - 1; i >= 0; i--) {
      ahead.addFirst(taken.get(i));
    }
    return new Row(first.line, "", "has a double quote that is not closed");
  }

  /** Null at the end. */
  private @Nullable Row line() throws IOException {
    if (!ahead.isEmpty()) {
      return ahead.removeFirst();
    }
    byte[] line = lines.next();
    if (line == null) {
      return null;
    }
    if (lines.isCut()) {
      return new Row(lines.number(), "", "is longer than a record may be");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
      boolean hasMark = lines.number() == 1 && text.startsWith("\uFEFF");
      return new Row(lines.number(), hasMark ? text.substring(1) : text, "");
    } catch (CharacterCodingException e) {
      return new Row(lines.number(), "", "is not UTF-8");
    }
  }
}
