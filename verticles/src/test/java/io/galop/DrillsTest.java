package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.cli.TestConsole;
import io.galop.config.ConfigLoader;
import io.galop.e2e.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Drills of a real node: what they find where all is well, and where something is broken. */
@Tag("slow")
@Timeout(180)
class DrillsTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final List<String> LISTENERS =
      List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge", "broadcast.mqtt");

  @TempDir Path directory;
  private Optional<GalopNode> node = Optional.empty();

  private void start(List<String> more) {
    List<String> sets = new ArrayList<>();
    sets.add("drills.withinMs=60000");
    sets.addAll(more);
    sets.add("node.dataDir=" + directory.resolve("data"));
    sets.add("node.shards=4");
    sets.add("broadcast.mqtt.enabled=true");
    sets.add("broadcast.freshness=[{filter: '$drill/+/silent', maxAgeMs: 500}]");
    LISTENERS.forEach(part -> sets.add(part + ".port=0"));
    node =
        Optional.of(GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of())));
  }

  @AfterEach
  void stop() {
    node.ifPresent(GalopNode::close);
  }

  private URI uri(String listener, String path) {
    return URI.create("http://" + node.orElseThrow().listeners().get(listener) + path);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  private JsonObject drill(String fault) throws Exception {
    URI asked = uri("management", "/drills?fault=" + fault);
    HttpResponse<String> answer =
        send(HttpRequest.newBuilder(asked).POST(BodyPublishers.ofString("{}")));
    assertEquals(200, answer.statusCode(), answer.body());
    return new JsonObject(answer.body()).getJsonArray("drills").getJsonObject(0);
  }

  private JsonObject failed(String stage) throws Exception {
    JsonObject drill = drill("none");
    assertFalse(drill.getBoolean("passed"), drill.encode());
    JsonObject failure = drill.getJsonArray("failures").getJsonObject(0);
    assertEquals(stage, failure.getString("stage"), drill.encode());
    assertTrue(metrics().contains("galop_drill_failed{stage=\"" + stage + "\"} 1"), metrics());
    return failure;
  }

  private String metrics() throws Exception {
    return send(HttpRequest.newBuilder(uri("management", "/metrics"))).body();
  }

  @ParameterizedTest
  @CsvSource({"none", "doubled", "lost", "late", "silent", "refused"})
  void aSoundNodePassesAndFindsWhatIsPlanted(String fault) throws Exception {
    List<String> tokens = TestTokens.of("HS256", directory).settings();
    List<String> sets = new ArrayList<>(tokens);
    sets.add("ingest.token=0123456789abcdef0123456789abcdef");
    start(sets);
    JsonObject drill = drill(fault);
    assertTrue(drill.getBoolean("passed"), drill.encode());
    assertEquals("http", drill.getString("door"));
    assertEquals(
        List.of("websocket", "xhr", "events", "mqtt"), drill.getJsonArray("viewers").getList());
    assertEquals(!fault.equals("none"), drill.getBoolean("detected"), drill.encode());
    String metrics = metrics();
    assertTrue(metrics.contains("galop_drill_rounds_total 1"), metrics);
    assertFalse(metrics.matches("(?s).*galop_drill_failed\\{[^}]*} 1.*"), metrics);
    assertFalse(metrics.matches("(?s).*dead_letters_total\\{[^}]*} [1-9].*"), metrics);
    if (!fault.equals("none")) {
      String tag = "_total{fault=\"" + fault + "\"} 1";
      assertTrue(metrics.contains("galop_drill_planted" + tag), metrics);
      assertTrue(metrics.contains("galop_drill_detected" + tag), metrics);
    }
  }

  /** A machine without IPv6 tries it with an address that it has. */
  @Test
  void aNodeWithAnIpv6AddressPassesToo() throws Exception {
    String host = hasIpv6() ? "::1" : "127.0.0.1";
    start(List.of("http.host=" + host, "broadcast.mqtt.host=" + host));
    JsonObject drill = drill("none");
    assertTrue(drill.getBoolean("passed"), drill.encode());
    assertEquals(
        List.of("websocket", "xhr", "events", "mqtt"), drill.getJsonArray("viewers").getList());
  }

  private static boolean hasIpv6() {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress("::1", 0));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void othersNeitherPublishNorSeeTopicsOfDrills() throws Exception {
    start(List.of());
    assertTrue(drill("none").getBoolean("passed"));
    HttpRequest.Builder publish =
        HttpRequest.newBuilder(uri("http", "/publish/$drill/x/0"))
            .header("Galop-Drill", "0".repeat(64))
            .POST(BodyPublishers.ofString("{}"));
    assertEquals(400, send(publish).statusCode());
    HttpRequest.Builder watch =
        HttpRequest.newBuilder(uri("http", "/stream/$drill/%23"))
            .header("Galop-Drill", "0".repeat(64));
    assertEquals(403, send(watch).statusCode());
    HttpRequest.Builder past = HttpRequest.newBuilder(uri("http", "/history/%23"));
    assertFalse(send(past).body().contains("drill"));
  }

  @Test
  void namesAStoreThatLacksTheRecord() throws Exception {
    start(List.of("drills.storedWithinMs=5000"));
    Path cold = directory.resolve("data").resolve("cold.sqlite");
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + cold);
        Statement statement = other.createStatement()) {
      statement.execute("pragma busy_timeout = 10000");
      other.setAutoCommit(false);
      statement.execute("create table if not exists held (by text)");
      assertTrue(failed("stores").getString("why").contains("store embedded"));
    }
    JsonObject after = drill("none");
    assertTrue(after.getBoolean("passed"), after.encode());
  }

  /** As if the user wanted drills to go through it. */
  private String mapping(String rule) throws Exception {
    Path file = Files.writeString(directory.resolve("drilled.map"), "rules:\n  - " + rule + "\n");
    return "enrich.chain=[{script: {file: '"
        + file
        + "', topics: ['$drill/#'],"
        + " timeLimitMs: 20000}}]";
  }

  @ParameterizedTest
  @CsvSource({"none", "doubled", "refused"})
  void goesThroughTheStepsThatTakeIt(String fault) throws Exception {
    start(List.of(mapping("emit: {copy: data, data: {seen: 'true'}}")));
    JsonObject drill = drill(fault);
    assertTrue(drill.getBoolean("passed"), drill.encode());
    assertEquals(!fault.equals("none"), drill.getBoolean("detected"), drill.encode());
    String calls = "(?s).*galop_enrich_script_calls_seconds_count\\{name=\"drilled\"} [1-9].*";
    assertTrue(metrics().matches(calls), metrics());
  }

  @Test
  void namesAStepThatRefusesTheRecord() throws Exception {
    start(List.of("drills.withinMs=20000", mapping("{require: 'false', else: not today}")));
    String why = failed("enrich").getString("why");
    assertTrue(why.startsWith("it became a dead letter on $dead-letter/script/drilled"), why);
    assertTrue(why.contains("script_failed") && why.contains("not today"), why);
  }

  @Test
  void namesViewersThatAreShownOtherData() throws Exception {
    start(List.of(mapping("emit: {data: {drill: data.drill}}")));
    String why = failed("websocket").getString("why");
    assertTrue(why.startsWith("shown with other data on websocket: {\"drill\":1}"), why);
  }

  @Test
  void namesADoorThatTakesNothing() throws Exception {
    start(List.of("ingest.limits.maxDataBytes=16"));
    String why = failed("door").getString("why");
    assertTrue(why.startsWith("the http door answered 400"), why);
  }

  @Test
  void namesViewersThatAreNotLetIn() throws Exception {
    start(List.of("broadcast.maxConnections=1"));
    HttpRequest.Builder stream = HttpRequest.newBuilder(uri("http", "/stream/a"));
    HttpResponse<?> seat = HTTP.send(stream.build(), BodyHandlers.ofInputStream());
    assertEquals(200, seat.statusCode());
    String why = failed("websocket").getString("why");
    assertTrue(why.startsWith("no viewer on websocket"), why);
  }

  @Test
  void theCommandRunsOneAndShowsTheLast() throws Exception {
    start(List.of());
    String url = uri("management", "").toString();
    TestConsole none = new TestConsole();
    assertEquals(0, none.run("drill", "--last", "--url", url));
    assertEquals("no drill was run yet", none.out().strip());
    TestConsole run = new TestConsole();
    assertEquals(0, run.run("drill", "--fault", "late", "--url", url));
    assertTrue(run.out().contains("drill 1  passed"), run.out());
    assertTrue(run.out().contains("planted: late, found"), run.out());
    assertEquals(2, new TestConsole().run("drill", "--fault", "odd", "--url", url));
  }

  @Test
  void whatIsRefusedHasAWordForPrograms() throws Exception {
    start(List.of("node.roles=[ingest, enrich, persist]", "broadcast.mqtt.enabled=false"));
    assertEquals("400 invalid_parameter", refusal("/drills?fault=odd", "{}"));
    assertEquals("409 not_possible", refusal("/drills?fault=silent", "{}"));
    assertEquals("400 invalid_parameter", refusal("/config", "{}"));
    String wrong = new JsonObject().put("yaml", "node: {shards: many}").encode();
    assertEquals("400 invalid_configuration", refusal("/config", wrong));
    assertEquals("400 invalid_parameter", refusal("/scripts", "{}"));
    String unknown = new JsonObject().put("file", "none.js").put("source", "").encode();
    assertEquals("400 invalid_parameter", refusal("/scripts", unknown));
  }

  private String refusal(String path, String body) throws Exception {
    HttpRequest.Builder post = HttpRequest.newBuilder(uri("management", path));
    HttpResponse<String> answer =
        send(post.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
    return answer.statusCode() + " " + new JsonObject(answer.body()).getString("reason");
  }

  @Test
  void theCommandShowsWhatTheLedgerHasCountedMinutesLater() throws Exception {
    System.setProperty("galop.ledger.minuteMs", "4000");
    try {
      start(List.of());
    } finally {
      System.clearProperty("galop.ledger.minuteMs");
    }
    assertEquals("awaited", drill("refused").getString("ledger"));
    String url = uri("management", "").toString();
    AppliedNode.await("count", () -> last(url).contains("planted: refused, found, counted by the"));
    assertFalse(last(url).contains("not told"), last(url));
  }

  private static String last(String url) {
    TestConsole last = new TestConsole();
    assertEquals(0, last.run("drill", "--last", "--url", url));
    return last.out();
  }

  @Test
  void runByThemselvesWhereTheConfigurationSaysSo() throws Exception {
    start(List.of("drills.everyMs=1000", "drills.faultEvery=2"));
    Await.until(
        "a drill finds what it has planted",
        120,
        () -> metrics().matches("(?s).*galop_drill_detected_total\\{[^}]*} [1-9].*"));
    assertFalse(metrics().matches("(?s).*galop_drill_failed\\{[^}]*} 1.*"));
  }
}
