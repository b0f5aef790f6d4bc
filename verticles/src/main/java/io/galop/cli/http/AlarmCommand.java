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
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code galop alarm list|ack|shelve|unshelve}: what is wrong, and who has seen it. */
@Command(
    name = "alarm",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Lists, acknowledges and shelves alarms of all nodes.",
    footer = {
      "",
      "An alarm's id is RULE/TOPIC, as list shows it.",
      "",
      "Exit code 0 if all was done; 1 if something was refused or a node did not answer.",
      "",
      "For a node elsewhere: --url http://HOST:9090, its management port; any node answers for all."
    })
public final class AlarmCommand implements Runnable {
  private final Terminal console;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  public AlarmCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "list, ack, shelve or unshelve?");
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "A line for each rule with alarms, and one for each alarm.")
  int list(
      @Mixin ManagementPort management,
      @Option(
              names = "--state",
              paramLabel = "WORD",
              defaultValue = "",
              description = "unacknowledged, acknowledged, returned, shelved or suppressed.")
          String state,
      @Option(
              names = "--rule",
              paramLabel = "RULE",
              defaultValue = "",
              description = "Only of this rule.")
          String rule,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "100",
              description = "At most so many alarms. Default: ${DEFAULT-VALUE}.")
          int limit,
      @Option(names = "--json", description = "Print the answer instead.") boolean json)
      throws IOException, InterruptedException {
    String query = "?state=" + encoded(state) + "&rule=" + encoded(rule) + "&limit=" + limit;
    try (InputStream body = management.http().get("/alarms" + query)) {
      JsonObject answer = answer(management, body, "alarms");
      if (json) {
        console.line(answer.encodePrettily());
      } else {
        show(answer);
      }
      return outcome(answer);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private void show(JsonObject answer) {
    for (Object one : answer.getJsonArray("groups")) {
      JsonObject group = (JsonObject) one;
      console.line(
          "%-8s  %s: %d alarms, %d to be acknowledged"
              .formatted(
                  group.getString("severity"),
                  group.getString("rule"),
                  group.getInteger("count"),
                  group.getInteger("unacknowledged")));
    }
    for (Object one : answer.getJsonArray("alarms")) {
      JsonObject alarm = (JsonObject) one;
      String by = alarm.getString("by") == null ? "" : " by " + alarm.getString("by");
      String until =
          alarm.getLong("until") == null
              ? ""
              : " until " + Instant.ofEpochMilli(alarm.getLong("until"));
      console.line(
          "%s  %-8s  %s%s%s  %s  %s"
              .formatted(
                  Instant.ofEpochMilli(alarm.getLong("since")),
                  alarm.getString("severity"),
                  alarm.getString("state"),
                  by,
                  until,
                  alarm.getString("id"),
                  alarm.getString("text")));
    }
    if (answer.getInteger("left") > 0) {
      console.line("and %d more; see --limit and --rule".formatted(answer.getInteger("left")));
    } else if (answer.getJsonArray("alarms").isEmpty()) {
      console.line("no alarm stands");
    }
    unanswered(answer);
  }

  private void unanswered(JsonObject answer) {
    answer
        .getJsonArray("incomplete", new JsonArray())
        .forEach(node -> console.line("NO ANSWER from " + node + ", whose alarms are not counted"));
  }

  @Command(
      name = "ack",
      mixinStandardHelpOptions = true,
      description = "Says that somebody has seen alarms.")
  int acknowledge(
      @Mixin ManagementPort management,
      @Parameters(paramLabel = "ID", arity = "0..*", description = "RULE/TOPIC of an alarm.")
          List<String> ids,
      @Option(
              names = "--rule",
              paramLabel = "RULE",
              defaultValue = "",
              description = "All of this rule instead of ids.")
          String rule)
      throws IOException, InterruptedException {
    boolean hasIds = ids != null && !ids.isEmpty();
    if (hasIds != rule.isEmpty()) {
      throw CliFailure.usage("give ids, or --rule, and not both");
    }
    JsonObject order =
        hasIds
            ? new JsonObject().put("ids", new JsonArray(ids))
            : new JsonObject().put("rule", rule);
    return act(management, "acknowledge", order);
  }

  @Command(
      name = "shelve",
      mixinStandardHelpOptions = true,
      description = "Keeps alarms from calling for a while.")
  int shelve(
      @Mixin ManagementPort management,
      @Parameters(paramLabel = "ID", arity = "1..*", description = "RULE/TOPIC of an alarm.")
          List<String> ids,
      @Option(
              names = "--minutes",
              paramLabel = "N",
              required = true,
              description = "For so long, up to a week.")
          int minutes,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              defaultValue = "",
              description = "Why, for the record.")
          String reason)
      throws IOException, InterruptedException {
    return act(
        management,
        "shelve",
        new JsonObject()
            .put("ids", new JsonArray(ids))
            .put("minutes", minutes)
            .put("reason", reason));
  }

  @Command(
      name = "unshelve",
      mixinStandardHelpOptions = true,
      description = "Lets shelved alarms call again.")
  int unshelve(
      @Mixin ManagementPort management,
      @Parameters(paramLabel = "ID", arity = "1..*", description = "RULE/TOPIC of an alarm.")
          List<String> ids)
      throws IOException, InterruptedException {
    return act(management, "unshelve", new JsonObject().put("ids", new JsonArray(ids)));
  }

  private int act(ManagementPort management, String act, JsonObject order)
      throws IOException, InterruptedException {
    try (InputStream body = management.http().post("/alarms/" + act, order.encode(), "")) {
      JsonObject answer = answer(management, body, "changed");
      console.line("%d changed".formatted(answer.getInteger("changed")));
      for (Object one : answer.getJsonArray("refused")) {
        JsonObject refused = (JsonObject) one;
        console.line(
            "  %s: REFUSED, %s".formatted(refused.getString("id"), refused.getString("why")));
      }
      unanswered(answer);
      return outcome(answer);
    }
  }

  private static int outcome(JsonObject answer) {
    boolean isDone =
        answer.getJsonArray("refused", new JsonArray()).isEmpty()
            && answer.getJsonArray("incomplete", new JsonArray()).isEmpty();
    return isDone ? 0 : CliFailure.FAILED;
  }

  private static JsonObject answer(ManagementPort management, InputStream body, String field)
      throws IOException {
    try {
      JsonObject answer = new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      if (answer.containsKey(field)) {
        return answer;
      }
    } catch (DecodeException e) {
      // Said below.
    }
    throw management.isAnother();
  }
}
