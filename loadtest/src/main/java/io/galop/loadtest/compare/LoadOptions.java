package io.galop.loadtest.compare;

import io.galop.loadtest.latency.Load;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How much load, and for how long. */
public final class LoadOptions {
  private static final int MOST_CONNECTIONS = 1_000_000;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--connections",
      defaultValue = "5000",
      description = "Viewers, over all nodes. Default: ${DEFAULT-VALUE}.")
  private int connections;

  @Option(
      names = "--rate",
      defaultValue = "10",
      description =
          "Messages a second, each to every viewer; 0.2 is one in 5 s. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--bytes",
      defaultValue = "290",
      description = "Bytes of a message's data. Default: ${DEFAULT-VALUE}.")
  private int bytes;

  @Option(
      names = "--topics",
      defaultValue = "1",
      description = "Topics, used in turn. Default: ${DEFAULT-VALUE}.")
  private int topics;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "Measured time of each run. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--warm-up-seconds",
      defaultValue = "60",
      description =
          "Time under the same load before that. A JVM or a JavaScript engine compiles rarely used"
              + " code for minutes. Default: ${DEFAULT-VALUE}.")
  private int warmUpSeconds;

  /** What was asked for, once it has been looked at. */
  public Load load() {
    within("--connections", connections, 1, MOST_CONNECTIONS);
    within("--bytes", bytes, 60, 1 << 20);
    within("--topics", topics, 1, 100_000);
    within("--seconds", seconds, 1, 86_400);
    within("--warm-up-seconds", warmUpSeconds, 0, 86_400);
    if (!(rate >= 0.01 && rate <= 100_000)) {
      throw wrong("--rate", "" + rate, "from 0.01 to 100000");
    }
    return new Load(connections, rate, seconds, warmUpSeconds, bytes, topics, 0);
  }

  private void within(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw wrong(option, "" + value, "from " + least + " to " + most);
    }
  }

  private ParameterException wrong(String option, String value, String rule) {
    return new ParameterException(
        spec.commandLine(), "%s is %s, but must be %s".formatted(option, value, rule));
  }
}
