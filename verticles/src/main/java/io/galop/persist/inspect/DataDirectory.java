package io.galop.persist.inspect;

import io.galop.persist.log.stopped.StoppedLog;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says whose Log is meant. */
final class DataDirectory {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "./data",
      description = "The node's data directory (node.dataDir). Default: ${DEFAULT-VALUE}.")
  private Path directory;

  /** Opens the Log; refuses while a node has it open. */
  StoppedLog log() throws IOException {
    return StoppedLog.open(directory.resolve("log"));
  }

  Path file(String name) {
    return directory.resolve(name);
  }
}
