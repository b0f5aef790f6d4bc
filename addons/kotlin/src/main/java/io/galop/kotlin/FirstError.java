package io.galop.kotlin;

import org.jetbrains.kotlin.cli.common.messages.CompilerMessageSeverity;
import org.jetbrains.kotlin.cli.common.messages.CompilerMessageSourceLocation;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jspecify.annotations.Nullable;

/** Keeps the first error that the compiler reports. */
final class FirstError implements MessageCollector {
  private final String file;
  private String said = "";

  FirstError(String file) {
    this.file = file;
  }

  /** One sentence with the line. */
  String said() {
    return said.isEmpty() ? "the compiler failed without saying why" : said;
  }

  @Override
  public void clear() {
    said = "";
  }

  @Override
  public boolean hasErrors() {
    return !said.isEmpty();
  }

  @Override
  public void report(
      CompilerMessageSeverity severity,
      String message,
      @Nullable CompilerMessageSourceLocation place) {
    if (severity.isError() && said.isEmpty()) {
      String first = message.lines().findFirst().orElse("");
      said = place == null ? first : first + " (" + file + ", line " + place.getLine() + ")";
    }
  }
}
