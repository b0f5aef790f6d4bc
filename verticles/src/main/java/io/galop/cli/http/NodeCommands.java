package io.galop.cli.http;

import io.galop.cli.Terminal;
import picocli.CommandLine;

/** The list of commands that ask a running node by HTTP. */
public final class NodeCommands {
  private NodeCommands() {}

  /**
   * Adds them in the order in which help shows them.
   *
   * @param console where they read and write
   */
  public static void addTo(CommandLine line, Terminal console) {
    line.addSubcommand(new HistoryCommand(console))
        .addSubcommand(new StatusCommand(console))
        .addSubcommand(new LedgerCommand(console))
        .addSubcommand(new HeadroomCommand(console))
        .addSubcommand(new ExplainCommand(console))
        .addSubcommand(new PresenceCommand(console))
        .addSubcommand(new DrillCommand(console))
        .addSubcommand(new AlarmCommand(console))
        .addSubcommand(new DrainCommand(console))
        .addSubcommand(new ApplyCommand(console))
        .addSubcommand(new DeadLetterCommand(console))
        .addSubcommand(new DisconnectCommand(console));
  }
}
