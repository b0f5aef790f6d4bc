package io.galop.broadcast;

import io.galop.broadcast.sockjs.Ending;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Transport;
import io.galop.broadcast.write.Outbox;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Stands before the connection of a viewer that is looked at, and keeps the beginnings of its last
 * messages. What cannot be kept is missed: the viewer is sent all the same. On its event loop.
 */
final class FrameTap implements Transport {
  static final int MOST_FRAMES = 50;
  static final int MOST_TEXT_BYTES = 1_024;

  private final Transport connection;
  private final Deque<Seen> last = new ArrayDeque<>(MOST_FRAMES + 1);
  private long written;
  private long missed;
  private int lookers = 1;

  private record Seen(long number, long timeMs, int bytes, boolean isRecord, byte[] beginning) {
    JsonObject json() {
      return new JsonObject()
          .put("number", number)
          .put("timeMs", timeMs)
          .put("bytes", bytes)
          .put("record", isRecord)
          .put("cut", bytes > beginning.length)
          .put("text", new String(beginning, 0, whole(), StandardCharsets.UTF_8));
    }

    /** Up to where no character is cut in two. */
    private int whole() {
      int lead = beginning.length - 1;
      while (lead > 0 && (beginning[lead] & 0xc0) == 0x80) {
        lead--; // the rest of a character
      }
      boolean isWhole = bytes == beginning.length || beginning[lead] >= 0;
      return isWhole ? beginning.length : lead;
    }
  }

  private FrameTap(Transport connection) {
    this.connection = connection;
  }

  /** Somebody looks at what an outbox sends; whoever does so later sees what came before, too. */
  static FrameTap on(Outbox outbox) {
    return (FrameTap) outbox.reroute(FrameTap::before);
  }

  private static FrameTap before(Transport way) {
    if (way instanceof FrameTap known) {
      known.lookers++;
      return known;
    }
    return new FrameTap(way);
  }

  /** One of them looks no longer. */
  void off(Outbox outbox) {
    lookers--;
    if (lookers == 0) {
      outbox.reroute(way -> connection);
    }
  }

  @Override
  public boolean write(Frames frames, Receipt receipt) {
    try {
      keep(frames.frames(), System.currentTimeMillis());
    } catch (RuntimeException | OutOfMemoryError fault) {
      missed++; // whoever writes would take it for a fault of the connection, and end that
    }
    return connection.write(frames, receipt);
  }

  private void keep(Frame[] all, long nowMs) {
    long before = written;
    written += all.length;
    for (int i = Math.max(0, all.length - MOST_FRAMES); i < all.length; i++) {
      keep(all[i], before + i + 1, nowMs);
    }
  }

  private void keep(Frame frame, long number, long nowMs) {
    byte[] beginning = frame.beginning(MOST_TEXT_BYTES);
    last.add(new Seen(number, nowMs, frame.textBytes(), frame.isRecord(), beginning));
    if (last.size() > MOST_FRAMES) {
      last.poll();
    }
  }

  /**
   * {@code {"written":n,"missed":n,"frames":[…]}}: how many were handed to the connection since the
   * first look, and in how many writes were some that could not be kept; the newest of them first.
   */
  JsonObject json() {
    JsonArray frames = new JsonArray();
    last.descendingIterator().forEachRemaining(seen -> frames.add(seen.json()));
    return new JsonObject().put("written", written).put("missed", missed).put("frames", frames);
  }

  @Override
  public boolean isReady() {
    return connection.isReady();
  }

  @Override
  public void onBeat() {
    connection.onBeat();
  }

  @Override
  public void limitSocket(int bytes) {
    connection.limitSocket(bytes);
  }

  @Override
  public String address() {
    return connection.address();
  }

  @Override
  public String kind() {
    return connection.kind();
  }

  @Override
  public boolean isSockJs() {
    return connection.isSockJs();
  }

  @Override
  public void close(Ending why) {
    connection.close(why);
  }
}
