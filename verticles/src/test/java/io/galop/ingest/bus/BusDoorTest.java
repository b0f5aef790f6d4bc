package io.galop.ingest.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.bus.Refusal;
import io.galop.ingest.OpenDoors;
import io.galop.socket.RefusalLog;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class BusDoorTest {
  private static final String LINES =
      "{\"topic\":\"a\",\"data\":{}}\n{\"topic\":\"a\"}\n{\"topic\":\"b\",\"data\":{}}";
  private static final String REJECTED =
      "{\"accepted\":2,\"rejected\":[{\"line\":2,\"reason\":\"malformed\",\"detail\":"
          + "\"field 'data' is missing; send a JSON object as data\"}]}";

  private static JsonObject overTheBridge(OpenDoors doors, String address, @Nullable Object body)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), doors.port("bridge"))) {
      socket.setSoTimeout(60_000);
      JsonObject frame =
          new JsonObject()
              .put("type", "send")
              .put("address", address)
              .put("replyAddress", "r1")
              .put("body", body);
      write(socket, frame.encode());
      return read(new DataInputStream(socket.getInputStream()));
    }
  }

  private static void write(Socket socket, String frame) throws IOException {
    byte[] bytes = frame.getBytes(StandardCharsets.UTF_8);
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static JsonObject read(DataInputStream in) throws IOException {
    return new JsonObject(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
  }

  @Test
  void takesLinesFromTheCluster() {
    try (OpenDoors doors = new OpenDoors("ingest.token=s3cret")) {
      String self = doors.node.bus().cluster().self().id();
      assertEquals(REJECTED, doors.node.bus().publish().publish(self, LINES).await().encode());
      assertEquals(2, doors.records().size());
    }
  }

  @Test
  void takesLinesOverTheBridge() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      JsonObject answer =
          overTheBridge(doors, "galop-publish", new JsonObject().put("lines", LINES));
      assertEquals("r1", answer.getString("address"));
      assertEquals(REJECTED, answer.getJsonObject("body").encode());
    }
  }

  @Test
  void letsNothingElseOverTheBridge() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      String self = doors.node.bus().cluster().self().id();
      JsonObject answer =
          overTheBridge(doors, "galop." + self + ".publish", new JsonObject().put("lines", LINES));
      assertEquals("err", answer.getString("type"));
      assertEquals("access_denied", answer.getString("message"));
      assertTrue(doors.taken.isEmpty());
    }
  }

  @Test
  void asksForTheTokenOverTheBridge() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.token=s3cret")) {
      JsonObject body = new JsonObject().put("lines", LINES);
      assertEquals(
          "the token is missing or wrong; send it as 'token'",
          overTheBridge(doors, "galop-publish", body).getJsonObject("body").getString("error"));
      body.put("token", "s3cret");
      JsonObject answer = overTheBridge(doors, "galop-publish", body).getJsonObject("body");
      assertEquals(2, answer.getInteger("accepted"));
    }
  }

  /** Each event loop has a consumer, and what is published all of them take. */
  @Test
  void takesOnceWhatIsPublishedOverTheBridge() throws Exception {
    String line = "{\"topic\":\"a\",\"data\":{}}";
    JsonObject body = new JsonObject().put("lines", line);
    JsonObject frame =
        new JsonObject().put("type", "publish").put("address", "galop-publish").put("body", body);
    try (OpenDoors doors = new OpenDoors();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), doors.port("bridge"))) {
      socket.setSoTimeout(60_000);
      for (int i = 0; i < 10; i++) {
        write(socket, frame.encode());
      }
      write(socket, "{\"type\":\"ping\"}");
      assertEquals(
          "pong", read(new DataInputStream(socket.getInputStream())).getString("type"), "only");
      OpenDoors.await(() -> doors.records().size() >= 10);
      assertEquals(
          1,
          overTheBridge(doors, "galop-publish", body).getJsonObject("body").getInteger("accepted"));
      assertEquals(11, doors.records().size());
    }
  }

  /** What programs of others send by mistake. */
  @Test
  void answersAMessageWithoutAnObjectInItsOwnWords() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      for (Object body : new Object[] {null, LINES, 7, new JsonArray().add(LINES)}) {
        JsonObject answer = overTheBridge(doors, "galop-publish", body);
        assertEquals("message", answer.getString("type"), answer::encode);
        String error = answer.getJsonObject("body").getString("error");
        assertTrue(error.startsWith("field 'lines' must be a text"), error);
      }
      assertTrue(doors.taken.isEmpty());
    }
  }

  /** Else they pile up without bound. */
  @Test
  void readsNoFurtherWhileItsAnswersAreNotRead() throws Exception {
    int most = 40_000_000;
    ByteBuffer pings = ByteBuffer.allocate(19 * 1000);
    while (pings.hasRemaining()) {
      pings.putInt(15).put("{\"type\":\"ping\"}".getBytes(StandardCharsets.UTF_8));
    }
    try (OpenDoors doors = new OpenDoors();
        SocketChannel client = SocketChannel.open()) {
      client.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
      client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), doors.port("bridge")));
      client.configureBlocking(false);
      int sent = 0;
      for (int still = 0; still < 40 && sent < most; ) {
        if (!pings.hasRemaining()) {
          pings.flip();
        }
        int taken = client.write(pings);
        sent += taken;
        still = taken == 0 ? still + 1 : 0;
        Thread.sleep(taken == 0 ? 50 : 0);
      }
      assertTrue(sent < most, "all was read");
    }
  }

  /** Each is answered in words, the next frame is read, and the log has one line of each reason. */
  @Test
  void answersFramesThatAreNone() throws Exception {
    String send = "{\"type\":\"send\",\"address\":\"galop-publish\",\"headers\":";
    List<String> frames =
        List.of(
            "no JSON",
            "[1]",
            "null",
            "{}",
            "{\"type\":\"hello\"}",
            "{\"type\":\"send\"}",
            send + "7}",
            send + "{\"codecName\":\"x\"}}",
            send + "{\"timeout\":\"x\"}}",
            send + "{\"a\":null}}");
    try (OpenDoors doors = new OpenDoors();
        Logged log = new Logged(RefusalLog.class);
        Logged errors = new Logged("io.vertx.ext.eventbus.bridge");
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), doors.port("bridge"))) {
      socket.setSoTimeout(60_000);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      List<String> said = new ArrayList<>();
      for (String frame : frames) {
        write(socket, frame);
        JsonObject answer = read(in);
        assertEquals("err", answer.getString("type"), frame);
        said.add(answer.getString("message"));
        write(socket, "{\"type\":\"ping\"}");
        assertEquals("pong", read(in).getString("type"), frame);
      }
      assertTrue(said.get(0).startsWith("the frame is no JSON object; "), said.get(0));
      assertTrue(said.get(3).startsWith("field 'type' must be one of ping, "), said.get(3));
      assertEquals("missing_address", said.get(5));
      assertTrue(said.get(6).startsWith("field 'headers' must be an object "), said.get(6));
      assertEquals(4, log.with("bridge: refused a frame of /127.0.0.1:").size(), "" + log.with(""));
      assertEquals(List.of(), errors.with("ERROR"));
      assertEquals(
          frames.size(),
          doors
              .meters
              .get("galop.ingest.rejected")
              .tags("door", "bus", "reason", "malformed")
              .counter()
              .count());
    }
  }

  @Test
  void tellsWhatIsWrong() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      JsonObject none = overTheBridge(doors, "galop-publish", new JsonObject().put("lines", 7));
      assertTrue(
          none.getJsonObject("body").getString("error").startsWith("field 'lines' must be a text"));
      doors.stage(batch -> Future.failedFuture(new Refusal(Refusal.Why.OVER_QUOTA, "full")));
      JsonObject full = overTheBridge(doors, "galop-publish", new JsonObject().put("lines", LINES));
      assertEquals(
          "over_quota",
          full.getJsonObject("body").getJsonArray("rejected").getJsonObject(0).getString("reason"));
    }
  }
}
