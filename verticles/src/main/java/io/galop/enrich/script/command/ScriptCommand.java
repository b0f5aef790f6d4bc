package io.galop.enrich.script.command;

import java.io.InputStream;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code galop script}: tries scripts out before a node runs them. */
@Command(
    name = "script",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Tests a script, and changes one while a node runs.",
    footer = {
      "",
      "test needs no node. try reads a file, standard input, or live records of a node:",
      "",
      "  galop script test kmh.js",
      "  galop history 'sensor/#' | galop script try kmh.js --from -",
      "  galop subscribe 'sensor/#' --url http://HOST:8080 | galop script try kmh.js --from -",
      "",
      "deploy and status ask a node at its management port: --url http://HOST:9090"
    })
public final class ScriptCommand implements Runnable {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  private ScriptCommand() {}

  /**
   * The command with its sub-commands.
   *
   * @param in what {@code --from -} reads
   * @param out for results
   * @param err for what is no result
   * @param live what {@code --from TOPIC} reads
   */
  public static CommandLine of(InputStream in, PrintStream out, PrintStream err, LiveSource live) {
    return new CommandLine(new ScriptCommand())
        .addSubcommand(new ScriptTestCommand(out))
        .addSubcommand(new ScriptTryCommand(in, out, err, live));
  }

  /** Without the name of a sub-command. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command: test, try, deploy or status?");
  }
}
