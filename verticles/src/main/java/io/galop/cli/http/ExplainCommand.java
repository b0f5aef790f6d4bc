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

/** {@code galop explain}: where a record is, and how it came there. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Explains a record: where it came from, what became of it, who has it.",
    footer = {
      "",
      "Shows the record and those that steps made of it: Position, owner, door, when it was"
          + " placed,",
      "on disk and fed, the stores that have it, who watches its topic now. What nobody knows is",
      "shown as not known, and why.",
      "",
      "All nodes are asked, whichever is the one of --url. Without --topic only records that are",
      "still in memory are found.",
      "",
      "Exit code 0 if the record was found and all nodes answered, otherwise 1.",
      "",
      "For a node elsewhere: --url http://HOST:9090, its management port (management.host must",
      "allow it)."
    })
public final class ExplainCommand implements Callable<Integer> {
  private final Terminal console;

  @Mixin private final ManagementPort management = new ManagementPort();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(paramLabel = "ID", description = "The id of the record.")
  private String id;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      defaultValue = "",
      description = "The topic on which it came in; an id belongs to its topic.")
  private String topic = "";

  @Option(
      names = "--hours",
      paramLabel = "HOURS",
      defaultValue = "24",
      description =
          "How far back stores are searched if no node has the record in memory."
              + " Default: ${DEFAULT-VALUE}.")
  private int hours = 24;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "The most records of a page, up to 50. Default: ${DEFAULT-VALUE}.")
  private int limit = 10;

  @Option(
      names = "--next",
      paramLabel = "NEXT",
      defaultValue = "",
      description = "Where the next page begins, as the page before says.")
  private String next = "";

  @Option(names = "--json", description = "Print the node's answer instead.")
  private boolean json;

  public ExplainCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonObject answer = ask();
    if (json) {
      console.line(answer.encodePrettily());
    } else {
      ExplainText.lines(answer).forEach(console::line);
    }
    JsonArray records = answer.getJsonArray("records");
    boolean isKnown = !records.isEmpty() && answer.getJsonArray("unanswered").isEmpty();
    return isKnown ? 0 : CliFailure.FAILED;
  }

  private JsonObject ask() throws IOException, InterruptedException {
    String query =
        "?id=%s&topic=%s&hours=%d&limit=%d&next=%s"
            .formatted(encoded(id), encoded(topic), hours, limit, encoded(next));
    try (InputStream body = management.http().get("/explain" + query)) {
      JsonObject answer = new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      if (!answer.containsKey("records") || !answer.containsKey("unanswered")) {
        throw management.isAnother();
      }
      return answer;
    } catch (DecodeException e) {
      throw management.isAnother();
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
