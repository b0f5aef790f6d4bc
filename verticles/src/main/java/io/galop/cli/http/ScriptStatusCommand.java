package io.galop.cli.http;

import io.galop.cli.Terminal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code galop script status}: the scripts of a node. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows a node's scripts and the progress of their new versions.",
    footer = {"", "Exit code 1 if a script is suspended or the node does not answer."})
public final class ScriptStatusCommand implements Callable<Integer> {
  private final Terminal console;

  @Mixin private final ManagementPort management = new ManagementPort();

  @Option(names = "--json", description = "Print the node's answer instead of text.")
  private boolean json;

  public ScriptStatusCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<JsonObject> scripts = ScriptAnswers.read(management.http().get("/scripts"), management);
    if (json) {
      console.line(new JsonObject().put("scripts", new JsonArray(scripts)).encodePrettily());
    } else if (scripts.isEmpty()) {
      console.line("no scripts");
    } else {
      scripts.forEach(script -> console.line(ScriptAnswers.shown(script)));
    }
    return scripts.stream().anyMatch(script -> script.getLong("suspended") > 0) ? 1 : 0;
  }
}
