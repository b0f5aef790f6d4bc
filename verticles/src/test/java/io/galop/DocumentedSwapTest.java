package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/script-swap.md shows is done to a node: its figures and versions may be others. */
@Timeout(240)
class DocumentedSwapTest {
  private static final Path DOCUMENT = Path.of("../docs/script-swap.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+) ?(\\S*)\\n(.*?)^```$");
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  @TempDir Path directory;
  private final List<String> consoles = new ArrayList<>();

  @BeforeEach
  void read() throws IOException {
    Files.createDirectory(directory.resolve("new"));
    for (MatchResult block : BLOCK.matcher(Files.readString(DOCUMENT)).results().toList()) {
      if (block.group(1).equals("console")) {
        consoles.add(block.group(3));
      } else if (block.group(2).contains(".")) {
        write(block.group(2), block.group(3));
      }
    }
  }

  /** On a busy machine a call may take long for no fault of its own. */
  private void write(String file, String text) throws IOException {
    String patient = text.replace("file: kmh.js", "file: kmh.js\n        timeLimitMs: 20000");
    Files.writeString(directory.resolve(file), patient);
  }

  private GalopConfig config(String... more) {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    for (String part : List.of("http", "management", "ingest.tcp", "ingest.mqtt")) {
      sets.add(part + ".port=0");
    }
    sets.addAll(List.of("ingest.bridge.port=0", "node.eventLoops=2"));
    sets.add("enrich.directory=" + directory);
    sets.addAll(List.of(more));
    return ConfigLoader.load(Optional.of(directory.resolve("swap.yaml")), Map.of(), sets, Map.of());
  }

  private static HttpResponse<String> post(
      GalopNode node, String listener, String path, String body, String... headers)
      throws Exception {
    URI uri = URI.create("http://" + node.listeners().get(listener) + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void commandsPrintWhatTheDocumentSays() throws Exception {
    assertEquals(3, consoles.size());
    try (GalopNode node = GalopNode.start(config())) {
      post(node, "http", "/publish/sensor/1/speed", "{\"speed\":\"7.3\"}");
      Thread traffic = new Thread(() -> traffic(node), "traffic");
      traffic.start();
      try {
        for (String block : consoles) {
          assertPrints(node, block);
        }
      } finally {
        traffic.interrupt();
        traffic.join();
      }
    }
  }

  private static void traffic(GalopNode node) {
    try {
      for (int i = 0; !Thread.interrupted(); i++) {
        String topic = "/publish/sensor/" + i % 20 + "/speed";
        post(node, "http", topic, "{\"speed\":" + i % 50 + ".31}");
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      // The test is over.
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertPrints(GalopNode node, String block) {
    int end = block.indexOf('\n');
    List<String> words = new ArrayList<>(List.of(block.substring(0, end).split(" ")));
    List<String> args = words.subList(2, words.size());
    args.replaceAll(word -> word.equals("new/kmh.js") ? directory.resolve(word) + "" : word);
    args.addAll(
        List.of(
            "--url",
            "http://"
                + node.listeners().get(args.get(0).equals("script") ? "management" : "http")));
    TestConsole console = new TestConsole();
    int code = console.runWith(Galop::commands, args.toArray(String[]::new));
    assertEquals(0, code, console.err() + console.out());
    String expected = masked(block.substring(end + 1));
    assertTrue(masked(console.out()).startsWith(expected), console.out() + "\nnot\n" + expected);
  }

  /** Versions and figures are other ones each time. */
  private static String masked(String text) {
    return text.replaceAll("\\b[0-9a-f]{12}\\b", "VERSION").replaceAll("\\d[\\d.,]*", "0").strip();
  }

  @Test
  void aPageOrAStrangerMayNotDeploy() throws Exception {
    String body = "{\"file\":\"kmh.js\",\"source\":\"x\"}";
    try (GalopNode node = GalopNode.start(config("ingest.token=secret"))) {
      assertEquals(
          403, post(node, "management", "/scripts", body, "Origin", "http://a").statusCode());
      assertEquals(401, post(node, "management", "/scripts", body).statusCode());
      String[] shown = {"Authorization", "Bearer secret"};
      HttpResponse<String> refused = post(node, "management", "/scripts", body, shown);
      assertEquals(202, refused.statusCode(), refused.body());
      awaitRefusal(node);
      HttpResponse<String> other =
          post(node, "management", "/scripts", body.replace("kmh", "kmm"), shown);
      assertEquals(400, other.statusCode());
      assertTrue(other.body().contains("there is [kmh.js]"), other.body());
      assertEquals(400, post(node, "management", "/scripts", "{}", shown).statusCode());
    }
  }

  /** They would share a gauge, a topic of dead letters and what drives those again. */
  @Test
  void twoFilesOfOneNameAreRefused() throws Exception {
    for (String one : List.of("a", "b")) {
      Path rules = Files.createDirectory(directory.resolve(one));
      Files.copy(directory.resolve("kmh.js"), rules.resolve("kmh.js"));
    }
    String step = "{script: {file: %s/kmh.js, timeLimitMs: 20000, shadow: {seconds: 0}}}";
    String chain = "enrich.chain=[" + step.formatted("a") + ", " + step.formatted("b") + "]";
    ConfigException refused =
        assertThrows(ConfigException.class, () -> GalopNode.start(config(chain)));
    assertTrue(refused.getMessage().contains("share the name 'kmh'"), refused.getMessage());
  }

  private String deploy(GalopNode node, int code, String... more) {
    List<String> args = new ArrayList<>(List.of("script", "deploy"));
    args.add(directory.resolve("new/kmh.js").toString());
    args.addAll(List.of("--url", "http://" + node.listeners().get("management")));
    args.addAll(List.of(more));
    TestConsole console = new TestConsole();
    int ended = console.runWith(Galop::commands, args.toArray(String[]::new));
    String said = console.out() + console.err();
    assertEquals(code, ended, said);
    return said;
  }

  private static void awaitRefusal(GalopNode node) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + "/scripts");
    String answer = "";
    for (int i = 0; i < 600 && !answer.contains("\"phase\":\"refused\""); i++) {
      Thread.sleep(100);
      answer = HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
    assertTrue(answer.contains("x is not defined (kmh.js, line 1)"), answer);
  }
}
