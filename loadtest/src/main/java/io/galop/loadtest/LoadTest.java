package io.galop.loadtest;

import io.galop.loadtest.chaos.ChaosCommand;
import io.galop.loadtest.client.ViewersCommand;
import io.galop.loadtest.compare.PeersCommand;
import io.galop.loadtest.experiments.lone.LoneCommand;
import io.galop.loadtest.experiments.notifier.BackEnd;
import io.galop.loadtest.experiments.notifier.PollingSessions;
import io.galop.loadtest.experiments.reads.AnswerServer;
import io.galop.loadtest.experiments.relays.RelaysCommand;
import io.galop.loadtest.experiments.state.StateServer;
import io.galop.loadtest.freeze.FreezeCommand;
import io.galop.loadtest.idle.IdleCommand;
import io.galop.loadtest.latency.LatencyCommand;
import io.galop.loadtest.peers.StockBridge;
import io.galop.loadtest.queries.QueriesCommand;
import io.galop.loadtest.ramp.RampCommand;
import io.galop.loadtest.report.CompareCommand;
import io.galop.loadtest.site.NullServer;
import io.galop.loadtest.soak.SoakCommand;
import io.galop.loadtest.stalled.StalledCommand;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures a running Galop from outside, and its peers in the same way. */
@Command(
    name = "galop-loadtest",
    mixinStandardHelpOptions = true,
    description = "Measures a running Galop over the wire, and its peers in the same run.",
    subcommands = {
      RunScenarioCommand.class,
      CompareCommand.class,
      PeersCommand.class,
      RampCommand.class,
      IdleCommand.class,
      FreezeCommand.class,
      StalledCommand.class,
      SoakCommand.class,
      ChaosCommand.class,
      LatencyCommand.class,
      LoneCommand.class,
      RelaysCommand.class,
      QueriesCommand.class,
      StockBridge.class,
      ViewersCommand.class,
      NullServer.class,
      StateServer.class,
      BackEnd.class,
      PollingSessions.class,
      AnswerServer.class
    })
public final class LoadTest implements Runnable {
  private static final int USAGE_WIDTH = 100;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  private LoadTest() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which scenario?");
  }

  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // reports are read by programs
    int exit =
        new CommandLine(new LoadTest())
            .setUsageHelpWidth(USAGE_WIDTH)
            .setExecutionExceptionHandler(
                (failure, line, parsed) -> {
                  System.err.println("galop-loadtest: " + inWords(failure));
                  return 1;
                })
            .execute(args);
    System.exit(exit);
  }

  private static String inWords(Throwable failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
