package io.galop.loadtest.experiments.relays;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code relays --kill}. */
final class KillOptions {
  @Option(
      names = "--kill",
      description =
          "With --levels, instead of measuring: kill one process of each level in turn, the leaves"
              + " first, and check that no viewer of a leaf lacks a record without a word.")
  boolean isWanted;

  @Option(
      names = "--rounds",
      defaultValue = "1",
      description = "With --kill: how often each level is killed. Default: ${DEFAULT-VALUE}.")
  int rounds;

  @Option(
      names = "--viewers",
      defaultValue = "2",
      description =
          "With --kill: viewers of each leaf. Those of odd number come back at the same leaf, the"
              + " others at the next. Default: ${DEFAULT-VALUE}.")
  int viewers;

  @Option(
      names = "--down-seconds",
      defaultValue = "5",
      description =
          "With --kill: time until a process is started again. Default: ${DEFAULT-VALUE}.")
  int downSeconds;

  @Option(
      names = "--heal-seconds",
      defaultValue = "60",
      description =
          "With --kill: time after that in which everything must work again. Default:"
              + " ${DEFAULT-VALUE}.")
  int healSeconds;

  @Option(
      names = "--logs",
      paramLabel = "DIR",
      description = "With --kill: directory for the logs of all processes.")
  @Nullable Path logs;

  /** What is wrong with them; empty if nothing is. */
  String wrong(boolean hasLevels) {
    if (!isWanted) {
      return "";
    } else if (!hasLevels) {
      return "--kill needs --levels";
    }
    boolean isRight = rounds >= 1 && viewers >= 1 && downSeconds >= 0 && healSeconds >= 1;
    return isRight
        ? ""
        : "--rounds, --viewers and --heal-seconds are from 1 on, --down-seconds from 0 on";
  }
}
