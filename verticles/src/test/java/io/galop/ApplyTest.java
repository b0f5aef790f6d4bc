package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.config.ConfigSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another configuration for a running node, by the command and by its own file. */
@Tag("slow")
@Timeout(240)
class ApplyTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String SUM = "{calculate: {field: v, into: w, windowMs: 0}}";

  @TempDir Path directory;

  private Path file(String name, String chain, String more) throws Exception {
    String yaml = "enrich: {chain: [" + chain + "]}\n" + more;
    return Files.writeString(directory.resolve(name), yaml);
  }

  private GalopNode start(Path file) {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    ConfigSource source = new ConfigSource(Optional.of(file), Map.of(), sets, Map.of());
    return GalopNode.start(source.load(), source);
  }

  private static String get(GalopNode node, String path) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("http") + path);
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  private static void publish(GalopNode node, String id, String topic) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("http") + "/publish");
    String body = "{\"id\":\"%s\",\"topic\":\"%s\",\"data\":{\"v\":1}}".formatted(id, topic);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    assertEquals(202, HTTP.send(request, BodyHandlers.ofString()).statusCode());
  }

  private static int apply(TestConsole console, GalopNode node, Path file, String... more) {
    List<String> arguments = new ArrayList<>(List.of("apply", file.toString()));
    arguments.addAll(List.of("--url", "http://" + node.listeners().get("management")));
    arguments.addAll(List.of(more));
    return console.run(arguments.toArray(String[]::new));
  }

  @Test
  void stepsComeAndGoWhileOthersKeepTheirState() throws Exception {
    Path own = file("own.yaml", SUM, "");
    try (GalopNode node = start(own)) {
      publish(node, "1", "a/x");
      Path next = file("next.yaml", "{drop: {topics: [b/#]}}, " + SUM, "");
      TestConsole dry = new TestConsole();
      assertEquals(0, apply(dry, node, next, "--dry-run"), dry.err());
      assertTrue(dry.out().startsWith("would be applied: enrich.chain: [{calculate"), dry.out());
      publish(node, "2", "b/x");
      assertTrue(get(node, "/history/b/x").contains("\"id\":\"2\""));
      TestConsole console = new TestConsole();
      assertEquals(0, apply(console, node, next), console.err());
      assertTrue(console.out().startsWith("applied: enrich.chain: "), console.out());
      publish(node, "3", "b/x");
      publish(node, "4", "a/x");
      assertEquals(-1, get(node, "/history/b/x").indexOf("\"id\":\"3\""));
      assertTrue(get(node, "/history/a/x").contains("\"count\":2"), get(node, "/history/a/x"));
      TestConsole again = new TestConsole();
      assertEquals(0, apply(again, node, next));
      assertTrue(again.out().contains("has this configuration already"), again.out());
    }
  }

  @Test
  void whatTakesARestartIsNamedAndWhatIsWrongChangesNothing() throws Exception {
    Path own = file("own.yaml", SUM, "");
    try (GalopNode node = start(own)) {
      Path next =
          file(
              "next.yaml",
              SUM,
              "broadcast: {limits: {registrations: 7}, caps: [{topics: a/#, maxRate: 5}], maxTickMs: 11}\n");
      TestConsole console = new TestConsole();
      assertEquals(1, apply(console, node, next));
      assertTrue(
          console.out().contains("applied: broadcast.limits.registrations: 0 -> 7\n"),
          console.out());
      assertTrue(
          console.out().contains("applied: broadcast.caps: [] -> [{topics: "), console.out());
      assertTrue(console.out().contains("takes a restart: broadcast.maxTickMs: "), console.out());
      TestConsole wrong = new TestConsole();
      assertEquals(2, apply(wrong, node, file("bad.yaml", "{drop: {topics: [a#]}}", "")));
      assertTrue(wrong.err().contains("enrich.chain[0].drop"), wrong.err());
      assertTrue(wrong.err().contains("bad.yaml:1"), wrong.err());
      assertFalse(wrong.err().contains("{\"error\""), "people read it: " + wrong.err());
      Files.writeString(directory.resolve("s.js"), "function enrich(r) { return r; }");
      TestConsole script = new TestConsole();
      assertEquals(
          2, apply(script, node, file("script.yaml", SUM + ", {script: {file: s.js}}", "")));
      assertTrue(script.err().contains("galop script deploy"), script.err());
      publish(node, "1", "a/x");
      assertTrue(get(node, "/history/a/x").contains("\"count\":1"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# all of it was here\n", "---\n"})
  void anEmptiedFileIsRefused(String nothing) throws Exception {
    Path own = file("own.yaml", SUM, "broadcast: {limits: {registrations: 7}}\n");
    try (GalopNode node = start(own)) {
      Path emptied = Files.writeString(directory.resolve("emptied.yaml"), nothing);
      TestConsole console = new TestConsole();
      assertEquals(2, apply(console, node, emptied), console.out());
      assertTrue(console.err().contains("emptied.yaml: is empty"), console.err());
      assertTrue(console.err().contains("write {} into it"), console.err());
      assertEquals(2, apply(new TestConsole(), node, emptied, "--dry-run"));
      assertEquals(0, apply(new TestConsole(), node, own), "the node has kept what it had");
      Files.writeString(emptied, "{} # I mean it\n");
      TestConsole meant = new TestConsole();
      assertEquals(0, apply(meant, node, emptied), meant.err());
      assertTrue(meant.out().contains("broadcast.limits.registrations: 7 -> 0"), meant.out());
      Files.writeString(emptied, nothing);
      assertEquals(0, apply(new TestConsole(), node, emptied), "it changes nothing");
    }
  }

  @Test
  void theOwnFileThatWasEmptiedIsNotTaken() throws Exception {
    Path own = file("own.yaml", "{drop: {topics: [b/#]}}", "");
    try (GalopNode node = start(own);
        Logged logged = new Logged(ConfigApply.class)) {
      Files.writeString(own, "");
      node.reload();
      AppliedNode.await("refusal", () -> !logged.with("own.yaml: is empty").isEmpty());
      assertEquals(1, logged.with("stays as it is: ").size());
      publish(node, "1", "b/x");
      assertFalse(get(node, "/history/b/x").contains("\"id\":\"1\""));
    }
  }

  @Test
  void theOwnFileIsReadAgain() throws Exception {
    Path own = file("own.yaml", SUM, "");
    try (GalopNode node = start(own)) {
      file("own.yaml", "{drop: {topics: [b/#]}}", "");
      node.reload();
      int tried = 0;
      do {
        publish(node, "t" + tried++, "b/x");
      } while (get(node, "/history/b/x").contains("\"id\":\"t" + (tried - 1) + "\""));
    }
  }
}
