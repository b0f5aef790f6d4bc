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
import java.util.concurrent.Semaphore;

/** The bus door through the Vert.x TCP event-bus bridge: one request after the other. */
final class BridgeLane extends SocketLane {
  private static final String BEFORE =
      "{\"type\":\"send\",\"address\":\"galop-publish\",\"replyAddress\":\"load\","
          + "\"body\":{\"lines\":\"";
  private static final String AFTER = "\"}}";
  private static final int BUFFER_BYTES = 1 << 18;

  private final Template template;
  private final byte[] lines;
  private final byte[] frame;
  private final int most;
  private final Semaphore answered = new Semaphore(1);

  BridgeLane(InetSocketAddress door, Injection plan) throws IOException {
    super(door, new Ledger());
    template = LinesLane.lines(plan);
    most = Math.max(1, BUFFER_BYTES / template.length());
    lines = new byte[most * template.length()];
    frame = new byte[Integer.BYTES + BEFORE.length() + AFTER.length() + 2 * lines.length];
  }

  @Override
  int mostAtOnce() {
    return most;
  }

  @Override
  void send(Schedule schedule, long index, int count, int stride) throws IOException {
    answered.acquireUninterruptibly();
    if (ledger().failure() != null) {
      throw new IOException(ledger().failure());
    }
    int end = 0;
    for (int i = 0; i < count; i++) {
      long record = index + (long) i * stride;
      long due = schedule.due(record);
      ledger().onSend(due);
      end = template.write(schedule.first() + record, due, lines, end);
    }
    out().write(frame, 0, frame(end));
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
  void readAnswers(InputStream in) throws IOException {
    DataInputStream frames = new DataInputStream(in);
    try {
      while (true) {
        byte[] answer = frames.readNBytes(frames.readInt());
        onAnswer(new String(answer, StandardCharsets.UTF_8));
      }
    } catch (EOFException e) {
      throw new IOException("the bridge has closed the connection", e);
    } catch (IOException | RuntimeException e) {
      ledger().onFailure(String.valueOf(e.getMessage())); // before who waits is let go on
      throw e;
    } finally {
      ledger().onFailure("the bridge has closed the connection");
      answered.release();
    }
  }

  private void onAnswer(String answer) throws IOException {
    JsonObject body = new JsonObject(answer).getJsonObject("body");
    if (body == null || !body.containsKey("accepted")) {
      throw new IOException("the bridge refuses: " + answer);
    }
    ledger().onRefused(body.getJsonArray("rejected").size());
    ledger().onAcked(ledger().sent());
    answered.release();
  }
}
