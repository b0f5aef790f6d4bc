package io.galop.cli.live;

import io.galop.cli.BrowserPort;
import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.galop.cli.ViewerToken;
import io.galop.jvm.ErrorText;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galop subscribe}: the live feed on standard output. */
@Command(
    name = "subscribe",
    mixinStandardHelpOptions = true,
    description = {
      "Prints each record of the topics as one line of JSON: topic, pos, id, time (µs), data.",
      "After a lost connection it resumes, and reports missing records."
    },
    footer = {
      "",
      "For a node elsewhere: --url http://HOST:8080 (or https).",
      "",
      "  galop subscribe 'race/#' 'plant/+/pump'"
    })
public final class SubscribeCommand implements Callable<Integer> {
  private static final int LONGEST_FILTER_BYTES = 4096;

  /** What a connection is sent that is behind. */
  enum Mode {
    EVERY,
    LATEST
  }

  private final Terminal console;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILTER",
      description = "Topics; '+' matches one level, '#' the rest.")
  private List<String> filters = new ArrayList<>();

  @Mixin private final BrowserPort port = new BrowserPort();

  @Mixin private final ViewerToken viewerToken = new ViewerToken();

  @Option(
      names = "--since",
      split = ",",
      paramLabel = "POS",
      description = "Begin after these positions, one per shard, as in 3.17-4711.")
  private List<String> since = new ArrayList<>();

  @Option(names = "--snapshot", description = "Print the last value of each topic first.")
  private boolean snapshot;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "every",
      description = "every, or latest: only the newest value per topic while behind.")
  private Mode mode;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "0",
      description = "End after this many records; 0, the default: never.")
  private long count;

  @Option(
      names = "--retry-seconds",
      paramLabel = "S",
      defaultValue = "60",
      description = "How long to retry a lost connection. Default: ${DEFAULT-VALUE}.")
  private long retrySeconds;

  public SubscribeCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<Position> positions;
    try {
      filters.forEach(filter -> TopicFilter.parse(filter, LONGEST_FILTER_BYTES));
      positions = since.stream().map(Position::parse).toList();
    } catch (IllegalArgumentException e) {
      throw CliFailure.usage(ErrorText.of(e));
    }
    var wishes = new Subscription.Wishes(snapshot, mode == Mode.LATEST ? "latest" : "");
    Subscription subscription =
        new Subscription(filters, positions, wishes, count, console::line, console);
    new SteadyFeed(
            port.tls().client(port.url()),
            port.url(),
            viewerToken.text(),
            subscription,
            retrySeconds,
            console)
        .run();
    return 0;
  }
}
