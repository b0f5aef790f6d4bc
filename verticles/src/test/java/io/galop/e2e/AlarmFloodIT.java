package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand alarms at once, as a viewer, a control room and its webhook see them. */
@Timeout(500)
class AlarmFloodIT {
  private static final int TOPICS = 10_000;
  private static final int WAIT_SECONDS = 180;

  /** More is not one message for many, but many for one. */
  private static final int MOST_MESSAGES = TOPICS / 20;

  private static final int MOST_BYTES = 32_768;
  private static final int USUAL_ALARMS = 1_000;
  private static final int BOUND = 1_000;
  private static final String DUE = "unacknowledged";

  private static final String RULES =
      "alarms.rules=["
          + "{name: burning, topics: s/+, severity: critical,"
          + " when: {limit: {field: c, above: 200}}},"
          + "{name: hot, topics: s/+, parent: burning, when: {limit: {field: c, above: 80}}}]";

  @TempDir private Path directory;
  private final Map<String, Integer> told = new ConcurrentHashMap<>();
  private final AtomicInteger messages = new AtomicInteger();

  /** Alarm → its states in their order, each once as long as it lasts. */
  private final Map<String, List<String>> seen = new ConcurrentHashMap<>();

  private volatile boolean isViewerOpen;
  private volatile boolean isViewerEnded;

