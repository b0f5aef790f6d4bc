package io.galop.loadtest.stalled;

import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.compare.LoadOptions;
import io.galop.loadtest.compare.NodeOptions;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stalled}. */
final class StalledOptions {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin final NodeOptions node = new NodeOptions();
  @Mixin final LoadOptions load = new LoadOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--transport",
      split = ",",
      defaultValue = "websocket,raw-websocket,xhr-streaming,xhr-polling,eventsource,htmlfile,jsonp",
      description =
          "The viewers' transports, with a node for each: ${COMPLETION-CANDIDATES}, without"
              + " socket.io. Default: ${DEFAULT-VALUE}.")
  List<ViewerTransport> transports;

  @Option(
      names = "--stalled",
      defaultValue = "1000",
      description = "Viewers that register and never read. Default: ${DEFAULT-VALUE}.")
  int stalled;

  @Option(
      names = "--settle-seconds",
      defaultValue = "15",
      description =
          "Time until the kernel's buffers are full and measuring begins. Default:"
              + " ${DEFAULT-VALUE}.")
  int settleSeconds;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds, each without and with the stalled viewers. Default: ${DEFAULT-VALUE}.")
  int rounds;

  @Option(
      names = "--max-growth-mb",
      defaultValue = "256",
      description =
          "Most growth of the node's resident memory: 256 KiB for each of 1,000 viewers. Default:"
              + " ${DEFAULT-VALUE}.")
  int maxGrowthMb;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "stalled.json",
      description = "File for the figures. Default: ${DEFAULT-VALUE}.")
  Path json;

  void check() {
    if (stalled < 1 || settleSeconds < 1 || rounds < 1 || maxGrowthMb < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--stalled, --settle-seconds, --rounds and --max-growth-mb are from 1 on");
    }
    if (transports.contains(ViewerTransport.SOCKET_IO)) {
      throw new ParameterException(spec.commandLine(), "Galop does not speak socket.io");
    }
  }
}
