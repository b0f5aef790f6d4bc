package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a node says that it is up, and how it goes. */
@Timeout(180)
class LifecycleIT {
  @TempDir Path directory;

  @Test
  void aReadyNodeSaysSoAndEndsInOrder() throws Exception {
    try (GalopProcess node = GalopProcess.run(directory, List.of(), List.of())) {
      assertEquals(200, Stored.get(node.management("/health/live")).statusCode());
      HttpResponse<String> ready = Stored.get(node.management("/health/ready"));
      assertEquals(200, ready.statusCode(), ready.body());
      assertTrue(Stored.get(node.management("/metrics")).body().contains("galop_"));
      assertTrue(Stored.get(node.management("/")).body().contains("Galop console"));
      Stored.post(node.http("/publish/a"), "application/json", "{\"n\":1}");
      node.terminate();
      assertEquals(0, node.awaitExit(120), node.text());
      assertFalse(node.text().contains("Exception"), node.text());
    }
    try (GalopProcess again = GalopProcess.run(directory, List.of(), List.of())) {
      assertEquals(1, Stored.history(again.http("/history/a")).size());
    }
  }

  @Test
  void onlyANodeThatBroadcastsOffersThePage() throws Exception {
    List<String> roles = List.of("--roles", "ingest,enrich,persist");
    try (GalopProcess node = GalopProcess.run(directory, List.of(), roles)) {
      assertFalse(node.text().contains("page http"), node.text());
      assertEquals(404, Stored.get(node.http("/")).statusCode());
    }
    try (GalopProcess node = GalopProcess.run(directory, List.of(), List.of())) {
      assertTrue(node.text().contains("page http://" + node.address("http") + "/"), node.text());
      assertEquals(200, Stored.get(node.http("/")).statusCode());
    }
  }

  @Test
  void aNodeInFrontIsUnreadyWhileNobodyStores() throws Exception {
    try (Pair pair = Pair.start(directory, List.of(), List.of());
        Viewer viewer = Viewer.on(pair.front().http("/live"), "websocket", "a/#")) {
      Await.until("the front is ready", 120, () -> status(pair.front()) == 200);
      pair.secure().kill();
      Await.until("the front is unready", 120, () -> status(pair.front()) == 503);
      Await.until("the viewer is told", 120, () -> !viewer.all("stale").isEmpty());
      JsonObject why = new JsonObject(Stored.get(pair.front().management("/health/ready")).body());
      assertTrue(why.getJsonObject("reasons").containsKey("feed"), why.encode());
      pair.startSecure();
      Await.until("the front is ready again", 120, () -> status(pair.front()) == 200);
      Await.until("the viewer is told", 120, () -> !viewer.all("fresh").isEmpty());
      assertEquals(List.of(), viewer.all("close"));
    }
  }

  @Test
  void leavesNoTemporaryFilesAndClearsThoseOfOneThatWasKilled() throws Exception {
    Path data = directory.resolve("data");
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    List<String> jvm = List.of("-Djava.io.tmpdir=" + temporary, "-XX:-UsePerfData");
    try (GalopProcess killed = GalopProcess.run(data, jvm, List.of())) {
      killed.kill();
    }
    assertEquals(1, names(temporary).size(), "SQLite, in a directory: " + names(temporary));
    try (GalopProcess next = GalopProcess.run(data, jvm, List.of())) {
      assertEquals(1, names(temporary).size(), "its own only: " + names(temporary));
      next.terminate();
      assertEquals(0, next.awaitExit(120), next.text());
    }
    assertEquals(List.of(), names(temporary));
  }

  private static List<String> names(Path directory) {
    return List.of(directory.toFile().list());
  }

  private static int status(GalopProcess node) throws Exception {
    return Stored.get(node.management("/health/ready")).statusCode();
  }
}
