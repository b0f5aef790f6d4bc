package io.galop.cli.http;

import io.galop.cli.BrowserPort;
import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.galop.cli.ViewerToken;
import io.galop.cli.input.EventTime;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galop history}: stored records, or rows made of them, on standard output. */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description = "Prints stored records, or rows made of them, as one line of JSON each or CSV.",
    footer = {
      "",
      "For a node elsewhere: --url http://HOST:8080 (or https); any node of a cluster answers.",
      "",
      "  galop history 'race/#' --from 2026-11-20T12:00:00Z --limit 100 --order desc",
      "  galop history sensor/boiler --every 1m --fields celsius --agg min,max,avg --csv",
      "",
      "Rows of --every and records of --all come page by page, as many as there are."
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

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "One row per topic and bucket of this length, 1s to 1d.")
  private Optional<String> every = Optional.empty();

  @Option(
      names = "--points",
      paramLabel = "N",
      description = "So many points of each topic, chosen for a plot.")
  private Optional<Integer> points = Optional.empty();

  @Option(
      names = "--fields",
      paramLabel = "PATHS",
      description = "Fields of --every, --points or --csv, such as celsius,motor.rpm.")
  private Optional<String> fields = Optional.empty();

  @Option(
      names = "--agg",
      paramLabel = "NAMES",
      description = "Of --every, some of min,max,avg,last,count; all unless given.")
  private Optional<String> agg = Optional.empty();

  @Option(names = "--csv", description = "CSV with a line of names, instead of JSON.")
  private boolean csv;

  @Option(names = "--all", description = "All records, --limit at a time.")
  private boolean all;

  @Mixin private final BrowserPort port = new BrowserPort();

  @Mixin private final ViewerToken viewerToken = new ViewerToken();

  public HistoryCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (all && points.isPresent()) {
      throw CliFailure.usage("--points stands for all records: leave out --all");
    }
    if (all && csv && every.isEmpty()) {
      throw CliFailure.usage("--all prints records as JSON: leave out --csv, or give --every");
    }
    NodeHttp node = new NodeHttp(port.url(), port.tls());
    HistoryPages pages =
        new HistoryPages(console, csv, all && every.isEmpty(), limit.isEmpty() || all);
    Map<String, String> query = query();
    Optional<String> after = Optional.empty();
    do {
      after.ifPresent(last -> query.put("after", last));
      after = pages.print(node.history(filter, query, viewerToken.text(), pages.accept()));
      if (console.out().checkError()) {
        throw CliFailure.failed("standard output was closed");
      }
    } while (after.isPresent());
    return 0;
  }

  private Map<String, String> query() {
    Map<String, String> query = new LinkedHashMap<>();
    from.ifPresent(time -> query.put("from", micros("--from", time)));
    to.ifPresent(time -> query.put("to", micros("--to", time)));
    limit.ifPresent(most -> query.put("limit", most.toString()));
    order.ifPresent(by -> query.put("order", by == Order.DESC ? "desc" : "asc"));
    every.ifPresent(length -> query.put("every", length));
    points.ifPresent(number -> query.put("points", number.toString()));
    fields.ifPresent(paths -> query.put("fields", paths));
    agg.ifPresent(names -> query.put("agg", names));
    return query;
  }

  private static String micros(String option, String time) {
    try {
      return Long.toString(EventTime.parseUs(time));
    } catch (IllegalArgumentException e) {
      throw CliFailure.usage(option + ": " + e.getMessage());
    }
  }
}
