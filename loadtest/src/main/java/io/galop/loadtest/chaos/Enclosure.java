package io.galop.loadtest.chaos;

import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces of the command's own for processes, network and mounts. The command starts itself
 * again inside: when that process ends, however it ends, the kernel ends all that it has started
 * and takes bridges and mounts away.
 */
final class Enclosure {
  private static final String DIRECTORY = "galop.chaos.directory";
  private static final String COMMAND = "chaos";

  private Enclosure() {}

  /** Where a run inside keeps its files; null outside. */
  static @Nullable Path directory() {
    String directory = System.getProperty(DIRECTORY);
    return directory == null ? null : Path.of(directory);
  }

  /** Runs the same command with these options inside and returns how it ended. */
  static int run(List<String> arguments) throws IOException, InterruptedException {
    Path directory = Leavings.directory();
    // The server of MariaDB runs as another user, who has to get there.
    directory.toFile().setExecutable(true, false);
    List<String> command = new ArrayList<>(unshare());
    List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    flags.add("-XX:-UsePerfData");
    flags.add("-D" + DIRECTORY + "=" + directory);
    command.addAll(Launch.ownCommand(flags, COMMAND, arguments));
    int exit = Launch.runAttached(command).waitFor();
    Leavings.delete(directory);
    return exit;
  }

  /** Why it cannot be had here; empty if it can. */
  static String lacks() {
    List<String> command = new ArrayList<>(unshare());
    command.add("true");
    try {
      Shell.run(command);
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static List<String> unshare() {
    List<String> command = new ArrayList<>(List.of("unshare"));
    if (!System.getProperty("user.name").equals("root")) {
      command.add("--map-root-user");
    }
    command.addAll(List.of("--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"));
    return command;
  }
}
