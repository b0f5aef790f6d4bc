package io.galop.loadtest.ramp;

import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.compare.NodeOptions;
import io.galop.loadtest.compare.ServerName;
import io.galop.loadtest.latency.Load;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code ramp}. */
final class RampOptions {
  /** A process may have 20,000 files open; the load test has some besides its viewers. */
  private static final int MOST_VIEWERS = 19_500;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin final NodeOptions node = new NodeOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--server",
      defaultValue = "galop",
      description = "The server: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  ServerName server;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--transport",
      defaultValue = "websocket",
      description = "The viewers' transport: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  ViewerTransport transport;

  @Option(
      names = "--up",
      defaultValue = "1500",
      description = "Viewers to connect in each cycle. Default: ${DEFAULT-VALUE}.")
  int up;

  @Option(
      names = "--up-seconds",
      defaultValue = "25",
      description = "Time in which they connect. Default: ${DEFAULT-VALUE}.")
  double upSeconds;

  @Option(
      names = "--down",
      defaultValue = "500",
      description = "Viewers to disconnect after that. Default: ${DEFAULT-VALUE}.")
  int down;

  @Option(
      names = "--down-seconds",
      defaultValue = "25",
      description = "Time in which they disconnect. Default: ${DEFAULT-VALUE}.")
  double downSeconds;

  @Option(
      names = "--pause-seconds",
      defaultValue = "300",
      description = "Pause at the end of each cycle. Default: ${DEFAULT-VALUE}.")
  double pauseSeconds;

  @Option(
      names = "--cycles",
      defaultValue = "5",
      description = "Number of cycles. Default: ${DEFAULT-VALUE}.")
  int cycles;

  @Option(
      names = "--shorten",
      defaultValue = "1",
      description = "Divides all these times. Default: ${DEFAULT-VALUE}.")
  double shorten;

  @Option(
      names = "--rate",
      defaultValue = "2",
      description = "Messages a second, each to every viewer. Default: ${DEFAULT-VALUE}.")
  double rate;

  @Option(
      names = "--bytes",
      defaultValue = "290",
      description = "Bytes of a message's data. Default: ${DEFAULT-VALUE}.")
  int bytes;

  @Option(
      names = "--sample-ms",
      defaultValue = "1000",
      description =
          "Interval between samples of the server's processes and sockets. Default:"
              + " ${DEFAULT-VALUE}.")
  long sampleMs;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--directory",
      defaultValue = "ramp",
      description =
          "Directory of series.csv, series.json and ramp.json. Default: ${DEFAULT-VALUE}.")
  Path directory;

  /** Fails where values make no sense. */
  void check() {
    require(up >= 1 && down >= 0 && down <= up, "--down is from 0 to --up");
    require(cycles >= 1, "--cycles is from 1 on");
    require((cycles - 1L) * (up - down) + up <= MOST_VIEWERS, "more than 19500 viewers at a time");
    require(upSeconds >= 0 && downSeconds >= 0 && pauseSeconds >= 0, "no time is negative");
    require(shorten >= 1 && rate >= 0.01 && rate <= 100_000, "--shorten is from 1, --rate 0.01 on");
    require(bytes >= 60 && bytes <= 1 << 20, "--bytes is from 60 to 1048576");
    require(sampleMs >= 50, "--sample-ms is from 50 on");
    require(server.speaks(transport), server + " does not speak " + transport);
  }

  private void require(boolean isRight, String rule) {
    if (!isRight) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  Load load() {
    return new Load(up, rate, 1, 0, bytes, 1, 0);
  }
}
