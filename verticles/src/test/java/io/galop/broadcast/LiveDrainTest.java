package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that sends its browsers to others. */
@Tag("slow")
@Timeout(180)
class LiveDrainTest extends FeedTest {
  private static final int CLIENTS = 40;

  private final List<LiveClient> clients = new ArrayList<>();

  private void startWithBrowsers(String... settings) throws Exception {
    start(settings);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(witness("a"));
    }
  }

  private long gone() {
    return clients.stream().filter(LiveClient::isClosed).count();
  }

  @Test
  void browsersLeaveEvenlyOverTheTime() throws Exception {
    startWithBrowsers("broadcast.drainSeconds=4");
    long begin = System.nanoTime();
    Future<?> drained = feed.verticle.drain();
    assertFalse(feed.node.readiness().isReady());
    LiveClient.await("a quarter", () -> gone() >= CLIENTS / 4);
    double quarter = (System.nanoTime() - begin) / 1e9;
    assertTrue(quarter > 0.8, "a quarter had left after " + quarter + " s");
    feed.publish("a", 1);
    LiveClient.await("the others are served", () -> clients.stream().anyMatch(c -> has(c)));
    TestFeed.await(drained);
    double all = (System.nanoTime() - begin) / 1e9;
    assertTrue(all > 3.9, "all had left after " + all + " s");
    LiveClient.await("all gone", () -> gone() == CLIENTS);
    for (LiveClient client : clients) {
      JsonObject farewell = client.all("err").get(0);
      assertEquals(3001, farewell.getInteger("failureCode"));
      int retryAfterMs = farewell.getInteger("retryAfterMs");
      assertTrue(retryAfterMs >= 0 && retryAfterMs < 1000, farewell.encode());
    }
    long different =
        clients.stream()
            .map(c -> c.all("err").get(0).getInteger("retryAfterMs"))
            .distinct()
            .count();
    assertTrue(different > CLIENTS / 4, different + " different times to come back");
  }

  private static boolean has(LiveClient client) {
    return !client.ids().isEmpty();
  }

  @Test
  void nobodyIsLetInMeanwhile() throws Exception {
    startWithBrowsers("broadcast.drainSeconds=600");
    feed.node.readiness().drain();
    LiveClient.await("the door is shut", () -> info().statusCode() == 503);
    HttpResponse<String> refused = info();
    assertEquals("1", refused.headers().firstValue("Retry-After").orElse("absent"));
    assertEquals("shutdown", new JsonObject(refused.body()).getString("reason"));
    ExecutionException websocket = assertThrows(ExecutionException.class, feed::connect);
    assertEquals(503, ((UpgradeRejectedException) websocket.getCause()).getStatus());
    LiveClient last = clients.get(CLIENTS - 1);
    if (!last.isClosed()) {
      last.settle();
    }
  }

  private HttpResponse<String> info() {
    URI uri = URI.create("http://127.0.0.1:" + feed.port() + "/live/info");
    try {
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void balancersAreGivenTimeToNotice() throws Exception {
    startWithBrowsers("broadcast.drainWaitSeconds=10");
    long begin = System.nanoTime();
    Future<?> drained = feed.verticle.drain();
    assertEquals("{drain=browsers are sent to other nodes}", reasons());
    assertEquals(200, info().statusCode());
    TestFeed.await(drained);
    assertTrue(System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(10), "it did not wait");
    LiveClient.await("all gone", () -> gone() == CLIENTS);
  }

  private String reasons() {
    return feed.node.readiness().reasons().toString();
  }
}
