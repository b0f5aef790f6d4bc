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
      "The same as 'run', plus the simulation; --set ingest.simulation.recordsPerSecond=N sets its",
      "rate. Open the page that it names in a browser."
    })
final class DemoCommand extends RunCommand {
  @Override
  Map<String, Object> overlay() {
    return Map.of("ingest.simulation.enabled", true);
  }
}
