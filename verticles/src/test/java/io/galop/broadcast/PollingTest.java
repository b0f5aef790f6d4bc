package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.sockjs.RawHttp;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Browsers without a websocket get what those with one get, on several event loops. */
@Tag("slow")
@Timeout(180)
class PollingTest extends FeedTest {
  private static final String PRELUDE = "h".repeat(2048) + "\n";

  private final List<RawHttp> open = new ArrayList<>();
  private LiveClient quick;

  @AfterEach
  void hangUp() throws Exception {
    for (RawHttp http : open) {
      http.close();
    }
  }

  private RawHttp http() throws IOException {
    RawHttp http = new RawHttp(feed.port());
    open.add(http);
    return http;
  }

  private Poller poller(String id) throws IOException {
    return new Poller(id, http(), http(), http());
  }

  private static List<String> ids(int count) {
    return ids("a", 0, count);
  }

  /** Somebody who reads tells when all the records have come. */
  private void watchToo() throws Exception {
    quick = witness("a");
  }

  private void publish(int records, String data) throws Exception {
    feed.onOwners(
        () -> {
          for (int n = 0; n < records; n++) {
            feed.owner("a").publish("a", "a:" + n, data);
          }
          return null;
        });
    quick.awaitIds(records);
  }

  private int connections() {
    return feed.verticle.feed().meters().connections().get();
  }

  @Test
  void pollersGetEveryRecordOnceAndInOrder() throws Exception {
    start();
    List<Poller> pollers = new ArrayList<>();
    for (int n = 0; n < 4; n++) {
      pollers.add(poller("poller" + n).watching("a"));
    }
    for (int n = 0; n < 1000; n += 50) {
      feed.publish("a", n, n + 50);
      if (n % 100 == 0) {
        Thread.sleep(2);
      }
    }
    for (Poller poller : pollers) {
      assertEquals(ids(1000), poller.ids(1000));
    }
    LiveClient.await("sent", () -> feed.counted("sent") == 4000);
  }

  @Test
  void whoPollsSlowlyHoldsNoMoreThanTheOutbox() throws Exception {
    start(
        "broadcast.outboxBytes=65536",
        "broadcast.ring.maxBytes=300000000",
        "broadcast.disconnectDelayMs=60000");
    List<Poller> slow = new ArrayList<>();
    for (int n = 0; n < 8; n++) {
      slow.add(poller("slow" + n).watching("a"));
    }
    String data = "{\"x\":\"" + "x".repeat(20_000) + "\"}";
    watchToo();
    long before = directBytes();
    publish(600, data);
    // Netty takes memory in chunks of 4 MiB, one at least for each event loop and thread.
    long held = directBytes() - before;
    assertTrue(held < 48 << 20, held + " bytes for what 8 sessions do not ask for of 96 MB");
    for (Poller poller : slow) {
      assertEquals(ids(600), poller.ids(600));
    }
  }

  private static long directBytes() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  /** A stream that goes on in the next response when one has had its limit. */
  private final class Stream {
    private final String url;
    private RawHttp http;
    private int responses;

    Stream(String id) throws IOException {
      url = poller(id).watching("a").url();
      next();
    }

    private void next() throws IOException {
      http = responses++ % 2 == 0 ? http() : http;
      assertEquals(200, http.post(url + "/xhr_streaming", "").status());
      assertEquals(PRELUDE, http.chunk());
    }

    List<String> ids(int records) throws IOException {
      List<String> ids = new ArrayList<>();
      while (ids.size() < records) {
        String frame = http.chunk();
        if (frame.isEmpty()) {
          next();
        } else {
          SockClient.messages(frame)
              .forEach(record -> ids.add(record.getJsonObject("body").getString("id")));
        }
      }
      return ids;
    }
  }

