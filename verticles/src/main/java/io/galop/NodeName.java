package io.galop;

import io.galop.config.NodeConfig;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** What a node is called: as configured, else a random name kept in the data directory. */
final class NodeName {
  private static final String FILE = "node-name";

  private NodeName() {}

  /**
   * The node's name; makes the data directory if it is not there.
   *
   * @throws ConfigException if the data directory cannot be used
   */
  static String of(NodeConfig config) {
    Path directory = Path.of(config.dataDir());
    try {
      Files.createDirectories(directory);
      return config.name().isEmpty() ? kept(directory.resolve(FILE)) : config.name();
    } catch (IOException e) {
      throw new ConfigException(
          List.of("node.dataDir: cannot use %s: %s".formatted(directory.toAbsolutePath(), e)));
    }
  }

  private static String kept(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.writeString(file, "node-" + UUID.randomUUID().toString().substring(0, 8) + "\n");
    }
    return Files.readString(file).strip();
  }
}
