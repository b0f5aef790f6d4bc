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
 * messages. On its event loop.
 */
final class FrameTap implements Transport {
  static final int MOST_FRAMES = 50;
  static final int MOST_TEXT_BYTES = 1_024;

  private final Transport connection;
  private final Deque<Seen> last = new ArrayDeque<>(MOST_FRAMES);
  private long written;
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
    long nowMs = System.currentTimeMillis();
    Frame[] all = frames.frames();
    for (int i = 0; i < all.length; i++) {
      written++;
      if (all.length - i <= MOST_FRAMES) {
        keep(all[i], nowMs);
      }
    }
    return connection.write(frames, receipt);
  }

  private void keep(Frame frame, long nowMs) {
    if (last.size() == MOST_FRAMES) {
      last.poll();
    }
    byte[] beginning = frame.beginning(MOST_TEXT_BYTES);
    last.add(new Seen(written, nowMs, frame.textBytes(), frame.isRecord(), beginning));
  }

  /**
   * {@code {"written":n,"frames":[…]}}: how many since the first look; the newest of them first.
   */
  JsonObject json() {
    JsonArray frames = new JsonArray();
    last.descendingIterator().forEachRemaining(seen -> frames.add(seen.json()));
    return new JsonObject().put("written", written).put("frames", frames);
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
