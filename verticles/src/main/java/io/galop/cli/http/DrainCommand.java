package io.galop.cli.http;

import io.galop.cli.Terminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code galop drain}: sends the viewers of a node to others. */
@Command(
    name = "drain",
    mixinStandardHelpOptions = true,
    description = {
      "Sends the viewers of a node to other nodes, for as long as it runs.",
      "It goes on with all else; broadcast.drainWaitSeconds and broadcast.drainSeconds say how"
          + " fast."
    },
    footer = {"", "For a node elsewhere: --url http://HOST:9090, its management port."})
public final class DrainCommand implements Callable<Integer> {
  private final Terminal console;

  @Mixin private final ManagementPort management = new ManagementPort();

  public DrainCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    management.http().post("/drain", "{}", "").close();
    console.line("viewers are sent to other nodes");
    return 0;
  }
}
