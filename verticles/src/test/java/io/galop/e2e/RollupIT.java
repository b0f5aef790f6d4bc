package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a node while it rolls up: each record that was acknowledged counts once,
 * though nothing but the roll-ups is left of most minutes.
 */
@Timeout(420)
class RollupIT {
  private static final int KILLS = 3;
  private static final int PER_SECOND = 2_000;
  private static final int PER_KILL = 4_000;

  @TempDir Path directory;
  private final int door = Ports.free();

  private GalopProcess start() throws Exception {
    return GalopProcess.run(
        directory.resolve("data"),
        QuickStart.options(),
        List.of(
            "--set",
            "ingest.tcp.port=" + door,
            "--set",
            "persist.cold.enabled=false",
            "--set",
            "persist.ram.maxBytes=1048576",
            "--set",
            "persist.rollups.flushMs=300",
            "--set",
            "persist.rollups.rules=[{topics: 'plant/#', fields: [n]}]"));
  }

  private static HttpResponse<String> rows(GalopProcess node) throws Exception {
    String question = "/history/plant/%23?every=1m&fields=n&agg=min,max,count&limit=10000";
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(node.http(question))
                .header("Accept", "application/x-ndjson")
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void whatWasAcknowledgedCountsOnceWhateverIsKilled() throws Exception {
    int lines;
    HttpResponse<String> answer;
    GalopProcess node = start();
    try (RetryingFeed feed = new RetryingFeed(door, PER_SECOND)) {
      for (int kill = 1; kill <= KILLS; kill++) {
        int enough = kill * PER_KILL;
        Await.until("records are acknowledged", 60, () -> feed.acknowledged() > enough);
        node.kill();
        node = start();
      }
      lines = feed.finish(60);
      answer = rows(node);
    } finally {
      node.close();
    }
    assertEquals(200, answer.statusCode(), answer.body());
    assertEquals("", answer.headers().firstValue("X-Galop-Incomplete").orElse(""));
    long count = 0;
    long least = Long.MAX_VALUE;
    long most = 0;
    for (String line : answer.body().lines().toList()) {
      JsonObject values = new JsonObject(line).getJsonObject("data").getJsonObject("n");
      count += values.getLong("count");
      least = Math.min(least, values.getLong("min"));
      most = Math.max(most, values.getLong("max"));
    }
    assertEquals(lines - (lines + 9) / 10, count, "one line in ten is on another topic");
    assertEquals(1, least);
    assertTrue(most >= lines - 2, most + " of " + lines);
  }
}
