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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code galop ledger}: whether what came to each stage is what became of it, over all nodes. */
@Command(
    name = "ledger",
    mixinStandardHelpOptions = true,
    description = "Shows what came to each stage and what became of it, on all nodes together.",
    footer = {
      "",
      "A line for each of the last 10 minutes that are told, with --minute one for each stage of",
      "one minute. A residual is of records that were lost or doubled at a stage of a node.",
      "",
      "Exit code 0 if all that is shown balances, 1 if not or if a node does not answer.",
      "",
      "For a node elsewhere: --url http://HOST:9090, its management port (management.host must",
      "allow it); any node asks the others."
    })
public final class LedgerCommand implements Callable<Integer> {
  private static final int SHOWN = 10;

  private final Terminal console;

  @Mixin private final ManagementPort management = new ManagementPort();

  @Option(
      names = "--minute",
      paramLabel = "TIME",
      defaultValue = "",
      description = "Beginning of a minute of the last day, as 2026-11-24T14:03:00Z.")
  private String minute = "";

  @Option(names = "--json", description = "Print the node's answer instead.")
  private boolean json;

  public LedgerCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonObject answer = ask();
    JsonArray minutes = answer.getJsonArray("minutes");
    if (json) {
      console.line(answer.encodePrettily());
    } else if (minutes.isEmpty()) {
      console.line("no such minute has been told: one is when what it took has been answered");
    }
    long residual = 0;
    for (int i = minute.isEmpty() ? Math.max(0, minutes.size() - SHOWN) : 0;
        i < minutes.size();
        i++) {
      JsonObject one = minutes.getJsonObject(i);
      residual += one.getLong("residual");
      if (!json) {
        show(one);
      }
    }
    JsonArray unanswered = answer.getJsonArray("unanswered", new JsonArray());
    if (!json) {
      unanswered.forEach(node -> console.line("NO ANSWER from " + noAnswer((JsonObject) node)));
    }
    return residual == 0 && unanswered.isEmpty() ? 0 : CliFailure.FAILED;
  }

  private void show(JsonObject one) {
    String state = one.getBoolean("settled") ? "" : ", not settled: " + one.getString("why");
    console.line(
        "%s  residual %d%s".formatted(one.getString("minute"), one.getLong("residual"), state));
    JsonObject stages = one.getJsonObject("stages");
    if (!minute.isEmpty() || one.getLong("residual") > 0) {
      stages.forEach(stage -> console.line("  " + stage.getKey() + ": " + words(stage.getValue())));
    }
  }

  private static String noAnswer(JsonObject node) {
    return node.getString("node") + ": " + node.getString("why");
  }

  private static String words(Object stage) {
    JsonObject counts = (JsonObject) stage;
    return Stream.concat(
            counts.stream()
                .filter(count -> count.getValue() instanceof Number)
                .map(count -> count.getKey() + " " + count.getValue()),
            counts.getJsonArray("shards", new JsonArray()).stream()
                .map(shard -> residual((JsonObject) shard)))
        .collect(Collectors.joining(", "));
  }

  private static String residual(JsonObject shard) {
    return "%d %s by %s in shard %d"
        .formatted(
            shard.getLong("records"),
            shard.getString("direction"),
            shard.getString("node"),
            shard.getInteger("shard"));
  }

  private JsonObject ask() throws IOException, InterruptedException {
    String query =
        minute.isEmpty()
            ? "?limit=" + SHOWN
            : "?minute=" + URLEncoder.encode(minute, StandardCharsets.UTF_8);
    try (InputStream body = management.http().get("/ledger" + query)) {
      JsonObject answer = new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      if (!answer.containsKey("minutes")) {
        throw management.isAnother();
      }
      return answer;
    } catch (DecodeException e) {
      throw management.isAnother();
    }
  }
}
