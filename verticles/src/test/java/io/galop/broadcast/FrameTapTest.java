package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.sockjs.RawHttp;
import io.galop.broadcast.write.Outbox;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever is looked at, or no longer, is sent the same, whatever it comes by. */
@Tag("slow")
@Timeout(180)
class FrameTapTest extends FeedTest {
  private static final int RECORDS = 20;
  private static final Pattern ID = Pattern.compile("\"id\":\"(a:\\d+)\"");

  private LiveClient witness;
  private ViewerLooks.Place viewer;

  private Outbox outbox() {
    return viewer.viewer().deliveries();
  }

  private void find(String transport) throws Exception {
    List<Hub> hubs = TestFeed.await(feed.verticle.feed().hubs());
    LiveClient.await("it is there", () -> id(transport).isPresent());
    String id = id(transport).orElseThrow();
    viewer = TestFeed.await(ViewerLooks.found(Future.succeededFuture(hubs), id)).orElseThrow();
  }

  private Optional<String> id(String transport) {
    try {
      JsonObject found =
          TestFeed.await(
              feed.node
                  .reports()
                  .findShared(ViewerSearch.NAME)
                  .orElseThrow()
                  .answer(Map.of("find", "a", "by", "topic")));
      return found.getJsonArray("viewers").stream()
          .map(JsonObject.class::cast)
          .filter(one -> one.getString("transport").equals(transport))
          .map(one -> one.getString("id"))
          .findFirst();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private <T> T onLoop(Supplier<T> work) {
    try {
      return TestFeed.await(LoopTurn.on(viewer.hub()::post, work));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Each third of the records, once the viewer is looked at, and once it no longer is. */
  private void publishInThirds() throws Exception {
    publish(0);
    FrameTap tap = onLoop(() -> FrameTap.on(outbox()));
    publish(1);
    LiveClient.await("they are seen", () -> onLoop(tap::json).getLong("written") > 0);
    onLoop(
        () -> {
          tap.off(outbox());
          return "";
        });
    publish(2);
  }

  private void publish(int third) throws Exception {
    feed.publish("a", third * RECORDS, (third + 1) * RECORDS);
    witness.awaitIds((third + 1) * RECORDS);
  }

  private void assertNothingWaits() throws Exception {
    LiveClient.await("all has left", () -> onLoop(() -> outbox().bytes()) == 0);
    assertEquals(0, onLoop(() -> outbox().records()));
  }

  @Test
  void betweenPollsNothingIsLostDoubledOrInAnotherOrder() throws Exception {
    start();
    witness = witness("a");
    try (RawHttp http = new RawHttp(feed.port())) {
      Poller poller = new Poller("tapped", http).watching("a");
      find("polling");
      publishInThirds();
      assertTrue(onLoop(() -> outbox().bytes()) > 0, "it waits for a poll");
      assertEquals(ids("a", 0, 3 * RECORDS), poller.ids(3 * RECORDS));
      assertNothingWaits();
    }
  }

  @Test
  void norIsAnythingOfAStream() throws Exception {
    start();
    witness = witness("a");
    URI events = URI.create("http://127.0.0.1:" + feed.port() + "/stream/a?format=sse");
    HttpResponse<Stream<String>> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(events).build(), BodyHandlers.ofLines());
    try (Stream<String> lines = answer.body()) {
      find("streaming");
      publishInThirds();
      List<String> ids =
          lines
              .flatMap(line -> ID.matcher(line).results())
              .map((MatchResult found) -> found.group(1))
              .limit(3 * RECORDS)
              .toList();
      assertEquals(ids("a", 0, 3 * RECORDS), ids);
      assertNothingWaits();
    }
  }
}
