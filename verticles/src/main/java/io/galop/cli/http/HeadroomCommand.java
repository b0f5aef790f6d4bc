package io.galop.cli.http;

import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code galop headroom}: how much of each node is used, and what gives way first. */
@Command(
    name = "headroom",
    mixinStandardHelpOptions = true,
    description = "Shows how much of each node is used, and which stage gives way first.",
    footer = {
      "",
      "Of each node: how much is used, the next stage to give way and why, then every stage. When",
      "the Log grows towards its quota or the end of the disk, when that is.",
      "",
      "Exit code 0, 1 if a node does not answer.",
      "",
      "For a node elsewhere: --url http://HOST:9090, its management port (management.host must",
      "allow it); any node asks the others."
    })
public final class HeadroomCommand implements Callable<Integer> {
  private final Terminal console;

  @Mixin private final ManagementPort management = new ManagementPort();

  @Option(names = "--json", description = "Print the node's answer instead.")
  private boolean json;

  public HeadroomCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonObject answer = ask();
    JsonArray unanswered = answer.getJsonArray("unanswered", new JsonArray());
    if (json) {
      console.line(answer.encodePrettily());
    } else {
      answer.getJsonArray("nodes").forEach(node -> show((JsonObject) node));
      unanswered.forEach(node -> console.line("NO ANSWER from " + noAnswer((JsonObject) node)));
    }
    return unanswered.isEmpty() ? 0 : CliFailure.FAILED;
  }

  private void show(JsonObject node) {
    if (!node.containsKey("next")) {
      console.line(node.getString("node") + ": not known yet; ask again in two seconds");
      return;
    }
    console.line(node.getString("node") + ": " + words(node));
    console.line(
        node.getJsonArray("stages").stream()
            .map(JsonObject.class::cast)
            .map(one -> one.getString("stage") + " " + one.getInteger("utilisationPercent") + " %")
            .collect(Collectors.joining(", ", "  ", "")));
    Long seconds = node.getJsonObject("log", new JsonObject()).getLong("fullInSeconds");
    if (seconds != null) {
      console.line("  the Log is full in " + words(Duration.ofSeconds(seconds)));
    }
  }

  /** As in "61 % used; next: log (153 ms late)". */
  static String words(JsonObject headroom) {
    return "%d %% used; next: %s (%s)"
        .formatted(
            headroom.getInteger("utilisationPercent"),
            headroom.getString("next"),
            headroom.getString("reason"));
  }

  private static String words(Duration time) {
    return time.toDays() > 0
        ? "%d d %d h".formatted(time.toDays(), time.toHoursPart())
        : "%d:%02d:%02d".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  private static String noAnswer(JsonObject node) {
    return node.getString("node") + ": " + node.getString("why");
  }

  private JsonObject ask() throws IOException, InterruptedException {
    try (InputStream body = management.http().get("/headroom")) {
      JsonObject answer = new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      if (!answer.containsKey("nodes")) {
        throw management.isAnother();
      }
      return answer;
    } catch (DecodeException e) {
      throw management.isAnother();
    }
  }
}
