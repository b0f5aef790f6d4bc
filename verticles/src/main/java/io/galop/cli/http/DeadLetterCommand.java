package io.galop.cli.http;

import io.galop.cli.BrowserPort;
import io.galop.cli.CliFailure;
import io.galop.cli.DoorToken;
import io.galop.cli.Terminal;
import io.galop.cli.ViewerToken;
import io.galop.cli.input.LineReader;
import io.galop.letter.DeadLetterLine;
import io.galop.letter.LatestLetters;
import io.galop.record.DeadLetterData;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
    description = "Lists the records that enrichment or a store refused, or publishes them again.",
    footer = {
      "",
      "For a node elsewhere: --url http://HOST:8080 (or https). If its doors require a token,",
      "publishing needs --token, or the variable GALOP_INGEST_TOKEN."
    })
public final class DeadLetterCommand implements Runnable {
  private static final int MAX_LINE_BYTES = 32 * 1024 * 1024;
  private static final int MOST_AT_ONCE = 4096;

  private final Terminal console;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--script",
      paramLabel = "NAME",
      defaultValue = "",
      scope = ScopeType.INHERIT,
      description = "Only those of this script; its name without ending, as in betfair.")
  private String script;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      scope = ScopeType.INHERIT,
      description = "At most this many, the oldest first. Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Mixin private final BrowserPort port = new BrowserPort();

  @Mixin private final DoorToken token = new DoorToken();

  @Mixin private final ViewerToken viewerToken = new ViewerToken();

  public DeadLetterCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "list or redrive?");
  }

  @Command(mixinStandardHelpOptions = true, description = "Prints them as one line of JSON each.")
  int list() throws IOException, InterruptedException {
    HttpResponse<InputStream> stored = stored(Optional.empty());
    try (InputStream lines = stored.body()) {
      lines.transferTo(console.out());
    }
    console.out().flush();
    return isWhole(stored) ? 0 : CliFailure.FAILED;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Publishes the original records again and prints how many are acknowledged.")
  int redrive(
      @Option(
              names = "--file",
              paramLabel = "FILE",
              description = {
                "Reads a store's file dead-letters/NAME.ndjson",
                "in a node's data directory instead."
              })
          @Nullable Path file)
      throws IOException, InterruptedException {
    Redrive redrive = new Redrive(new NodeHttp(port.url(), port.tls()), token.text(), console);
    boolean isWhole = file == null ? fromNode(redrive) : fromFile(redrive, file);
    console.line("acknowledged %d of %d".formatted(redrive.accepted(), redrive.sent()));
    redrive.sayPassedOver();
    return isWhole && redrive.accepted() == redrive.sent() ? 0 : CliFailure.FAILED;
  }

  /** Letters that cannot be driven do not count for the limit: those behind them are read too. */
  private boolean fromNode(Redrive redrive) throws IOException, InterruptedException {
    boolean isWhole = true;
    int left = limit;
    LatestLetters latest = new LatestLetters();
    Optional<String> after = Optional.empty();
    do {
      HttpResponse<InputStream> page = stored(after);
      isWhole &= isWhole(page);
      int read = 0;
      after = Optional.empty();
      try (LineReader lines = new LineReader(page.body(), MAX_LINE_BYTES)) {
        for (byte[] line = lines.next(); line != null && left > 0; line = lines.next()) {
          left -= put(latest, parse(line, lines.number()), redrive) ? 1 : 0;
          after = ++read < limit ? Optional.empty() : Optional.of(after(line));
        }
      }
    } while (after.isPresent() && left > 0);
    redrive.send(latest.all());
    return isWhole;
  }

  private static String after(byte[] line) {
    return HistoryPages.after(new String(line, StandardCharsets.UTF_8));
  }

  private static DeadLetterLine parse(byte[] line, long number) {
    try {
      return DeadLetterLine.parse(line);
    } catch (IllegalArgumentException e) {
      throw CliFailure.failed("dead letter %d %s".formatted(number, e.getMessage()));
    }
  }

  private boolean isWhole(HttpResponse<InputStream> stored) {
    Optional<String> missing = stored.headers().firstValue(NodeHttp.INCOMPLETE);
    missing.ifPresent(
        names -> console.say("there may be more dead letters; no answer of " + names));
    return missing.isEmpty();
  }

  /** A kill may leave a part of a line, which is whole in a later one. */
  private boolean fromFile(Redrive redrive, Path file) throws IOException, InterruptedException {
    boolean isWhole = true;
    LatestLetters latest = new LatestLetters();
    try (LineReader lines = new LineReader(Files.newInputStream(file), MAX_LINE_BYTES)) {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        try {
          put(latest, DeadLetterLine.ofData(line), redrive);
        } catch (IllegalArgumentException e) {
          console.say("%s: line %d %s".formatted(file, lines.number(), e.getMessage()));
          isWhole = false;
        }
        if (latest.size() == MOST_AT_ONCE) {
          redrive.send(latest.all());
          latest.clear();
        }
      }
    }
    redrive.send(latest.all());
    return isWhole;
  }

  /** Whether it can be driven. */
  private static boolean put(LatestLetters latest, DeadLetterLine letter, Redrive redrive) {
    if (letter.isNoRecord()) {
      redrive.passOver();
      return false;
    }
    latest.add(letter);
    return true;
  }

  private HttpResponse<InputStream> stored(Optional<String> after)
      throws IOException, InterruptedException {
    String filter = DeadLetterData.ROOT + "/" + (script.isEmpty() ? "#" : "script/" + script);
    Map<String, String> query = new LinkedHashMap<>();
    query.put("limit", Integer.toString(limit));
    after.ifPresent(last -> query.put("after", last));
    return new NodeHttp(port.url(), port.tls()).history(filter, query, viewerToken.text());
  }
}
