package io.galop.cli.http;

import io.galop.cli.BrowserPort;
import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.galop.cli.ViewerToken;
import io.galop.cli.input.EventTime;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galop history}: stored records on standard output. */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description = "Prints stored records as one line of JSON each.",
    footer = {
      "",
      "For a node elsewhere: --url http://HOST:8080 (or https); any node of a cluster answers.",
      "",
      "  galop history 'race/#' --from 2026-11-20T12:00:00Z --limit 100 --order desc"
    })
public final class HistoryCommand implements Callable<Integer> {
  /** By event time. */
  enum Order {
    ASC,
    DESC
  }

  private final Terminal console;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "0",
      paramLabel = "FILTER",
      description = "Topics; '+' matches one level, '#' the rest.")
  private String filter;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "First event time: ISO 8601, or a number since the epoch.")
  private Optional<String> from = Optional.empty();

  @Option(names = "--to", paramLabel = "TIME", description = "Last event time.")
  private Optional<String> to = Optional.empty();

  @Option(names = "--limit", paramLabel = "N", description = "Most records to print.")
  private Optional<Integer> limit = Optional.empty();

  @Option(names = "--order", paramLabel = "ORDER", description = "asc or desc, by event time.")
  private Optional<Order> order = Optional.empty();

  @Mixin private final BrowserPort port = new BrowserPort();

  @Mixin private final ViewerToken viewerToken = new ViewerToken();

  public HistoryCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<String, String> query = new LinkedHashMap<>();
    from.ifPresent(time -> query.put("from", micros("--from", time)));
    to.ifPresent(time -> query.put("to", micros("--to", time)));
    limit.ifPresent(most -> query.put("limit", most.toString()));
    order.ifPresent(by -> query.put("order", by == Order.DESC ? "desc" : "asc"));
    NodeHttp node = new NodeHttp(port.url(), port.tls());
    try (InputStream lines = node.history(filter, query, viewerToken.text())) {
      lines.transferTo(console.out());
    }
    console.out().flush();
    return 0;
  }

  private static String micros(String option, String time) {
    try {
      return Long.toString(EventTime.parseUs(time));
    } catch (IllegalArgumentException e) {
      throw CliFailure.usage(option + ": " + e.getMessage());
    }
  }
}
