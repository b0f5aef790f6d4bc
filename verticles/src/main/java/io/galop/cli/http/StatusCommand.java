package io.galop.cli.http;

import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code galop status}: one screen of how a node is. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows the state of a node on one screen.",
    footer = {
      "",
      "Readiness and its reasons, members, listeners, records and their rates, the Log, the lag",
      "of stores and followers, browsers.",
      "",
      "Exit code 0 if the node is ready, 1 if it is not or does not answer. Counts begin at the",
      "node's start; rates cover --interval-ms.",
      "",
      "For a node elsewhere: --url http://HOST:9090, its management port (management.host must",
      "allow it); every node answers for itself."
    })
public final class StatusCommand implements Callable<Integer> {
  private final Terminal console;

  @Mixin private final ManagementPort management = new ManagementPort();

  @Option(
      names = "--interval-ms",
      paramLabel = "MS",
      defaultValue = "1000",
      description = "Interval of the rates; 0: no rates. Default: ${DEFAULT-VALUE}.")
  private long intervalMs;

  @Option(names = "--json", description = "Print the node's answer instead of a screen.")
  private boolean json;

  public StatusCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (intervalMs < 0) {
      throw CliFailure.usage("--interval-ms must not be below 0; it is " + intervalMs);
    }
    NodeHttp node = management.http();
    JsonObject before = ask(node);
    JsonObject now = before;
    if (!json && intervalMs > 0) {
      Thread.sleep(intervalMs);
      now = ask(node);
    }
    if (json) {
      console.line(now.encodePrettily());
    } else {
      new StatusScreen(before, now).lines().forEach(console::line);
    }
    return now.getBoolean("ready") ? 0 : CliFailure.FAILED;
  }

  private JsonObject ask(NodeHttp node) throws IOException, InterruptedException {
    try (InputStream body = node.get("/status")) {
      JsonObject status = new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      if (!status.containsKey("ready")) {
        throw management.isAnother();
      }
      return status;
    } catch (DecodeException e) {
      throw management.isAnother();
    }
  }
}
