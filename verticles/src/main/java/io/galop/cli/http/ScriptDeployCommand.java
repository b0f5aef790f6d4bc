package io.galop.cli.http;

import io.galop.cli.CliFailure;
import io.galop.cli.DoorToken;
import io.galop.cli.Terminal;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galop script deploy}: hands a new version of a script to a node. */
@Command(
    name = "deploy",
    mixinStandardHelpOptions = true,
    description = {
      "Sends a new version of a script, with its cases, to a running node.",
      "The node loads it, runs its cases, tries it beside the live version for a while, and",
      "switches if it does no worse; no record is lost or enriched twice."
    },
    footer = {
      "",
      "Exit code 0 if it is live now, 1 if it was refused or rolled back, with the reason.",
      "Each node of a cluster needs its own deployment."
    })
public final class ScriptDeployCommand implements Callable<Integer> {
  private static final long LOOK_MS = 200;

  private final Terminal console;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The script; the node's chain must have one of that name.")
  private Path file;

  @Mixin private final ManagementPort management = new ManagementPort();

  @Mixin private final DoorToken token = new DoorToken();

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description =
          "The script's name in the chain, if several files have the same: --as rules/kmh.js.")
  private @Nullable String as;

  @Option(names = "--no-wait", description = "Do not wait for the decision.")
  private boolean noWait;

  public ScriptDeployCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!Files.isRegularFile(file)) {
      throw CliFailure.usage("FILE must be a script; there is no file " + file);
    }
    NodeHttp node = management.http();
    List<JsonObject> scripts =
        named(ScriptAnswers.read(node.post("/scripts", body().encode(), token.text()), management));
    while (!noWait && !scripts.stream().allMatch(ScriptDeployCommand::isDecided)) {
      Thread.sleep(LOOK_MS);
      scripts = named(ScriptAnswers.read(node.get("/scripts"), management));
    }
    for (JsonObject script : scripts) {
      console.line(
          script.getString("file")
              + ": "
              + ScriptAnswers.shownCandidate(ScriptAnswers.candidate(script)));
    }
    return scripts.stream().allMatch(this::isWell) ? 0 : CliFailure.FAILED;
  }

  private JsonObject body() throws IOException {
    JsonObject body = new JsonObject().put("file", target()).put("source", Files.readString(file));
    int dot = name().lastIndexOf('.');
    Path cases = file.resolveSibling((dot > 0 ? name().substring(0, dot) : name()) + ".cases.yaml");
    return Files.isRegularFile(cases) ? body.put("cases", Files.readString(cases)) : body;
  }

  private String target() {
    return as == null ? name() : as;
  }

  private String name() {
    return String.valueOf(file.getFileName());
  }

  private List<JsonObject> named(List<JsonObject> scripts) {
    List<JsonObject> exactly = scripts.stream().filter(one -> file(one).equals(target())).toList();
    return exactly.isEmpty()
        ? scripts.stream()
            .filter(one -> Path.of(file(one)).getFileName().toString().equals(target()))
            .toList()
        : exactly;
  }

  private static String file(JsonObject script) {
    return script.getString("file");
  }

  private static boolean isDecided(JsonObject script) {
    return ScriptAnswers.isDecided(ScriptAnswers.candidate(script));
  }

  private boolean isWell(JsonObject script) {
    String phase = ScriptAnswers.phase(ScriptAnswers.candidate(script));
    return phase.equals("promoted") || noWait && !isDecided(script);
  }
}
