package io.galop.cli.http;

import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code galop drill}: sends a record the whole way, to see that it arrives. */
@Command(
    name = "drill",
    mixinStandardHelpOptions = true,
    description = "Sends a record the whole way to a node's own viewers, and says whether it came.",
    footer = {
      "",
      "It goes through the node's http door, the Log and every store, to a websocket and an event",
      "stream. It is on a topic of its own, $drill/NODE/…, which viewers do not see. Relays show it to",
      "viewers of their own, and say whether it came.",
      "",
      "Exit code 0, 1 if it did not arrive as it should.",
      "",
      "For a node elsewhere: --url http://HOST:9090, its management port."
    })
public final class DrillCommand implements Callable<Integer> {
  private final Terminal console;

  @Mixin private final ManagementPort management = new ManagementPort();

  @Option(
      names = "--fault",
      paramLabel = "FAULT",
      defaultValue = "none",
      description =
          "What goes wrong on purpose, and has to be found: none, doubled, lost, late, silent or"
              + " refused.")
  private String fault = "none";

  @Option(names = "--last", description = "Run none; show those that were, the last first.")
  private boolean isLast;

  @Option(names = "--json", description = "Print the node's answer instead.")
  private boolean json;

  public DrillCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!fault.matches("[a-z]+")) {
      throw CliFailure.usage("--fault must be none, doubled, lost, late, silent or refused");
    }
    JsonObject answer = ask();
    JsonArray drills = answer.getJsonArray("drills");
    int shown = isLast ? drills.size() : Math.min(1, drills.size());
    if (json) {
      console.line(answer.encodePrettily());
    } else if (drills.isEmpty()) {
      String off = answer.getString("off", "");
      console.line(off.isEmpty() ? "no drill was run yet" : "no drills: " + off);
    } else {
      for (int i = 0; i < shown; i++) {
        show(drills.getJsonObject(i));
      }
    }
    return drills.isEmpty() || drills.getJsonObject(0).getBoolean("passed") ? 0 : CliFailure.FAILED;
  }

  private void show(JsonObject drill) {
    String begin =
        "%s  drill %d  %s, %d ms"
            .formatted(
                drill.getString("time"),
                drill.getLong("drill"),
                drill.getBoolean("passed") ? "passed" : "FAILED",
                drill.getLong("tookMs"));
    String planted =
        drill.getString("fault").equals("none")
            ? ""
            : "; planted: %s, %s"
                    .formatted(
                        drill.getString("fault"),
                        drill.getBoolean("detected") ? "found" : "NOT FOUND")
                + inLedger(drill.getString("ledger", ""));
    String way =
        drill.getJsonArray("viewers").stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", ", "; door " + drill.getString("door") + " to ", ""));
    String relays =
        drill.getJsonArray("relays", new JsonArray()).stream()
            .map(JsonObject.class::cast)
            .map(relay -> relay.getString("relay") + " " + relay.getString("state"))
            .collect(Collectors.joining(", "));
    console.line(begin + planted + way + (relays.isEmpty() ? "" : "; relays: " + relays));
    for (Object each : drill.getJsonArray("failures")) {
      JsonObject failure = (JsonObject) each;
      console.line(
          "  %s: %s: %s"
              .formatted(
                  failure.getString("stage"),
                  failure.getString("why"),
                  failure.getString("meaning")));
    }
  }

  /** Of a dead letter, minutes later. */
  private static String inLedger(String word) {
    return switch (word) {
      case "counted" -> ", counted by the Ledger";
      case "missed" -> ", NOT COUNTED by the Ledger";
      case "awaited" -> ", not told by the Ledger yet";
      case "unknown" -> ", not known of the Ledger";
      default -> "";
    };
  }

  private JsonObject ask() throws IOException, InterruptedException {
    NodeHttp node = management.http();
    try (InputStream body =
        isLast ? node.get("/drills") : node.post("/drills?fault=" + fault, "{}", "")) {
      JsonObject answer = new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      if (!answer.containsKey("drills")) {
        throw management.isAnother();
      }
      return answer;
    } catch (DecodeException e) {
      throw management.isAnother();
    }
  }
}
