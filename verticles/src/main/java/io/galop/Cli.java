package io.galop;

import io.galop.cli.CheckCommand;
import io.galop.cli.ConfigCheck;
import io.galop.cli.PlainFailures;
import io.galop.cli.Terminal;
import io.galop.cli.Version;
import io.galop.cli.http.NodeCommands;
import io.galop.cli.live.SubscribeCommand;
import io.galop.cli.publish.PublishCommand;
import io.galop.cli.replay.ReplayCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line: all commands but those that start a node, which their package adds. */
@Command(
    name = "galop",
    description = "Carries messages from the sensor to the screen.",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:failed", "2:wrong usage or configuration"},
    footer = {
      "",
      "'galop run' without configuration starts one node with all roles on this machine.",
      "'galop COMMAND --help' says how a command reaches another machine's node."
    })
public final class Cli implements Runnable {
  private static final int USAGE_WIDTH = 100;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  private Cli() {}

  /** A command without the name of one is a mistake, and is answered with what there is. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /**
   * Runs a command.
   *
   * @param args the arguments of the process
   * @param check what {@code check} looks at besides the configuration itself
   * @param more commands of others, objects with picocli's {@code @Command}
   * @return the exit code: 0 done, 1 failed, 2 wrong usage or configuration
   */
  public static int execute(String[] args, ConfigCheck check, Object... more) {
    return commandLine(Terminal.ofProcess(), check, more).execute(args);
  }

  public static CommandLine commandLine(Terminal console, ConfigCheck check, Object... more) {
    CommandLine line = new CommandLine(new Cli());
    for (Object command : more) {
      line.addSubcommand(command);
    }
    line.addSubcommand(new CheckCommand(console, check))
        .addSubcommand(new PublishCommand(console))
        .addSubcommand(new SubscribeCommand(console))
        .addSubcommand(new ReplayCommand(console));
    NodeCommands.addTo(line, console);
    PlainFailures failures = new PlainFailures(console);
    return line.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures)
        .setUsageHelpWidth(USAGE_WIDTH)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }
}
