package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.sockjs.RawHttp;
import io.galop.cli.TestConsole;
import io.galop.ops.access.RouteAccess;
import io.galop.ops.access.RouteAccess.Access;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may look and act on the management port, and what the audit log says of it. */
@Timeout(180)
class OperatorsTest {
  /** What some paths are asked for. */
  private static final Map<String, String> WANTED =
      Map.of("/explain", "?id=a", "/presence", "?topic=a", "/topics/history", "?topic=a");

  private static final int REQUESTS = 1_000;

  @TempDir Path directory;

  /** What a node answers that must be as before, and no more. */
  private static String state(OperatedNode node) throws Exception {
    JsonObject status = new JsonObject(node.get("/status", OperatedNode.VIEWER).body());
    JsonObject kept = new JsonObject();
    for (String field : List.of("ready", "reasons", "scripts", "records", "browsers")) {
      kept.put(field, status.getValue(field));
    }
    return kept.encode() + node.script();
  }

  /** Closed when the node sends it away. */
  private static CountDownLatch watch(OperatedNode node) {
    CountDownLatch gone = new CountDownLatch(1);
    HttpClient.newHttpClient()
        .newWebSocketBuilder()
        .buildAsync(
            URI.create("ws://" + node.address("http") + "/live/websocket"),
            new WebSocket.Listener() {
              @Override
              public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                gone.countDown();
                return null;
              }
            })
        .join();
    node.await("the viewer is counted", () -> state(node).contains("\"connections\":1"));
    return gone;
  }

  private static String body(RouteAccess route, int i) {
    return switch (route.path()) {
      case "/scripts" -> OperatedNode.deployment("// " + i);
      case "/config" -> "{\"yaml\":\"{}\",\"dryRun\":true}";
      case "/dead-letters/redrive" -> "{\"ids\":[\"%d:no\\t$dead-letter/x\"]}".formatted(i);
      case "/viewers/frames" -> "{\"node\":\"none-%d\",\"id\":\"none\"}".formatted(i);
      case "/viewers/disconnect" -> "{\"subject\":\"nobody-%d\"}".formatted(i);
      case "/alarms/acknowledge", "/alarms/unshelve" -> "{\"ids\":[\"none/%d\"]}".formatted(i);
      case "/alarms/shelve" -> "{\"ids\":[\"none/%d\"],\"minutes\":1}".formatted(i);
      default -> "";
    };
  }

  @Test
  void aThousandRequestsOfOthersChangeNothing() throws Exception {
    List<RouteAccess> acts =
        RouteAccess.all().stream().filter(one -> one.access() == Access.ACT).toList();
    List<String> wrong =
        List.of(
            "Bearer wrong",
            "Bearer",
            "Bearer " + OperatedNode.sha256("of-anna"),
            OperatedNode.basic("bert", "of-anna"),
            OperatedNode.basic("anna", "of-bert"),
            OperatedNode.basic("anna", ""),
            "Basic !",
            "Digest of-anna");
    try (Logged log = new Logged("io.galop.ops");
        OperatedNode node = OperatedNode.start(directory)) {
      CountDownLatch gone = watch(node);
      String before = state(node);
      int viewers = 0;
      for (int i = 0; i < REQUESTS; i++) {
        RouteAccess route = acts.get(i % acts.size());
        String path = route.path() + (i % 5 == 0 ? "/" : "");
        int kind = i / acts.size() % 3;
        viewers += kind == 2 ? 1 : 0;
        String login =
            kind == 0 ? "" : kind == 1 ? wrong.get(i % wrong.size()) : OperatedNode.VIEWER;
        HttpResponse<String> answer = node.post(path, login, body(route, i));
        String refusal =
            kind == 2 ? "403 role_viewer" : kind == 1 ? "401 login_wrong" : "401 login_missing";
        assertEquals(refusal, reason(answer), path + " " + login);
        assertEquals(
            kind != 2, answer.headers().firstValue("WWW-Authenticate").isPresent(), "a challenge");
      }
      assertEquals(before, state(node));
      assertFalse(gone.await(1, TimeUnit.SECONDS), "the viewer was sent away");
      List<JsonObject> lines = node.audit();
      assertTrue(lines.size() >= 100 && lines.size() < REQUESTS / 3, "" + lines.size());
      for (JsonObject line : lines) {
        assertEquals("bert refused", line.getString("operator") + " " + line.getString("outcome"));
      }
      assertTrue(log.with("is no operator's").size() <= 1 + 180 / 10, "lines are bounded");
      assertTrue(log.with("is no operator's").size() >= 1);
      String metrics = node.get("/metrics", OperatedNode.VIEWER).body();
      assertTrue(metrics.contains("galop_management_acts_total{outcome=\"done\"} 0.0"), metrics);
      assertTrue(metrics.contains("acts_total{outcome=\"refused\"} " + viewers + ".0"), metrics);
      assertTrue(metrics.contains("logins_refused_total{reason=\"wrong\"} 3"), metrics);
    }
  }

  @Test
  void whatAnOperatorDoesIsInTheAuditLog() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory)) {
      CountDownLatch gone = watch(node);
      for (RouteAccess route : RouteAccess.all()) {
        if (route.access() == Access.ACT) {
          String action = route.path().substring(1);
          String login = action.equals("drain") ? OperatedNode.ANNA : OperatedNode.OPERATOR;
          HttpResponse<String> answer = node.post(route.path(), login, body(route, 1));
          // Nobody has tokens here, nobody is the viewer to be looked at, and there are no letters.
          int refused =
              Map.of("viewers/disconnect", 409, "viewers/frames", 404, "dead-letters/redrive", 409)
                  .getOrDefault(action, 0);
          boolean isDone = List.of("config", "drills").contains(action);
          int ok = isDone || action.startsWith("alarms/") ? 200 : 202;
          assertEquals(refused > 0 ? refused : ok, answer.statusCode(), answer.body());
          // What the node makes of a script may come in between.
          List<JsonObject> lines =
              node.audit(action).stream().filter(line -> line.containsKey("operator")).toList();
          String end = refused > 0 ? "failed" : "done";
          assertEquals(List.of("begun", end), outcomes(lines), lines::toString);
          assertEquals(lines.get(0).getString("id"), lines.get(1).getString("id"));
          for (JsonObject line : lines) {
            assertEquals("anna", line.getString("operator"));
            assertEquals(action.equals("drain") ? "basic" : "token", line.getString("login"));
            assertEquals("127.0.0.1", line.getString("address"));
            assertTrue(line.getInstant("time").toString().startsWith("20"));
          }
        }
      }
      assertTrue(gone.await(60, TimeUnit.SECONDS), "the viewer was not sent away");
      JsonObject parameters = node.audit("scripts").get(0).getJsonObject("parameters");
      assertEquals("same.js", parameters.getString("file"));
      assertEquals(OperatedNode.sha256("// 1"), parameters.getString("sourceSha256"));
      node.awaitAudit("the node tries it", "scripts", "node");
      HttpResponse<String> empty = node.post("/scripts", OperatedNode.OPERATOR, "{}");
      assertEquals("400 invalid_parameter", reason(empty));
      JsonObject failed = node.audit("scripts").stream().reduce((a, b) -> b).orElseThrow();
      assertEquals("failed", failed.getString("outcome"));
      assertTrue(failed.getString("why").startsWith("the body must be"), failed.encode());
    }
    String last = Files.readString(directory.resolve("data/audit.log"));
    assertTrue(last.contains("\"action\":\"stop\""), "a stop is told of too");
  }

  private static List<String> outcomes(List<JsonObject> lines) {
    return lines.stream().map(line -> line.getString("outcome")).toList();
  }

  @Test
  void aChangedFileIsInTheAuditLog() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory)) {
      node.writeScript("// another\n" + node.script());
      JsonObject seen = node.awaitAudit("the file was seen", "scripts", "file");
      JsonObject tried = node.awaitAudit("it was tried", "scripts", "node");
      assertEquals("promoted", tried.getString("outcome"), tried::encode);
      assertEquals(seen.getJsonObject("parameters"), tried.getJsonObject("parameters"));
    }
  }

  @Test
  void whatCannotBeWrittenIsNotDone() throws Exception {
    Files.createDirectories(directory.resolve("data"));
    Files.createSymbolicLink(directory.resolve("data/audit.log"), Path.of("/dev/full"));
    try (OperatedNode node = OperatedNode.start(directory)) {
      String before = state(node);
      for (String path : List.of("/drain", "/scripts")) {
        HttpResponse<String> answer =
            node.post(path, OperatedNode.OPERATOR, OperatedNode.deployment("// 1"));
        assertEquals("503 audit_unwritten", reason(answer));
        assertTrue(answer.body().contains("No space left"), answer.body());
      }
      assertEquals(before, state(node));
      assertTrue(node.get("/health/ready", "").body().contains("the audit log cannot be written"));
      String metrics = node.get("/metrics", OperatedNode.VIEWER).body();
      assertTrue(metrics.contains("galop_management_audit_unwritten_total 4"), metrics);
      Files.delete(directory.resolve("data/audit.log"));
      assertEquals(202, node.post("/drain", OperatedNode.OPERATOR, "").statusCode());
    }
  }

  @Test
  void lookingTakesALoginAndHealthNone() throws Exception {
    try (Logged log = new Logged("io.vertx.ext.web");
        OperatedNode node = OperatedNode.start(directory)) {
      for (RouteAccess route : RouteAccess.all()) {
        if (route.access() != Access.ACT) {
          boolean isOpen = route.access() == Access.OPEN;
          assertEquals(isOpen ? 200 : 401, node.get(route.path(), "").statusCode(), route.path());
          String asked = route.path() + WANTED.getOrDefault(route.path(), "");
          boolean isForAll = route.access() != Access.REVIEW;
          assertEquals(isForAll ? 200 : 403, node.begin(asked, OperatedNode.VIEWER), asked);
          int found = route.path().equals("/viewers/frames") ? 404 : 200; // there is no such look
          assertEquals(found, node.begin(asked, OperatedNode.OPERATOR), asked);
        }
      }
      assertEquals("401 login_missing", reason(node.get("/nothing", "")));
      assertEquals("401 login_wrong", reason(node.get("/status", "Bearer nobodys")));
      assertEquals("404 unknown_path", reason(node.get("/nothing", OperatedNode.VIEWER)));
      HttpResponse<String> post = node.post("/status", OperatedNode.OPERATOR, "");
      assertEquals("405 wrong_method", reason(post));
      assertEquals("GET", post.headers().firstValue("Allow").orElse("none"));
      HttpResponse<String> get = node.get("/alarms/shelve", OperatedNode.VIEWER);
      assertEquals(405, get.statusCode());
      assertEquals("POST", get.headers().firstValue("Allow").orElse("none"));
      assertEquals(401, node.get("/%73tatus", "").statusCode());
      assertEquals(404, node.get("/health/live/../../status", "").statusCode());
      String address = node.address("management");
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      try (RawHttp large = new RawHttp(port)) {
        large.sendHead(
            "POST /config HTTP/1.1",
            "Authorization: " + OperatedNode.OPERATOR,
            "Content-Length: 3000000");
        RawHttp.Answer answer = large.answer();
        assertEquals(413, answer.status());
        String body =
            "{\"error\":\"the body is larger than is read here\",\"reason\":\"too_large\"}";
        assertEquals(body, answer.body().strip());
      }
      assertEquals(List.of(), log.with("Unhandled"), "said as an error of the node");
    }
  }

  /** The stable word of a refusal, behind its status. */
  private static String reason(HttpResponse<String> answer) {
    return answer.statusCode() + " " + new JsonObject(answer.body()).getString("reason");
  }

  /** The request of whoever looks is no order, whatever it says. */
  @Test
  void askingForAlarmsChangesNone() throws Exception {
    String rules = "alarms.rules=[{name: hot, topics: s, when: {limit: {field: c, above: 1}}}]";
    try (OperatedNode node = OperatedNode.start(directory, rules)) {
      URI door = URI.create("http://" + node.address("http") + "/publish/s");
      HttpRequest record =
          HttpRequest.newBuilder(door).POST(BodyPublishers.ofString("{\"c\":2}")).build();
      HttpClient.newHttpClient().send(record, BodyHandlers.discarding());
      node.await("it stands", () -> alarms(node, "").contains("unacknowledged\",\"active\":true"));
      String asked = "?do=acknowledge&rule=hot&by=anna";
      assertTrue(alarms(node, asked).contains("unacknowledged\",\"active\":true"));
      assertTrue(alarms(node, "").contains("unacknowledged\",\"active\":true"), "nobody acted");
    }
  }

  private static String alarms(OperatedNode node, String asked) throws Exception {
    return node.get("/alarms" + asked, OperatedNode.VIEWER).body();
  }

  @Test
  void aTokenIsChangedInItsFileWithoutARestart() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory)) {
      assertEquals(200, node.get("/status", "Bearer of-carl").statusCode());
      node.writeHash(OperatedNode.sha256("new-of-carl"));
      node.awaitStatus(200, "Bearer new-of-carl");
      assertEquals(401, node.get("/status", "Bearer of-carl").statusCode());
      Files.delete(directory.resolve("carl.sha256"));
      node.awaitStatus(401, "Bearer new-of-carl");
      String told = "nobody has these logins"; // at the next look
      node.await(told, () -> node.get("/health/ready", "").body().contains(told));
    }
  }

  @Test
  void withoutOperatorsLoopbackIsAsBefore() throws Exception {
    try (OperatedNode node = OperatedNode.open(directory)) {
      assertEquals(200, node.get("/status", "").statusCode());
      assertEquals(404, node.get("/nothing", "").statusCode());
      assertEquals(202, node.post("/drain", "", "").statusCode());
      JsonObject line = node.audit("drain").get(1);
      assertEquals("none done", line.getString("login") + " " + line.getString("outcome"));
      assertFalse(node.get("/", "").body().contains("<form"), "nobody would be named");
    }
  }

  private static String galop(int code, OperatedNode node, String... more) {
    TestConsole console = new TestConsole();
    List<String> all = new java.util.ArrayList<>(List.of(more));
    all.addAll(List.of("--url", "http://" + node.address("management")));
    int ended = console.runWith(Galop::commands, all.toArray(String[]::new));
    String said = console.out() + console.err();
    assertEquals(code, ended, said);
    return said;
  }

  @Test
  void commandsShowTheirToken() throws Exception {
    Path script = Files.writeString(directory.resolve("same.js.new"), OperatedNode.SCRIPT + "// 2");
    Path anna = Files.writeString(directory.resolve("anna"), "of-anna\n");
    Path bert = Files.writeString(directory.resolve("bert"), "of-bert\n");
    try (OperatedNode node = OperatedNode.start(directory)) {
      String status = "status --interval-ms 0 --operator-token-file ";
      assertTrue(galop(0, node, (status + bert).split(" ")).contains("is ready"));
      String deploy = "script deploy %s --as same.js --operator-token-file ".formatted(script);
      assertTrue(galop(0, node, (deploy + anna).split(" ")).contains("promoted"));
      assertTrue(galop(1, node, (deploy + bert).split(" ")).contains("bert has the role viewer"));
      String none = galop(1, node, "script", "status");
      assertTrue(none.contains("wants an operator's login: give --operator-token-file"), none);
      Path other = Files.writeString(directory.resolve("other"), "of-nobody\n");
      String unknown = galop(1, node, (status + other).split(" "));
      assertTrue(unknown.contains("does not know this one"), unknown);
      galop(2, node, (status + script).split(" "));
      assertTrue(
          galop(0, node, ("drain --operator-token-file " + anna).split(" ")).contains("sent"));
      assertEquals(List.of("begun", "done"), outcomes(node.audit("drain")));
      galop(2, node, (status + directory.resolve("none")).split(" "));
    }
  }

  @Test
  void theMapOfWhoMayIsTheSameForAll() {
    Map<Access, List<RouteAccess>> all =
        RouteAccess.all().stream()
            .collect(java.util.stream.Collectors.groupingBy(RouteAccess::access));
    assertTrue(
        all.get(Access.OPEN).stream().allMatch(one -> one.path().startsWith("/health/")),
        "only probes are open");
    assertTrue(
        all.get(Access.LOOK).stream().allMatch(one -> one.method().name().equals("GET")),
        "looking changes nothing");
    assertTrue(
        all.get(Access.REVIEW).stream().allMatch(one -> one.method().name().equals("GET")),
        "nor does reading of who acted");
  }
}
