package io.galop.persist.inspect;

import io.galop.persist.log.stopped.StoppedLog.OnProgress;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code galop log}: looks at the Log of a node that is not running, and changes nothing. */
@Command(
    name = "log",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Inspects the Log of a stopped node, and changes nothing.",
    footer = {
      "",
      "It reaches no node elsewhere: run it on the machine where the data directory is, with the",
      "node stopped, or on a copy of the directory.",
      "",
      "  galop log inspect --data-dir ./data",
      "  galop log verify --data-dir ./data && echo sound",
      "  galop log export --data-dir ./data --filter 'race/#' > records.ndjson"
    })
public final class LogCommand implements Runnable {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  private LogCommand() {}

  /**
   * The command with its sub-commands.
   *
   * @param out for results
   * @param err for what is no result
   * @param progress where to show how far the reading is
   */
  public static CommandLine of(PrintStream out, PrintStream err, OnProgress progress) {
    return new CommandLine(new LogCommand())
        .addSubcommand(new InspectCommand(out, progress))
        .addSubcommand(new VerifyCommand(out, progress))
        .addSubcommand(new ExportCommand(out, err, progress));
  }

  /** Without the name of a sub-command. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command: inspect, verify or export?");
  }
}
