package io.galop;

import java.util.Map;
import picocli.CommandLine.Command;

/** {@code galop demo}: a node with a simulated race day. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Starts a node on this machine with a simulated race day and two sensors.",
    footer = {
      "",
      "Like 'run' with the simulation; --set ingest.simulation.recordsPerSecond=N sets its rate.",
      "Open the printed address in a browser."
    })
final class DemoCommand extends RunCommand {
  @Override
  Map<String, Object> overlay() {
    return Map.of("ingest.simulation.enabled", true);
  }
}
