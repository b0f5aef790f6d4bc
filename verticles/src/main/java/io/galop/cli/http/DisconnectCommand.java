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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code galop disconnect}: sends a viewer away from all nodes. */
@Command(
    name = "disconnect",
    mixinStandardHelpOptions = true,
    description = "Ends a viewer's connections on all nodes and relays and revokes its tokens.",
    footer = {
      "",
      "Tokens of the subject that were issued before are refused from then on, also after a"
          + " restart.",
      "",
      "Exit code 0 if every node and relay has answered and saved that; otherwise 1, naming the",
      "others. Nodes and relays that were away learn of it when they are back. A relay tells"
          + " nobody:",
      "give the command to a node of the secure zone.",
      "",
      "For a node elsewhere: --url http://HOST:9090, its management port; any node tells the"
          + " others."
    })
public final class DisconnectCommand implements Callable<Integer> {
  private final Terminal console;

  @Mixin private final ManagementPort management = new ManagementPort();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--subject",
      paramLabel = "SUB",
      required = true,
      description = "The sub of the viewer's tokens.")
  private String subject;

  @Option(names = "--json", description = "Print the node's answer.")
  private boolean json;

  public DisconnectCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonObject answer = ask();
    JsonArray unanswered = answer.getJsonArray("unanswered");
    JsonArray unsaved = answer.getJsonArray("unsaved");
    if (json) {
      console.line(answer.encodePrettily());
    } else {
      console.line(
          "%s: %d connections ended; tokens from before %s are refused"
              .formatted(subject, answer.getInteger("ended"), answer.getString("before")));
      answer.getJsonArray("nodes").stream()
          .map(JsonObject.class::cast)
          .forEach(
              node ->
                  console.line(
                      "  %s: %d".formatted(node.getString("node"), node.getInteger("ended"))));
      answer.getJsonArray("relays", new JsonArray()).stream()
          .map(JsonObject.class::cast)
          .forEach(
              relay ->
                  console.line(
                      "  relay %s: %d"
                          .formatted(relay.getString("node"), relay.getInteger("ended"))));
      unanswered.stream()
          .map(JsonObject.class::cast)
          .forEach(
              node ->
                  console.line(
                      "  %s: NO ANSWER, %s"
                          .formatted(node.getString("node"), node.getString("why"))));
      unsaved.forEach(node -> console.line("  " + node + ": NOT SAVED; its log says why"));
    }
    return unanswered.isEmpty() && unsaved.isEmpty() ? 0 : CliFailure.FAILED;
  }

  private JsonObject ask() throws IOException, InterruptedException {
    String order = new JsonObject().put("subject", subject).encode();
    try (InputStream body = management.http().order("/viewers/disconnect", order)) {
      JsonObject answer = new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      if (!answer.containsKey("unanswered")) {
        throw answer.containsKey("error")
            ? CliFailure.failed("the node answers: " + answer.getString("error"))
            : management.isAnother();
      }
      return answer;
    } catch (DecodeException e) {
      throw management.isAnother();
    }
  }
}
