package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.record.Position;
import io.galop.servers.Ports;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/clients.md promises of all clients, held by each of them as it is installed. */
@Timeout(420)
class ClientConformanceIT {
  private static final int TOPICS = 10;
  private static final int KILLS = 2;

  @TempDir static Path packages;
  private static List<FeedClient.Kind> kinds;

  @TempDir Path directory;
  private final int port = Ports.free();
  private final List<FeedClient> clients = new ArrayList<>();

  @BeforeAll
  static void install() throws Exception {
    kinds = FeedClient.install(packages);
  }

  @AfterEach
  void endClients() {
    clients.forEach(FeedClient::close);
  }

  private List<FeedClient> watchAll(String filter, String... options) {
    URI live = URI.create("http://127.0.0.1:" + port + "/live");
    List<FeedClient> all = kinds.stream().map(kind -> kind.watch(live, filter, options)).toList();
    clients.addAll(all);
    return all;
  }

  private GalopProcess start(String data, String... settings) {
    List<String> args = new ArrayList<>(List.of("--set", "http.port=" + port));
    List.of(settings).forEach(setting -> args.addAll(List.of("--set", setting)));
    return GalopProcess.run(directory.resolve(data), List.of(), args);
  }

  private static void publish(GalopProcess node, String lines) throws Exception {
    var answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines);
    assertEquals(202, answer.statusCode(), answer.body());
  }

  private static void each(List<FeedClient> clients, String event, String field, Object value) {
    clients.forEach(client -> client.await(event, field, value));
  }

  /** What a user does with the tarball: the compiler knows its types, a page is built from it. */
  @Test
  void isTypedAndBuildsIntoAPage() throws Exception {
    Path app = packages.resolve("app");
    for (String file : List.of("page/index.html", "page/page.ts", "page/feed-worker.ts")) {
      ClientPackages.copy(app, "test/" + file);
    }
    ClientPackages.copy(app, "test/types.ts");
    String options = "--noEmit --strict --target es2022 --module nodenext --lib es2022,dom";
    List<String> check = new ArrayList<>(List.of("node", "node_modules/typescript/bin/tsc"));
    check.addAll(
        List.of((options + ",esnext.disposable types.ts page.ts feed-worker.ts").split(" ")));
    ClientPackages.run(app, check.toArray(String[]::new));
    ClientPackages.run(app, "node", "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn");
    try (var built = Files.list(app.resolve("dist/assets"))) {
      List<String> names = built.map(file -> file.getFileName().toString()).toList();
      assertTrue(names.stream().anyMatch(name -> name.startsWith("feed-worker-")), "" + names);
    }
  }

  /** What a Java programmer begins with, run as its first lines say. */
  @Test
  void runsTheJavaExample() throws Exception {
    try (GalopProcess node = start("data")) {
      publish(node, NumberedFeed.lines("e", 0, 3));
      String all = example(node, "race/#");
      assertTrue(all.contains("race/1 {\"n\":1}"), all);
      String some = example(node, "race/+", "has(data.n) && data.n > 1");
      assertFalse(some.contains("race/1 "), "where holds: " + some);
    }
  }

  /** What the example prints until it is live and has shown the last record of the snapshot. */
  private String example(GalopProcess node, String... arguments) throws Exception {
    Path output = Files.createTempFile(directory, "watch", ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", ClientPackages.javaClassPath()));
    command.add(ClientPackages.javaExample("Watch.java").toString());
    command.add(node.http("/live").toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      Await.until("prints a record", 60, () -> printed(output).contains("race/2 {\"n\":2}"));
      Await.until(
          "says it is live", 60, () -> Collections.frequency(printed(output), "LIVE ") == 2);
      return Files.readString(output);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static List<String> printed(Path output) throws IOException {
    return Files.readAllLines(output);
  }

  /** The node is killed in the middle of a feed; in the end it comes back without its data. */
  @Test
  void missesNothingOverKillsAndIsToldOfWhatIsLost() throws Exception {
    GalopProcess node = start("data");
    try {
      publish(node, NumberedFeed.lines("before", 0, 3 * TOPICS));
      List<FeedClient> all = watchAll("race/#");
      each(all, "status", "state", "live");
      for (FeedClient client : all) {
        Await.until(client + " has the snapshot", 60, () -> client.records().size() >= TOPICS);
        assertEquals(TOPICS, client.all("record", "catchingUp", true).size(), "the snapshot");
      }
      Set<String> published;
      try (NumberedFeed feed = new NumberedFeed(node.http("/publish"))) {
        for (int kill = 1; kill <= KILLS; kill++) {
          feed.awaitMore(200);
          node.kill();
          for (FeedClient client : all) {
            client.await("status", "reason", "connection", kill);
          }
          node = start("data");
          for (FeedClient client : all) {
            client.await("status", "state", "live", kill + 1);
          }
        }
        feed.awaitMore(200);
        feed.close();
        published = new HashSet<>(feed.acknowledged());
      }
      Set<String> stored = new HashSet<>();
      URI history = node.http("/history/race/%23?limit=10000");
      Stored.history(history).forEach(seen -> stored.add(seen.id()));
      assertTrue(stored.containsAll(published), "what was acknowledged is kept");
      stored.removeIf(id -> id.startsWith("before"));
      for (FeedClient client : all) {
        Await.until(client + " has all", 120, () -> client.ids().containsAll(stored));
        assertEquals(List.of(), client.outOfOrder(), client + " has each once, in order");
        assertEquals(List.of(), client.all("status", "state", "gap"), client + " was told no gap");
        assertEquals(List.of(), repeated(client), client + " has no record twice in an epoch");
      }
      List<FeedClient> newest = watchAll("race/#", "--policy", "latest");
      each(newest, "status", "state", "live");
      for (FeedClient client : newest) {
        client.say("hold");
      }
      each(newest, "held", "event", "held");
      publish(node, NumberedFeed.lines("held", 0, 1)); // with it in hand they take no more
      each(newest, "record", "id", "held0");
      node.kill();
      node = start("other");
      publish(node, NumberedFeed.lines("after", 0, TOPICS));
      each(clients, "status", "reason", "lost");
      for (FeedClient client : all) {
        client.await("record", "id", "after9");
        assertTrue(!client.all("record", "afterGap", true).isEmpty(), client + " marks the gap");
      }
      publish(node, NumberedFeed.lines("later", 0, TOPICS));
      each(all, "record", "id", "later9");
      for (FeedClient client : newest) {
        client.say("go");
        client.await("record", "id", "later9");
        client.await("record", "afterGap", true); // though newer ones replaced the first
      }
    } finally {
      node.close();
    }
  }

  /** Ids that came again with a Position of the same epoch, which is no other attempt. */
  private static List<String> repeated(FeedClient client) {
    Set<String> seen = new HashSet<>();
    return client.records().stream()
        .filter(one -> one.getString("id").startsWith("k"))
        .map(one -> one.getString("id") + " " + Position.parse(one.getString("position")).epoch())
        .filter(id -> !seen.add(id))
        .toList();
  }

  @Test
  void isToldOfASilentTopicAndOfItsOwnSlowness() throws Exception {
    String rule = "broadcast.freshness=[{filter: race/quiet, maxAgeMs: 1000}]";
    try (GalopProcess node = start("data", rule)) {
      List<FeedClient> all = watchAll("race/quiet");
      List<FeedClient> dropping =
          watchAll("race/+", "--max-queue", "50", "--policy", "drop-oldest");
      List<FeedClient> newest = watchAll("race/+", "--max-queue", "50", "--policy", "latest");
      List<FeedClient> ending = watchAll("race/+", "--max-queue", "50");
      each(clients, "status", "state", "live");
      publish(node, "{\"topic\":\"race/quiet\",\"data\":{\"n\":1}}");
      each(all, "topic", "stale", true);
      publish(node, "{\"topic\":\"race/quiet\",\"data\":{\"n\":2}}");
      each(all, "topic", "stale", false);
      for (FeedClient client : clients) {
        client.say("hold");
      }
      each(clients, "held", "event", "held");
      publish(node, NumberedFeed.lines("k", 0, 500));
      each(dropping, "status", "reason", "slow_consumer");
      each(ending, "status", "reason", "slow_consumer");
      for (FeedClient client : clients) {
        client.say("go");
      }
      publish(node, "{\"topic\":\"race/1\",\"id\":\"last\",\"data\":{\"n\":1}}");
      each(dropping, "record", "id", "last");
      List.of("k490", "k495", "k499").forEach(id -> each(newest, "record", "id", id));
      each(ending, "end", "reason", "slow_consumer");
      for (FeedClient client : dropping) {
        assertTrue(!client.all("record", "afterGap", true).isEmpty(), client + " marks the gap");
        assertTrue(client.records().size() < 500, client + " has dropped some");
      }
      for (FeedClient client : newest) {
        assertEquals(List.of(), client.all("status", "state", "gap"), "room for each topic");
      }
      for (FeedClient client : all) {
        client.say("end");
      }
      each(all, "end", "reason", "");
    }
  }

  @Test
  void isToldThatATokenIsRefusedAndRenewsIt() throws Exception {
    TestTokens tokens = TestTokens.of("HS256", directory);
    Path file = directory.resolve("token");
    Files.writeString(file, tokens.token("anna", -60, "race/#"));
    try (GalopProcess node = start("data", tokens.settings().toArray(String[]::new))) {
      List<FeedClient> all = watchAll("race/#", "--token-file", file.toString());
      each(all, "connection", "reason", "token_expired");
      // Long enough for who has just been refused, waits before it comes back, and renews twice.
      Files.writeString(file, tokens.token("anna", 40, "race/#"));
      each(all, "status", "state", "live");
      Files.writeString(file, tokens.token("eve", 3600, "race/#"));
      for (FeedClient client : all) { // what was refused is tried again: a key may come late
        client.await("token", "reason", "token_other_subject", 2);
      }
      // With the end of the first the connection ends, and the other subject is let in.
      each(all, "connection", "code", 3501);
      for (FeedClient client : all) {
        client.await("status", "state", "live", 2);
        assertEquals(List.of(), client.all("token", "reason", ""), client + " had none taken");
      }
      Files.writeString(file, tokens.token("anna", 25, "race/#")); // three clients have to start
      List<FeedClient> renewing = watchAll("race/#", "--token-file", file.toString());
      each(renewing, "status", "state", "live");
      Files.writeString(file, tokens.token("anna", 3600, "race/#"));
      each(renewing, "token", "reason", "");
      each(watchAll("plant/#", "--token-file", file.toString()), "end", "reason", "access_denied");
      JsonObject order = new JsonObject().put("subject", "anna");
      Stored.post(node.management("/viewers/disconnect"), "application/json", order.encode());
      each(renewing, "connection", "code", 3502);
      each(renewing, "connection", "reason", "token_revoked");
    }
  }

  /** Pages, rows and points of the past, and the node's own words where it refuses. */
  @Test
  void asksForThePast() throws Exception {
    TestTokens tokens = TestTokens.of("HS256", directory);
    Path file = directory.resolve("token");
    Files.writeString(file, tokens.token("anna", 3600, "race/#"));
    try (GalopProcess node = start("data", tokens.settings().toArray(String[]::new))) {
      StringBuilder lines = new StringBuilder();
      for (int n = 0; n < 7; n++) {
        String line =
            "{\"topic\":\"race/%d a&b%%\",\"id\":\"i%d\",\"time\":%d,\"data\":{\"n\":%d}}\n";
        lines.append(line.formatted(n % 3, n, 86_400_000_000L * 20_000 + n, n));
      }
      publish(node, lines.toString());
      List<FeedClient> all = watchAll("race/#", "--token-file", file.toString());
      each(all, "status", "state", "live");
      for (FeedClient client : all) {
        client.say("past");
        client.await("past", "records", "i0,i1,i2;i3,i4,i5;i6");
        JsonObject past = client.all(one -> "past".equals(one.getString("event"))).get(0);
        String rows = "race/0 a&b% 0 6,race/1 a&b% 1 4;race/2 a&b% 2 5";
        assertEquals(rows, past.getString("rows"), client + " has the rows");
        assertEquals("0,3,6,1,4,2,5", past.getString("points"), client + " has the points");
        String refusal = past.getString("refusal");
        String words = "invalid_parameter 400 'limit' is '0'; expected a number from 1 to 10000";
        assertTrue(refusal.startsWith(words), client + " says " + refusal);
      }
    }
  }

  private static String numbered(String prefix, int... values) {
    StringBuilder lines = new StringBuilder();
    for (int n : values) {
      lines.append(
          "{\"topic\":\"race/%d\",\"id\":\"%s%d\",\"data\":{\"n\":%d}}\n"
              .formatted(n, prefix, n, n));
    }
    return lines.toString();
  }

  /** Other wishes hold from the answer on, also over another connection. */
  @Test
  void changesItsWishesWhileItLives() throws Exception {
    GalopProcess node = start("data");
    try {
      List<FeedClient> all = watchAll("race/#");
      each(all, "status", "state", "live");
      for (FeedClient client : all) {
        client.say("wrong");
        client.await("updated", "reason", "invalid_header");
        client.say("narrow");
        client.await("updated", "reason", "");
      }
      publish(node, numbered("a", 1, 2, 100));
      each(all, "record", "id", "a100");
      node.kill();
      node = start("data");
      for (FeedClient client : all) {
        client.await("status", "state", "live", 2);
      }
      publish(node, numbered("b", 1, 2, 101));
      for (FeedClient client : all) {
        client.await("record", "id", "b101");
        // With a rate a resume brings the newest of all topics again.
        assertEquals(Set.of("a100", "b101"), Set.copyOf(client.ids()), client + " by its wishes");
      }
    } finally {
      node.close();
    }
  }

  @Test
  void isToldWhatOperatorsCapsLeave() throws Exception {
    String caps = "broadcast.caps=[{topics: race/1, maxRate: 2.5}]";
    GalopProcess node = start("data", caps);
    try {
      List<FeedClient> some = watchAll("race/#");
      List<FeedClient> one = watchAll("race/1");
      each(clients, "status", "state", "live");
      each(some, "capped", "caps", "- - race/1 2.5");
      each(one, "capped", "caps", "2.5 - ");
      node.kill();
      node = start("data");
      each(clients, "capped", "caps", "- - ");
    } finally {
      node.close();
    }
  }

  /** Of the parts of the packages that need no node. */
  @Test
  void passesItsOwnTests() throws Exception {
    ClientPackages.test(packages);
  }

  /** The node that viewers are connected to stays; the one behind it that stores is killed. */
  @Test
  void isToldThatTheFeedBehindTheNodeIsStale() throws Exception {
    try (Pair pair = Pair.start(directory, List.of(), List.of())) {
      URI live = pair.front().http("/live");
      List<FeedClient> all = kinds.stream().map(kind -> kind.watch(live, "race/#")).toList();
      clients.addAll(all);
      each(all, "status", "state", "live");
      publish(pair.secure(), NumberedFeed.lines("a", 0, TOPICS));
      pair.secure().kill();
      each(all, "status", "reason", "feed");
      pair.startSecure();
      publish(pair.secure(), NumberedFeed.lines("b", 0, TOPICS));
      for (FeedClient client : all) {
        client.await("status", "state", "live", 2);
        // Records of different shards come in any order.
        Await.until(client + " has all", 60, () -> Set.copyOf(client.ids()).size() == 2 * TOPICS);
      }
    }
  }
}
