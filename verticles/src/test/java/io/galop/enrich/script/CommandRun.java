package io.galop.enrich.script;

import io.galop.enrich.script.command.ScriptCommand;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/**
 * What {@code galop script …} did.
 *
 * @param failure what it threw, in words
 */
record CommandRun(int code, String out, String err, String failure) {
  static CommandRun of(String input, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    StringBuilder failure = new StringBuilder();
    CommandLine line =
        ScriptCommand.of(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            (filter, url, count, onLine) -> {});
    line.setExecutionExceptionHandler(
        (thrown, of, parsed) -> {
          failure.append(thrown.getMessage());
          return 1;
        });
    line.setParameterExceptionHandler(
        (thrown, given) -> {
          failure.append(thrown.getMessage());
          return 2;
        });
    int code = line.execute(args);
    return new CommandRun(
        code,
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8),
        failure.toString());
  }
}
