package io.galop;

import io.galop.cli.NativeText;
import io.galop.config.FileFault;
import io.galop.config.GalopConfig;
import io.galop.config.NodeConfig;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What a node is called: as configured, else a random name kept in the data directory. */
final class NodeName {
  private static final String IS_FILE = "it is a file; name a directory";
  private static final String FILE = "node-name";

  private NodeName() {}

  /**
   * The node's name; makes the data directory if it is not there.
   *
   * @throws ConfigException if the data directory cannot be used, or the file in it holds no name
   */
  static String of(NodeConfig config) {
    Path directory = Path.of(config.dataDir());
    try {
      Files.createDirectories(directory);
      return config.name().isEmpty() ? kept(directory.resolve(FILE)) : config.name();
    } catch (IOException e) {
      throw new ConfigException(
          List.of(unusable(directory, Files.isRegularFile(directory) ? IS_FILE : FileFault.of(e))));
    }
  }

  private static String unusable(Path directory, String why) {
    return "node.dataDir: cannot use %s: %s".formatted(directory.toAbsolutePath(), why);
  }

  /** What is wrong with the directory's name; a sentence that begins with its key. */
  static List<String> problems(GalopConfig config) {
    try {
      Path directory = Path.of(config.node().dataDir());
      return Files.isRegularFile(directory) ? List.of(unusable(directory, IS_FILE)) : List.of();
    } catch (InvalidPathException e) {
      return List.of("node.dataDir: " + NativeText.ofProcess().problem(e));
    }
  }

  /** A disk that was full, or a power cut, may have left an empty file, which is no name. */
  private static String kept(Path file) throws IOException {
    String name = Files.exists(file) ? read(file).strip() : "";
    if (name.isEmpty()) {
      name = "node-" + UUID.randomUUID().toString().substring(0, 8);
      Path whole = file.resolveSibling(FILE + ".tmp");
      Files.writeString(whole, name + "\n");
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }
    Optional<String> rule = NodeConfig.nameRule(name);
    if (rule.isPresent()) {
      throw new ConfigException(
          List.of(
              "node.name: what %s holds %s; write the name that this node had into it"
                  .formatted(file.toAbsolutePath(), rule.get())));
    }
    return name;
  }

  /** What is no UTF-8 has another character there, which no name may have. */
  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
