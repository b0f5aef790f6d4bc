package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.hub.Disconnect;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.vertx.core.json.JsonObject;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The websockets that Galop writes itself, frame by frame. */
@Tag("slow")
@Timeout(180)
class WebsocketTest extends FeedTest {
  private void start(boolean isNative, String... settings) throws Exception {
    feed = TestFeed.start(isNative, settings);
    feed.awaitReady();
  }

  private static String id(JsonObject record) {
    return record.getJsonObject("body").getString("id");
  }

  /** Reads so many records; returns the frames that they came in. */
  private static List<String> frames(SockClient client, int records) throws IOException {
    List<String> frames = new ArrayList<>();
    for (int seen = 0; seen < records; seen += SockClient.messages(last(frames)).size()) {
      frames.add(client.frame());
    }
    return frames;
  }

  private static String last(List<String> frames) {
    return frames.get(frames.size() - 1);
  }

  private static List<String> ids(List<String> frames) throws IOException {
    List<String> ids = new ArrayList<>();
    for (String frame : frames) {
      SockClient.messages(frame).forEach(record -> ids.add(id(record)));
    }
    return ids;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void joinsWhatIsDueTogetherInOrderAndCompletely(boolean isNative) throws Exception {
    start(isNative);
    try (SockClient one = SockClient.watching(feed.port(), "a/#");
        SockClient other = SockClient.watching(feed.port(), "a/#")) {
      feed.publish("a/x", 1);
      assertEquals(ids("a/x", 1, 2), ids(frames(one, 1)));
      frames(other, 1);
      feed.publish("a/x", 2, 2002);
      List<String> frames = frames(one, 2000);
      assertEquals(ids("a/x", 2, 2002), ids(frames));
      assertEquals(ids("a/x", 2, 2002), ids(frames(other, 2000)));
      assertTrue(frames.size() < 500, frames.size() + " frames");
      assertTrue(frames.stream().allMatch(frame -> frame.length() <= 33_000));
      LiveClient.await("sent", () -> feed.counted("sent") == 4002);
      assertTrue(feed.counted("merged") >= 2000 - frames.size());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsWithCodeAndReason(boolean isNative) throws Exception {
    start(isNative);
    try (SockClient client = SockClient.watching(feed.port(), "a")) {
      feed.endpoints.forEach(e -> e.hub().post(() -> e.hub().disconnectAll(Disconnect.SLOW)));
      JsonObject farewell = client.messages().get(0);
      assertEquals(3008, farewell.getInteger("failureCode"));
      assertEquals("c[3008,\"slow\"]", client.frame());
      assertEquals("close 1000", client.frame());
    }
  }

  @Test
  void heartbeatsGoToIdleConnectionsOnly() throws Exception {
    start(true, "broadcast.heartbeatMs=3000");
    try (SockClient idle = SockClient.watching(feed.port(), "nothing");
        SockClient busy = SockClient.watching(feed.port(), "a")) {
      for (int n = 0; n < 20; n++) {
        feed.publish("a", n);
        Thread.sleep(200);
      }
      assertEquals("h", idle.frame());
      assertEquals(ids("a", 0, 20), ids(frames(busy, 20)));
      assertEquals("h", busy.frame());
    }
  }

  @Test
  void whatIsNoJsonCutsTheConnectionOff() throws Exception {
    start(true);
    for (String broken : List.of("[\"a\"", "nonsense", "[1]", "{}", "7")) {
      try (SockClient client = SockClient.connect(feed.port())) {
        client.send("");
        client.send(broken);
        assertEquals("", client.rest(), broken);
      }
    }
  }

  @Test
  void takesOneStringToo() throws Exception {
    start(true);
    try (SockClient client = SockClient.connect(feed.port())) {
      client.send("\"{\\\"type\\\":\\\"ping\\\"}\"");
      assertEquals("pong", client.messages().get(0).getString("type"));
    }
  }

  @Test
  void tooLargeAMessageEndsTheConnection() throws Exception {
    start(true, "broadcast.maxMessageBytes=256");
    try (SockClient client = SockClient.connect(feed.port())) {
      client.say(new JsonObject().put("type", "x".repeat(300)));
      assertEquals(3500, client.messages().get(0).getInteger("failureCode"));
      assertEquals("c[3500,\"message_too_large\"]", client.frame());
    }
    try (SockClient client = SockClient.connect(feed.port())) {
      assertTrue(isCutOffBy(client, "[\"" + "x".repeat(2_000_000) + "\"]"));
    }
    LiveClient.await("end", () -> feed.verticle.feed().meters().connections().get() == 0);
  }

  /** The server may close before it has read all of it. */
  private static boolean isCutOffBy(SockClient client, String text) throws IOException {
    try {
      client.send(text);
      while (!client.frame().startsWith("close")) {
        continue;
      }
      return true;
    } catch (EOFException | SocketException end) {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(300)
  void connectionsThatDoNotReadHoldNoMoreThanTheirOutbox(boolean isNative) throws Exception {
    start(
        isNative,
        "broadcast.outboxBytes=65536",
        "broadcast.ring.maxBytes=300000000",
        "broadcast.staleAfterMs=600000");
    List<SockClient> stalled = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      stalled.add(SockClient.watching(feed.port(), "a"));
    }
    String data = "{\"x\":\"" + "x".repeat(20_000) + "\"}";
    LiveClient quick = feed.connect();
    quick.register("a");
    quick.settle();
    long before = directBytes();
    for (int n = 0; n < 2000; n++) {
      String id = "a:" + n;
      feed.onOwners(() -> feed.owner("a").publish("a", id, data));
    }
    quick.awaitIds(2000);
    long held = directBytes() - before;
    assertTrue(held < 48 << 20, held + " bytes for what 8 connections do not read of 40 MB each");
    for (SockClient client : stalled) {
      assertEquals(ids("a", 0, 2000), ids(frames(client, 2000)));
      client.close();
    }
  }

  private static long directBytes() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  /** A closed socket's number is given to the next connection at once. */
  @Test
  void connectionsThatBreakLeaveTheOthersTheirOwn() throws Exception {
    start(true);
    try (SockClient steady = SockClient.watching(feed.port(), "a")) {
      List<SockClient> others = new ArrayList<>();
      for (int n = 0; n < 300; n++) {
        others.add(SockClient.watching(feed.port(), n % 2 == 0 ? "a" : "b"));
        feed.publish("a", n);
        if (others.size() > 5) {
          others.remove(0).reset();
        }
      }
      assertEquals(ids("a", 0, 300), ids(frames(steady, 300)));
      feed.publish("b", 1);
      assertEquals(5, others.size());
      for (int i = 0; i < 5; i += 2) {
        assertEquals(List.of("b:1"), ids(frames(others.get(i), 1)));
      }
      for (SockClient other : others) {
        other.close();
      }
    }
    LiveClient.await("end", () -> feed.verticle.feed().meters().connections().get() == 0);
  }
}
