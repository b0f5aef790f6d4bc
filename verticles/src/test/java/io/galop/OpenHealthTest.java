package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What everybody is told of a node's health, without a login: nothing of viewers and topics. */
@Timeout(180)
class OpenHealthTest {
  private static final String TOPIC = "secret/7";

  @TempDir Path directory;

  private static void publish(OperatedNode node) throws Exception {
    URI door = URI.create("http://" + node.address("http") + "/publish/" + TOPIC);
    HttpRequest record =
        HttpRequest.newBuilder(door).POST(BodyPublishers.ofString("{\"c\":2}")).build();
    HttpClient.newHttpClient().send(record, BodyHandlers.discarding());
  }

  @Test
  void aSilentTopicIsNamedToWhoHasALoginOnly() throws Exception {
    String rules = "broadcast.freshness=[{filter: 'secret/#', maxAgeMs: 1000}]";
    try (OperatedNode node = OperatedNode.start(directory, rules)) {
      publish(node);
      node.await(
          "it is silent",
          () -> node.get("/status", OperatedNode.VIEWER).body().contains(TOPIC + " (less"));
      String all = node.get("/conditions", OperatedNode.VIEWER).body();
      assertTrue(all.contains(TOPIC + " (less"), all);
      for (String path : List.of("/health/ready", "/health/ready/publish", "/health/ready/view")) {
        String open = node.get(path, "").body();
        assertTrue(open.contains("\"part\":\"silent topics\""), open);
        assertTrue(open.contains("allows: 1 topic\""), open);
        assertFalse(open.contains("secret"), open);
      }
      assertEquals(401, node.get("/status", "").statusCode());
    }
  }
}
