package io.galop.cli.replay;

import io.galop.cli.input.LineReader;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Records of which each is a line of its own. */
abstract class LinesSource implements Source {
  private final LineReader lines;

  LinesSource(LineReader lines) {
    this.lines = lines;
  }

  /**
   * The record in a line that is neither empty nor too long.
   *
   * @param number of the line in the file, from 1
   * @throws IllegalArgumentException saying what is wrong, as the rest of a sentence about the line
   */
  abstract Entry read(byte[] line, long number) throws IOException;

  @Override
  public final @Nullable Item next() throws IOException {
    byte[] line = lines.next();
    while (line != null && line.length == 0 && !lines.isCut()) {
      line = lines.next();
    }
    if (line == null) {
      return null;
    }
    if (lines.isCut()) {
      return new Malformed(lines.number(), "is longer than a record may be");
    }
    try {
      return read(line, lines.number());
    } catch (IllegalArgumentException e) {
      return new Malformed(lines.number(), ErrorText.of(e));
    }
  }

  @Override
  public final void skipTo(long line) throws IOException {
    while (lines.number() < line && lines.next() != null) {
      continue;
    }
  }

  @Override
  public final long offset() {
    return lines.offset();
  }

  @Override
  public final void close() throws IOException {
    lines.close();
  }
}
