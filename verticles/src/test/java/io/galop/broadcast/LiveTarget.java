package io.galop.broadcast;

import io.galop.fuzz.LogWatch;
import io.galop.fuzz.Pieces;
import io.galop.fuzz.Plug;
import io.galop.fuzz.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What browsers send to /live. By the first byte: a message on the plain websocket, bytes instead
 * of frames, a message of a SockJS websocket, or the body of an xhr_send. After each the connection
 * answers or has ended, the log is quiet, and another browser is served.
 */
public final class LiveTarget implements Target {
  private static final String UPGRADE =
      " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  private static final String PING = "{\"type\":\"ping\"}";
  private static final String SOCKJS_PING = "[\"{\\\"type\\\":\\\"ping\\\"}\"]";
  private static final int TEXT = 0x81;

  private final TestFeed feed;
  private final LogWatch log = new LogWatch();
  private final AtomicInteger sessions = new AtomicInteger();

  public LiveTarget() throws Exception {
    feed = TestFeed.start();
    feed.awaitReady();
    feed.publish("a/b", 1);
  }

  @Override
  public void run(byte[] input) throws Exception {
    byte[] rest = Pieces.rest(input);
    switch (Pieces.choice(input) % 4) {
      case 0 -> converse("/live/websocket", frame(rest), PING);
      case 1 -> garbage(rest);
      case 2 ->
          converse(
              "/live/1/s" + sessions.incrementAndGet() + "/websocket", frame(rest), SOCKJS_PING);
      default -> xhrSend(rest);
    }
    String said = converse("/live/websocket", new byte[0], PING);
    require(said.contains("{\"type\":\"pong\"}"), "a good message got " + said);
    log.check();
  }

  /** What is answered up to the pong, or the end of the connection; one of them has to come. */
  private String converse(String path, byte[] frame, String ping) throws IOException {
    try (Plug plug = upgraded(path)) {
      plug.write(frame);
      plug.write(frame(ping.getBytes(StandardCharsets.UTF_8)));
      return plug.read("pong");
    }
  }

  private void garbage(byte[] bytes) throws IOException {
    try (Plug plug = upgraded("/live/websocket")) {
      plug.write(bytes);
      plug.end();
      plug.read("");
    }
  }

  private Plug upgraded(String path) throws IOException {
    Plug plug = new Plug(feed.port());
    plug.write("GET " + path + UPGRADE);
    String head = plug.read("\r\n\r\n");
    require(head.startsWith("HTTP/1.1 101"), "no websocket: " + head);
    return plug;
  }

  private void xhrSend(byte[] body) throws IOException {
    String session = "/live/1/s" + sessions.incrementAndGet();
    String opened = post(session + "/xhr", new byte[0]);
    require(opened.endsWith("o\n"), "no session: " + opened);
    String sent = post(session + "/xhr_send", body);
    int status = sent.length() < 12 ? 0 : Integer.parseInt(sent.substring(9, 12));
    boolean explained = status != 500 || sent.contains("Broken JSON") || sent.contains("Payload");
    require(status >= 200 && status <= 500 && explained, "xhr_send got " + sent);
    try (Plug plug = new Plug(feed.port())) {
      plug.write(head(session + "/xhr", 0)); // answered at once if something is there, and left
    }
  }

  private String post(String path, byte[] body) throws IOException {
    try (Plug plug = new Plug(feed.port())) {
      plug.write(head(path, body.length));
      plug.write(body);
      return plug.read("");
    }
  }

  private static String head(String path, int length) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: text/plain\r\n"
        + "Content-Length: "
        + length
        + "\r\n\r\n";
  }

  /** A text frame of a client; its mask is zero. */
  private static byte[] frame(byte[] message) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(TEXT);
    if (message.length < 126) {
      frame.write(0x80 | message.length);
    } else {
      frame.write(0x80 | 126);
      frame.write(message.length >> 8);
      frame.write(message.length);
    }
    frame.writeBytes(new byte[4]);
    frame.writeBytes(message);
    return frame.toByteArray();
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  @Override
  public void close() throws Exception {
    feed.close();
  }
}
