package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.sockjs.RawHttp;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much browsers may take of a node. */
@Timeout(180)
class LiveLimitsTest extends FeedTest {
  private int refusedStatus() {
    ExecutionException refused = assertThrows(ExecutionException.class, feed::connect);
    return ((UpgradeRejectedException) refused.getCause()).getStatus();
  }

  private double refused(String reason) {
    return feed.counted("refused", reason);
  }

  private static String lastError(LiveClient client) {
    List<JsonObject> errors = client.all("err");
    return errors.isEmpty() ? "" : errors.get(errors.size() - 1).getString("message");
  }

  @Test
  void anAddressHasSoManyBrowsers() throws Exception {
    start("broadcast.limits.connectionsPerAddress=2");
    LiveClient first = feed.connect();
    feed.connect();
    assertEquals(429, refusedStatus());
    assertEquals(1, refused("address_full"));
    first.close();
    LiveClient.await(
        "the end", () -> feed.node.meters().get("galop.broadcast.connections").gauge().value() < 2);
    feed.connect().settle();
  }

  @Test
  void anAddressComesSoOften() throws Exception {
    start("broadcast.limits.newPerSecondPerAddress=1");
    List<Integer> answers = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      try {
        feed.connect();
        answers.add(101);
      } catch (ExecutionException refused) {
        answers.add(((UpgradeRejectedException) refused.getCause()).getStatus());
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    long in = answers.stream().filter(status -> status == 101).count();
    assertTrue(in >= 1 && in <= 2 + seconds, in + " in " + seconds + " s");
    assertEquals(20 - in, answers.stream().filter(status -> status == 429).count());
    assertEquals(20 - in, refused("too_fast"));
    LiveClient.await("the next second", this::isLetIn);
  }

  /** A place that nobody gives back would be lost until the node is started again. */
  @Test
  void anUpgradeWithABodyTakesNoPlace() throws Exception {
    start("broadcast.maxConnections=1");
    for (int bytes : List.of(5, 9000)) {
      try (RawHttp http = new RawHttp(feed.port())) {
        String body = "x".repeat(bytes);
        String[] upgrade = {
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "Content-Length: " + bytes
        };
        assertEquals(400, http.request("GET", "/live/websocket", body, upgrade).status());
      }
    }
    feed.connect().settle();
  }

  private boolean isLetIn() {
    try {
      feed.connect();
      return true;
    } catch (Exception refused) {
      return false;
    }
  }

  @Test
  void allTogetherRegisterSoMuch() throws Exception {
    start("broadcast.limits.registrations=3");
    registersThree("broadcast.limits.registrations");
  }

  @Test
  void anAddressRegistersSoMuch() throws Exception {
    start("broadcast.limits.registrationsPerAddress=3");
    registersThree("broadcast.limits.registrationsPerAddress");
  }

  private void registersThree(String limit) throws Exception {
    LiveClient one = feed.connect();
    LiveClient two = feed.connect();
    one.register("a");
    one.register("b", Map.of("snapshot", "true"));
    one.settle();
    two.register("a");
    two.register("b");
    two.settle();
    assertEquals("max_handlers_reached", two.awaitFirst("err").getString("body"));
    assertTrue(lastError(two).endsWith(" by " + limit), lastError(two));
    one.send("{\"type\":\"unregister\",\"address\":\"a\"}");
    one.settle();
    two.register("b");
    two.register("c");
    two.settle();
    assertEquals(2, two.count("err"));
    one.close();
    LiveClient.await("the end", () -> registrations() == 2);
    two.register("c");
    two.settle();
    assertEquals(2, two.count("err"));
    two.close();
    LiveClient.await("all gone", () -> registrations() == 0);
  }

  private double registrations() {
    return feed.node.meters().get("galop.broadcast.registrations").gauge().value();
  }
}