  @Test
  void whoDoesNotReadAStreamHoldsNoMoreThanTheOutbox() throws Exception {
    start(
        "broadcast.outboxBytes=65536",
        "broadcast.ring.maxBytes=300000000",
        "broadcast.disconnectDelayMs=60000");
    List<Stream> slow = new ArrayList<>();
    for (int n = 0; n < 8; n++) {
      slow.add(new Stream("slow" + n));
    }
    String data = "{\"x\":\"" + "x".repeat(20_000) + "\"}";
    watchToo();
    long before = directBytes();
    publish(600, data);
    // Netty takes memory in chunks of 4 MiB for each event loop, which other tests of this JVM
    // share.
    long held = directBytes() - before;
    assertTrue(held < 48 << 20, held + " bytes for what 8 streams do not read of 96 MB");
    for (Stream stream : slow) {
      assertEquals(ids(600), stream.ids(600));
      assertTrue(stream.responses >= 60, stream.responses + " responses for 12 MB");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"xhr", "xhr_streaming"})
  void theReasonIsInTheCloseFrame(String transport) throws Exception {
    start();
    Poller session = poller("closing").watching("a");
    feed.endpoints.forEach(e -> e.hub().post(() -> e.hub().disconnectAll(Disconnect.SLOW)));
    RawHttp http = http();
    boolean isStream = transport.equals("xhr_streaming");
    String first = http.post(session.url() + "/" + transport, "").body();
    String words = isStream ? afterPrelude(http) : first;
    assertEquals(3008, SockClient.messages(words).get(0).getInteger("failureCode"));
    String end = isStream ? http.chunk() : session.poll();
    assertEquals("c[3008,\"slow\"]\n", end);
    LiveClient.await("end", () -> connections() == 0);
    assertEquals("c[3008,\"slow\"]\n", session.poll());
  }

  private static String afterPrelude(RawHttp http) throws IOException {
    assertEquals(PRELUDE, http.chunk());
    return http.chunk();
  }

  @Test
  void whoWaitsGetsHeartbeats() throws Exception {
    start("broadcast.heartbeatMs=1000");
    Poller poller = poller("idle").watching("a");
    assertEquals("h\n", poller.poll());
    RawHttp stream = http();
    stream.post("/live/1/idle/xhr_streaming", "");
    assertEquals(PRELUDE, stream.chunk());
    assertEquals("h\n", stream.chunk());
    assertEquals("h\n", stream.chunk());
  }

  /** More than the sockets keep, of which the browser reads nothing; and nothing more comes. */
  private RawHttp stuck(Poller session) throws Exception {
    RawHttp stuck = http();
    stuck.send("POST " + session.url() + "/xhr HTTP/1.1", "");
    String large = "{\"x\":\"" + "x".repeat(16 << 20) + "\"}";
    feed.onOwners(() -> feed.owner("a").publish("a", "a:0", large));
    assertEquals(200, stuck.answerStatus());
    return stuck;
  }

  @Test
  void whoNeverTakesAnAnswerIsSentAway() throws Exception {
    start("broadcast.heartbeatMs=1000");
    RawHttp stuck = stuck(poller("gone").watching("a"));
    LiveClient.await("end", () -> connections() == 0);
    assertThrows(IOException.class, () -> stuck.read(16 << 20));
  }

  @Test
  void whoDoesNotTakeItsLastWordsIsCutOff() throws Exception {
    start("broadcast.disconnectDelayMs=1000");
    RawHttp stuck = stuck(poller("stuck").watching("a"));
    feed.endpoints.forEach(e -> e.hub().post(() -> e.hub().disconnectAll(Disconnect.SLOW)));
    LiveClient.await("end", () -> connections() == 0);
    assertThrows(IOException.class, () -> stuck.read(16 << 20));
  }

  @Test
  void whoGoesGivesTheirPlaceBack() throws Exception {
    start("broadcast.maxConnections=2");
    Poller stays = poller("stays").watching("a");
    Poller goes = poller("goes");
    assertEquals(503, http().post("/live/1/third/xhr", "").status());
    assertEquals(2, connections());
    RawHttp waiting = http();
    waiting.send("POST " + goes.url() + "/xhr HTTP/1.1", "");
    waiting.close();
    RawHttp held = http();
    held.send("POST " + stays.url() + "/xhr HTTP/1.1", "");
    LiveClient.await("end", () -> connections() == 1);
    assertEquals(200, http().post("/live/1/third/xhr", "").status());
    feed.publish("a", 0);
    assertEquals(1, SockClient.messages(held.answer().body()).size());
  }

  @Test
  void onlyTheConfiguredTransportsAreThere() throws Exception {
    start("broadcast.transports=[xhr-polling]");
    assertEquals("o\n", http().post("/live/1/s/xhr", "").body());
    assertEquals(204, http().post("/live/1/s/xhr_send", "[]").status());
    for (String gone : List.of("eventsource", "jsonp?c=f", "htmlfile?c=f", "websocket")) {
      assertEquals(404, http().get("/live/1/t/" + gone).status(), gone);
    }
    assertEquals(404, http().post("/live/1/t/xhr_streaming", "").status());
    assertEquals(404, http().post("/live/1/s/jsonp_send", "d=%5B%5D").status());
    assertTrue(http().get("/live/info").body().contains("\"websocket\":false"));
  }
}
