package io.galop.loadtest.inject;

import io.galop.loadtest.scenario.Injection;
import io.vertx.core.json.JsonObject;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The bus door through the Vert.x TCP event-bus bridge: one request after the other. */
final class BridgeLane extends RequestLane {
  private static final String BEFORE =
      "{\"type\":\"send\",\"address\":\"galop-publish\",\"replyAddress\":\"load\","
          + "\"body\":{\"lines\":\"";
  private static final String AFTER = "\"}}";
  private static final int BUFFER_BYTES = 1 << 18;

  private final byte[] lines;
  private final byte[] frame;

  BridgeLane(InetSocketAddress door, Injection plan) throws IOException {
    super(door, LinesLane.lines(plan), BUFFER_BYTES);
    lines = new byte[mostBytes()];
    frame = new byte[Integer.BYTES + BEFORE.length() + AFTER.length() + 2 * lines.length];
  }

  @Override
  void request(ScheduleShare share) throws IOException {
    out().write(frame, 0, frame(write(share, lines, 0)));
  }

  /** The lines as a JSON text within a request, behind its length. */
  private int frame(int end) {
    int at = put(BEFORE, Integer.BYTES);
    for (int i = 0; i < end; i++) {
      byte b = lines[i];
      if (b == '"' || b == '\n') {
        frame[at++] = '\\';
      }
      frame[at++] = b == '\n' ? (byte) 'n' : b;
    }
    at = put(AFTER, at);
    ByteBuffer.wrap(frame).putInt(at - Integer.BYTES);
    return at;
  }

  private int put(String text, int at) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, frame, at, bytes.length);
    return at + bytes.length;
  }

  @Override
  void readEach(InputStream in) throws IOException {
    DataInputStream frames = new DataInputStream(in);
    try {
      while (true) {
        byte[] answer = frames.readNBytes(frames.readInt());
        onAnswer(new String(answer, StandardCharsets.UTF_8));
      }
    } catch (EOFException e) {
      throw new IOException("the bridge has closed the connection", e);
    }
  }

  private void onAnswer(String answer) throws IOException {
    JsonObject body = new JsonObject(answer).getJsonObject("body");
    if (body == null || !body.containsKey("accepted")) {
      throw new IOException("the bridge refuses: " + answer);
    }
    onAnswered(body.getJsonArray("rejected").size());
  }
}
