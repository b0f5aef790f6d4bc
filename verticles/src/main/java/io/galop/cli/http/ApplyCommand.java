package io.galop.cli.http;

import io.galop.cli.CliFailure;
import io.galop.cli.DoorToken;
import io.galop.cli.Terminal;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galop apply}: brings another configuration to a running node. */
@Command(
    name = "apply",
    mixinStandardHelpOptions = true,
    description = {
      "Brings a running node another configuration, as far as that needs no restart.",
      "Checks it first, and shows how it differs. Nothing is applied if it is wrong."
    },
    footer = {
      "",
      "Exit code 0 if all is applied, 1 if something takes a restart or failed, 2 if FILE is"
          + " wrong.",
      "The node keeps its environment variables and --set options. A restart reads its own file:",
      "change that one as well. SIGHUP makes a node read its own file again."
    })
public final class ApplyCommand implements Callable<Integer> {
  private final Terminal console;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "FILE", description = "A YAML configuration.")
  private Path file;

  @Option(names = "--dry-run", description = "Only show what would be applied.")
  private boolean isDryRun;

  @Mixin private final ManagementPort management = new ManagementPort();

  @Mixin private final DoorToken token = new DoorToken();

  public ApplyCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!Files.isRegularFile(file)) {
      throw CliFailure.usage("FILE must be a configuration; there is no file " + file);
    }
    JsonObject body =
        new JsonObject()
            .put("yaml", Files.readString(file))
            .put("name", String.valueOf(file.getFileName()))
            .put("dryRun", isDryRun);
    JsonObject answer = read(management.http().post("/config", body.encode(), token.text()));
    JsonArray applied = answer.getJsonArray("applied");
    JsonArray refused = answer.getJsonArray("refused");
    show(isDryRun ? "would be applied" : "applied", applied);
    show("takes a restart", refused);
    JsonArray again = answer.getJsonArray("again", new JsonArray());
    if (!again.isEmpty()) {
      console.line(
          "%s again, since an earlier change was taken in part: %s"
              .formatted(
                  isDryRun ? "would be applied" : "applied",
                  again.stream().map(String::valueOf).collect(Collectors.joining(", "))));
    }
    if (applied.isEmpty() && refused.isEmpty() && again.isEmpty()) {
      console.line("the node has this configuration already");
    }
    return refused.isEmpty() ? 0 : CliFailure.FAILED;
  }

  private void show(String what, JsonArray differences) {
    for (int i = 0; i < differences.size(); i++) {
      JsonObject each = differences.getJsonObject(i);
      console.line(
          "%s: %s: %s -> %s"
              .formatted(
                  what, each.getString("path"), each.getString("from"), each.getString("to")));
    }
  }

  private JsonObject read(InputStream body) throws IOException {
    try (body) {
      return new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
    } catch (DecodeException e) {
      throw management.isAnother();
    }
  }
}
