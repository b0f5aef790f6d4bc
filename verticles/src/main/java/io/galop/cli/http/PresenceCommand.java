package io.galop.cli.http;

import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galop presence}: how many viewers watch a topic. */
@Command(
    name = "presence",
    mixinStandardHelpOptions = true,
    description = "Shows how many viewers watch a topic, or anything of a filter.",
    footer = {
      "",
      "A viewer counts once, however many of its registrations mean the topic. All nodes and relays",
      "are asked, whichever node is the one of --url; who does not answer is named.",
      "",
      "Exit code 0, 1 if somebody's viewers are not counted.",
      "",
      "For a node elsewhere: --url http://HOST:9090, its management port (management.host must",
      "allow it)."
    })
public final class PresenceCommand implements Callable<Integer> {
  private final Terminal console;

  @Mixin private final ManagementPort management = new ManagementPort();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(paramLabel = "TOPIC", description = "The topic, or a filter with + and #.")
  private String filter;

  @Option(names = "--json", description = "Print the node's answer instead.")
  private boolean json;

  public PresenceCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonObject answer = ask();
    if (json) {
      console.line(answer.encodePrettily());
    } else {
      show(answer);
    }
    return answer.getBoolean("partial") ? CliFailure.FAILED : 0;
  }

  private void show(JsonObject answer) {
    String atLeast = answer.getBoolean("partial") ? "at least " : "";
    long viewers = answer.getLong("viewers");
    console.line(filter + ": " + atLeast + viewers + (viewers == 1 ? " viewer" : " viewers"));
    for (Object one : answer.getJsonArray("parts", new JsonArray())) {
      JsonObject part = (JsonObject) one;
      console.line("  " + name(part) + ": " + part.getLong("viewers"));
    }
    for (Object one : answer.getJsonArray("missing", new JsonArray())) {
      JsonObject part = (JsonObject) one;
      console.line("NOT COUNTED " + name(part) + ": " + part.getString("why"));
    }
  }

  private static String name(JsonObject part) {
    String kind = part.containsKey("relay") ? "relay" : "node";
    return kind + " " + part.getString(kind);
  }

  private JsonObject ask() throws IOException, InterruptedException {
    String query = "?filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8);
    try (InputStream body = management.http().get("/presence" + query)) {
      JsonObject answer = new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      if (!answer.containsKey("viewers") || !answer.containsKey("partial")) {
        throw management.isAnother();
      }
      return answer;
    } catch (DecodeException e) {
      throw management.isAnother();
    }
  }
}