  private HttpServer webhook() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        request -> {
          String body = new String(request.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          messages.incrementAndGet();
          for (Object one : new JsonObject(body).getJsonArray("groups")) {
            JsonObject group = (JsonObject) one;
            told.merge(group.getString("rule"), group.getInteger("count"), Integer::sum);
          }
          request.sendResponseHeaders(204, -1);
          request.close();
        });
    server.start();
    return server;
  }

  private static void publish(GalopProcess to, int from, int until, int value) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < until; i++) {
      lines.append("{\"topic\":\"s/%d\",\"data\":{\"c\":%d}}\n".formatted(i, value));
    }
    HttpResponse<String> answer =
        Stored.post(to.http("/publish"), "application/x-ndjson", lines.toString());
    assertEquals(202, answer.statusCode(), answer.body());
    assertEquals(until - from, new JsonObject(answer.body()).getInteger("accepted"), answer.body());
  }

  /** Reads a stream of all changes, from when it is open. */
  private void watch(URI stream) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(stream).header("Accept", "application/x-ndjson").build();
    InputStream body =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream()).body();
    Thread reader = new Thread(() -> read(body), "viewer");
    reader.setDaemon(true);
    reader.start();
    Await.until("the stream is open", WAIT_SECONDS, () -> isViewerOpen);
  }

  private void read(InputStream body) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonObject message = new JsonObject(line);
        isViewerOpen |= message.getString("type").equals("open");
        if (message.getString("type").equals("rec")) {
          JsonObject data = message.getJsonObject("body").getJsonObject("data");
          see(data.getString("id"), data.getString("state"));
        }
      }
    } catch (IOException cut) {
      // The node ends it; whether that was too early, the test says.
    }
    isViewerEnded = true;
  }

  private void see(String id, String state) {
    seen.compute(
        id,
        (same, before) -> {
          if (before != null && before.get(before.size() - 1).equals(state)) {
            return before; // such as: somebody was told
          }
          List<String> states = new ArrayList<>(before == null ? List.of() : before);
          states.add(state);
          return List.copyOf(states);
        });
  }

  /** How many alarms of a rule have gone this way, as the viewer has it. */
  private long seen(String rule, String... states) {
    return seen.entrySet().stream()
        .filter(one -> one.getKey().startsWith(rule + "/"))
        .filter(one -> one.getValue().equals(List.of(states)))
        .count();
  }

  private static int group(GalopProcess node, String rule, String state) throws Exception {
    JsonObject all = new JsonObject(Stored.get(node.management("/alarms?limit=10")).body());
    for (Object one : all.getJsonArray("groups")) {
      JsonObject group = (JsonObject) one;
      if (group.getString("rule").equals(rule)) {
        return group.getInteger(state, 0);
      }
    }
    return 0;
  }

  /** What an operator is answered is short, and begins with the cause. */
  private static void assertUsable(GalopProcess node) throws Exception {
    String body = Stored.get(node.management("/alarms?limit=10")).body();
    assertTrue(body.length() < MOST_BYTES, body);
    JsonObject answer = new JsonObject(body);
    assertEquals(10, answer.getJsonArray("alarms").size());
    assertEquals("burning", answer.getJsonArray("groups").getJsonObject(0).getString("rule"), body);
    for (Object one : answer.getJsonArray("alarms")) {
      assertEquals("burning", ((JsonObject) one).getString("rule"), body);
    }
    String list = Cli.ok("alarm", "list", "--url", "http://" + node.address("management"));
    assertTrue(list.length() < MOST_BYTES, list);
    assertTrue(list.lines().findFirst().orElse("").contains("burning: 10000 alarms"), list);
    assertTrue(list.contains("and 19900 more"), list);
    String usual = Stored.get(node.management("/alarms")).body();
    assertEquals(USUAL_ALARMS, new JsonObject(usual).getJsonArray("alarms").size());
  }

  @Test
  void isOneLineForEachCause() throws Exception {
    HttpServer server = webhook();
    String targets =
        "alarms.targets=[{name: ops, by: {webhook: {url: 'http://127.0.0.1:%d/'}}}]"
            .formatted(server.getAddress().getPort());
    List<String> shared =
        List.of("--set", RULES, "--set", targets, "--set", "broadcast.showReserved=true");
    try (Nodes nodes = new Nodes(directory, List.of("a", "b"), shared)) {
      String roles = "ingest,enrich,persist,broadcast";
      GalopProcess a = nodes.start("a", roles);
      GalopProcess b = nodes.start("b", roles);
      watch(b.http("/stream/$alarm/%23"));
      raise(a, b);
      end(a, b);
      assertFalse(isViewerEnded, "the viewer was ended");
    } finally {
      server.stop(0);
    }
  }

  private void raise(GalopProcess a, GalopProcess b) throws Exception {
    publish(a, 0, TOPICS, 300);
    Await.until("a viewer sees each cause", WAIT_SECONDS, () -> seen("burning", DUE) == TOPICS);
    Await.until("and what it suppresses", WAIT_SECONDS, () -> seen("hot", "suppressed") == TOPICS);
    Await.until(
        "each cause is told", WAIT_SECONDS, () -> told.getOrDefault("burning", 0) >= TOPICS);
    assertEquals(TOPICS, group(a, "burning", DUE));
    assertEquals(0, group(a, "hot", DUE));
    assertUsable(a);
    assertUsable(b);
    assertEquals(Map.of("burning", TOPICS), told);
    assertTrue(messages.get() <= MOST_MESSAGES, messages + " messages");
    System.out.printf("alarms: %d causes told in %d messages%n", TOPICS, messages.get());
  }

  /** All is over, and somebody has seen it. */
  private void end(GalopProcess a, GalopProcess b) throws Exception {
    publish(a, 0, TOPICS, 20);
    Await.until("all return", WAIT_SECONDS, () -> seen("burning", DUE, "returned") == TOPICS);
    acknowledge(a, "burning"); // and "hot", of which nobody heard, has ended with it
    Await.until("none stands", WAIT_SECONDS, () -> standsNone(a) && standsNone(b));
    Await.until(
        "a viewer sees that",
        WAIT_SECONDS,
        () -> seen("burning", DUE, "returned", "normal") == TOPICS);
    assertFalse(told.containsKey("hot"), told::toString);
    assertTrue(messages.get() <= MOST_MESSAGES, messages + " messages");
  }

  private static void acknowledge(GalopProcess node, String rule) throws Exception {
    String order = new JsonObject().put("rule", rule).encode();
    HttpResponse<String> answer =
        Stored.post(node.management("/alarms/acknowledge"), "application/json", order);
    assertEquals(200, answer.statusCode(), answer.body());
    JsonObject done = new JsonObject(answer.body());
    assertTrue(done.getJsonArray("refused").isEmpty(), answer.body());
  }

  private static boolean standsNone(GalopProcess node) throws Exception {
    JsonObject all = new JsonObject(Stored.get(node.management("/alarms")).body());
    return all.getJsonArray("alarms").isEmpty() && all.getInteger("left") == 0;
  }

  /** Beyond the bound it is told, and what was refused is raised once there is room. */
  @Test
  void beyondTheBoundItIsToldAndRaisedLater() throws Exception {
    List<String> shared = List.of("--set", RULES, "--set", "alarms.maxStanding=" + BOUND);
    try (Nodes nodes = new Nodes(directory, List.of("a"), shared)) {
      GalopProcess node = nodes.start("a", "ingest,enrich,persist,broadcast");
      publish(node, 0, TOPICS, 90);
      Await.until("it is told", WAIT_SECONDS, () -> isWarned(node));
      Await.until("as many stand", WAIT_SECONDS, () -> group(node, "hot", DUE) == BOUND);
      String metrics = Stored.get(node.management("/metrics")).body();
      assertTrue(
          metrics.matches("(?s).*galop_alarms_refused_alarms_total(\\{[^}]*})? [1-9].*"), metrics);

      publish(node, 0, TOPICS, 20);
      Await.until(
          "all return", WAIT_SECONDS, () -> !isWarned(node) && listed(node, "returned") == BOUND);
      acknowledge(node, "hot");
      Await.until("none stands", WAIT_SECONDS, () -> standsNone(node));

      publish(node, TOPICS, TOPICS + BOUND, 90);
      Await.until("others are raised", WAIT_SECONDS, () -> group(node, "hot", DUE) == BOUND);
      publish(node, 0, BOUND, 90);
      Await.until("these are not", WAIT_SECONDS, () -> isWarned(node));
      assertEquals(BOUND, group(node, "hot", DUE));

      publish(node, TOPICS, TOPICS + BOUND, 20);
      Await.until("all of them return", WAIT_SECONDS, () -> listed(node, "returned") == BOUND);
      acknowledge(node, "hot");
      // Without another record of their topics.
      Await.until(
          "what was refused is raised",
          WAIT_SECONDS,
          () -> listed(node, "unacknowledged") == BOUND && listed(node, "returned") == 0);
      Await.until("and it is calm again", WAIT_SECONDS, () -> !isWarned(node));
    }
  }

  private static int listed(GalopProcess node, String state) throws Exception {
    String body = Stored.get(node.management("/alarms?limit=0&state=" + state)).body();
    return new JsonObject(body).getInteger("left");
  }

  private static boolean isWarned(GalopProcess node) throws Exception {
    return Stored.get(node.management("/status")).body().contains("raise alarms.maxStanding");
  }
}
