package io.galop.broadcast;

import static io.galop.broadcast.sockjs.RawFrames.LAST;
import static io.galop.broadcast.sockjs.RawFrames.TEXT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.deflate.TestDeflate;
import io.galop.broadcast.sockjs.FrameCases;
import io.galop.broadcast.sockjs.RawFrames;
import io.galop.broadcast.sockjs.RawFrames.Said;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Websockets that are compressed, frame by frame. */
@Timeout(180)
class LiveDeflateTest extends FeedTest {
  private static final int RSV1 = 0x40;
  private static final String SHARED = "broadcast.compression=shared";
  private static final String RAW = "/live/websocket";
  private static final String SOCKJS = "/live/000/x%d/websocket";
  private static final String OFFER = offer("client_max_window_bits");
  private static final String REGISTER = "{\"type\":\"register\",\"address\":\"a\"}";
  private static final String PING = "{\"type\":\"ping\"}";

  private final List<RawFrames> open = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (RawFrames each : open) {
      each.close();
    }
  }

  private static String offer(String parameters) {
    return "Sec-WebSocket-Extensions: permessage-deflate; %s\r\n".formatted(parameters);
  }

  /** A viewer that is known to be registered. */
  private RawFrames viewer(String path, String headers) throws IOException {
    RawFrames viewer = new RawFrames(feed.port(), path.formatted(open.size()), headers);
    open.add(viewer);
    boolean isRaw = path.equals(RAW);
    if (!isRaw) {
      assertEquals("o", viewer.read().text());
    }
    say(viewer, LAST | TEXT, FrameCases.utf8(said(isRaw, REGISTER)));
    say(viewer, LAST | TEXT, FrameCases.utf8(said(isRaw, PING)));
    Said pong = viewer.read();
    assertEquals(LAST | TEXT, pong.flags(), "short messages are not compressed");
    assertTrue(pong.text().contains("pong"), pong.text());
    return viewer;
  }

  private static String said(boolean isRaw, String message) {
    return isRaw ? message : "[\"" + message.replace("\"", "\\\"") + "\"]";
  }

  private static void say(RawFrames viewer, int flags, byte[] payload) throws IOException {
    viewer.write(FrameCases.frame(flags, payload));
  }

  private static boolean isNegotiated(RawFrames viewer) {
    return viewer.answer().contains("permessage-deflate");
  }

  private double counted(String what) {
    return feed.node.meters().get("galop.broadcast." + what).counter().count();
  }

  private void publishLarge() throws Exception {
    String data = new JsonObject().put("text", "a horse, a horse! ".repeat(60)).encode();
    feed.onOwner("a", owner -> owner.publish("a", "a:1", data));
  }

  @ParameterizedTest
  @ValueSource(strings = {RAW, SOCKJS})
  void aFrameIsCompressedOnceAndSharedByAllWhoCanReadIt(String path) throws Exception {
    start(SHARED);
    for (int n = 0; n < 6; n++) {
      assertTrue(isNegotiated(viewer(path, OFFER)));
    }
    long loops = feed.endpoints.stream().filter(each -> !each.hub().isEmpty()).count();
    RawFrames other = viewer(path, "");
    assertFalse(isNegotiated(other));
    publishLarge();
    Said plain = other.read();
    assertEquals(LAST | TEXT, plain.flags());
    Said first = open.get(0).read();
    for (RawFrames next : open.subList(1, 6)) {
      Said said = next.read();
      assertEquals(LAST | RSV1 | TEXT, said.flags());
      assertArrayEquals(first.payload(), said.payload(), "the same bytes");
    }
    assertEquals(plain.text(), TestDeflate.text(first.payload()));
    assertTrue(first.payload().length < plain.payload().length / 4);
    assertEquals(loops, counted("compressed"), "once on each event loop");
    assertEquals(loops * (plain.payload().length + 4), counted("compressed.before"));
  }

  @Test
  void whatAClientCompressesIsHeard() throws Exception {
    start(SHARED);
    RawFrames viewer = viewer(RAW, OFFER);
    byte[] ping = TestDeflate.compressed(FrameCases.utf8(PING));
    say(viewer, RSV1 | TEXT, new byte[] {ping[0]});
    say(viewer, LAST, Arrays.copyOfRange(ping, 1, ping.length));
    assertTrue(viewer.read().text().contains("pong"));
  }

  @Test
  void aBombIsTooLarge() throws Exception {
    start(SHARED, "broadcast.maxMessageBytes=1024");
    RawFrames viewer = viewer(RAW, OFFER);
    byte[] bomb = TestDeflate.compressed(new byte[1 << 20]);
    assertTrue(bomb.length < 2048, "" + bomb.length);
    say(viewer, LAST | RSV1 | TEXT, bomb);
    assertTrue(viewer.read().text().contains("message_too_large"));
    assertEquals(3500, viewer.read().code());
  }

  @Test
  void whoOffersWhatIsNotDoneHereIsNotCompressed() throws Exception {
    start(SHARED);
    for (String parameters :
        List.of("server_max_window_bits=10", "=;,", "client_max_window_bits=99")) {
      RawFrames viewer = viewer(RAW, offer(parameters));
      assertFalse(viewer.answer().contains("Extensions"), viewer.answer());
    }
    publishLarge();
    for (RawFrames viewer : open) {
      assertEquals(LAST | TEXT, viewer.read().flags());
    }
    say(open.get(0), LAST | RSV1 | TEXT, TestDeflate.compressed(FrameCases.utf8(PING)));
    assertEquals(1002, open.get(0).read().code());
  }

  /** Who asks for nothing is answered as before. */
  @Test
  void offIsTheDefault() throws Exception {
    start();
    RawFrames viewer = viewer(RAW, OFFER);
    assertFalse(viewer.answer().contains("Extensions"), viewer.answer());
    publishLarge();
    assertEquals(LAST | TEXT, viewer.read().flags());
    say(viewer, LAST | RSV1 | TEXT, TestDeflate.compressed(FrameCases.utf8(PING)));
    assertEquals(1002, viewer.read().code());
  }

  /** As users have it, with memory for a context that it may not use. */
  @Test
  @Tag("slow")
  void aClientFromNpmReadsAll() throws Exception {
    start(SHARED);
    String url = "ws://127.0.0.1:" + feed.port() + RAW;
    try (NodeClient client = NodeClient.start("deflate-socket.js", url, "race/#")) {
      assertEquals("permessage-deflate", client.all("open").get(0).getString("extensions"));
      client.await("pong", 1);
      String text = "Zażółć 競馬 \u2028 ".repeat(40);
      for (int n = 0; n < 100; n++) {
        String data = new JsonObject().put("n", n).put("text", text).encode();
        String id = "r" + n;
        feed.onOwner("race/1", owner -> owner.publish("race/1", id, data));
      }
      client.await("rec", 100);
      assertEquals(IntStream.range(0, 100).mapToObj(n -> "r" + n).toList(), client.ids());
      for (JsonObject record : client.all("rec")) {
        assertEquals(text, record.getJsonObject("body").getJsonObject("data").getString("text"));
      }
      assertEquals(100, counted("compressed"));
      assertEquals(List.of(), client.all("error"));
    }
  }
}
