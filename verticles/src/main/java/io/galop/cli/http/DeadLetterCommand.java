package io.galop.cli.http;

import io.galop.cli.BrowserPort;
import io.galop.cli.CliFailure;
import io.galop.cli.Console;
import io.galop.cli.DoorToken;
import io.galop.cli.ViewerToken;
import io.galop.cli.input.LineReader;
import io.galop.record.DeadLetterData;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code galop dead-letter}: the records that enrichment refused. */
@Command(
    name = "dead-letter",
    mixinStandardHelpOptions = true,
    description = "Lists the records that enrichment or a store refused, or sends them in again.",
    footer = {
      "",
      "To ask a node elsewhere: --url http://HOST:8080 (or https); a node whose door asks for a",
      "token needs it to take records in again: --token, or the variable GALOP_INGEST_TOKEN."
    })
public final class DeadLetterCommand implements Runnable {
  private static final int MAX_LINE_BYTES = 32 * 1024 * 1024;

  private final Console console;
  @Spec private CommandSpec spec;

  @Option(
      names = "--script",
      paramLabel = "NAME",
      defaultValue = "",
      scope = ScopeType.INHERIT,
      description = "Only those of this script, named without its ending, as in betfair.")
  private String script;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      scope = ScopeType.INHERIT,
      description = "At most so many, the oldest first. Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Mixin private BrowserPort port;

  @Mixin private DoorToken token;

  @Mixin private ViewerToken viewerToken;

  public DeadLetterCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "list or redrive?");
  }

  @Command(mixinStandardHelpOptions = true, description = "Prints them, one line of JSON each.")
  int list() throws IOException, InterruptedException {
    try (InputStream lines = stored()) {
      lines.transferTo(console.out());
    }
    console.out().flush();
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Sends the original records in again and prints how many are acknowledged.")
  int redrive() throws IOException, InterruptedException {
    List<String> again = latestAttempts().stream().map(DeadLetter::toLine).toList();
    Redrive redrive = new Redrive(new NodeHttp(port.url()), token.text(), console);
    redrive.send(again);
    console.line("acknowledged %d of %d".formatted(redrive.accepted(), again.size()));
    return redrive.accepted() == again.size() ? 0 : CliFailure.FAILED;
  }

  /** Of a record that failed several times only the last failure counts. */
  private Collection<DeadLetter> latestAttempts() throws IOException, InterruptedException {
    Map<String, DeadLetter> latest = new LinkedHashMap<>();
    try (LineReader lines = new LineReader(stored(), MAX_LINE_BYTES)) {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        DeadLetter letter = read(line, lines.number());
        latest.merge(letter.recordId(), letter, (a, b) -> a.attempt() >= b.attempt() ? a : b);
      }
    }
    return latest.values();
  }

  private InputStream stored() throws IOException, InterruptedException {
    String filter = DeadLetterData.ROOT + "/" + (script.isEmpty() ? "#" : "script/" + script);
    return new NodeHttp(port.url())
        .history(filter, Map.of("limit", Integer.toString(limit)), viewerToken.text());
  }

  private static DeadLetter read(byte[] line, long number) {
    try {
      return DeadLetter.parse(line);
    } catch (IllegalArgumentException e) {
      throw CliFailure.failed("dead letter %d %s".formatted(number, e.getMessage()));
    }
  }
}
