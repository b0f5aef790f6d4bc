package io.galop.broadcast.sockjs;

import io.galop.record.Position;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells an EventSource behind each write up to where it has all, so that it comes back with that by
 * itself, as {@code Last-Event-ID}. An event without data is nothing to a page and sets the id
 * (HTML, 9.2.6). Each viewer stands elsewhere, so this costs a copy of what it is sent.
 */
final class EventIds implements Transport {
  /** Where one stands who has seen nothing of any shard: an empty id would count as none. */
  private static final String NOTHING = Position.none(0).toString();

  private final Transport to;

  /** The largest Position of each shard that was written. */
  private final Map<Integer, Position> seen;

  /** Whether the answer to the registration is over: a later gap concerns some shards only. */
  private boolean isLive;

  /**
   * @param since where the viewer was before
   */
  EventIds(Transport to, Map<Integer, Position> since) {
    this.to = to;
    this.seen = new TreeMap<>(since);
  }

  @Override
  public boolean write(Frames frames, Receipt receipt) {
    if (!note(frames.frames())) {
      return to.write(frames, receipt);
    }
    try (WithId all = new WithId(frames, id())) {
      return to.write(all, receipt);
    }
  }

  /** Whether the frames change where the viewer stands. */
  private boolean note(Frame[] frames) {
    boolean isChanged = false;
    for (Frame frame : frames) {
      if (frame.isRecord()) {
        note(frame.position());
        isChanged = true;
      } else {
        isChanged |= noteWord(new String(frame.rest(), StandardCharsets.UTF_8));
      }
    }
    return isChanged;
  }

  private void note(Position position) {
    seen.merge(position.shard(), position, (a, b) -> a.compareTo(b) >= 0 ? a : b);
  }

  /**
   * Where what was missed is lost the page forgets what it showed before and is sent the latest
   * instead; the end of a past says where it stands.
   */
  private boolean noteWord(String word) {
    if (!isLive
        && word.startsWith("{\"type\":\"resumed\"")
        && word.contains(",\"complete\":false,")) {
      seen.clear();
      return true;
    }
    if (!word.startsWith("{\"type\":\"live\"")) {
      return false;
    }
    isLive = true;
    for (String each : new JsonObject(word).getString("pos").split(",")) {
      if (!each.isEmpty()) {
        note(Position.parse(each));
      }
    }
    return true;
  }

  private String id() {
    return seen.isEmpty()
        ? NOTHING
        : seen.values().stream().map(Position::toString).collect(Collectors.joining(","));
  }

  /** Frames with an id behind them. */
  private record WithId(Frames shared, String id, ByteBuf[] own) implements Frames, AutoCloseable {
    WithId(Frames shared, String id) {
      this(shared, id, new ByteBuf[1]);
    }

    @Override
    public Frame[] frames() {
      return shared.frames();
    }

    @Override
    public int records() {
      return shared.records();
    }

    @Override
    public int size() {
      return shared.size();
    }

    @Override
    public ByteBuf encoded(Framing framing, ByteBufAllocator allocator) {
      if (own[0] == null) {
        ByteBuf messages = FrameEnvelope.content(shared.encoded(framing, allocator));
        String line = "id: " + id + "\n\n";
        String size = Integer.toHexString(messages.readableBytes() + line.length()) + "\r\n";
        own[0] =
            allocator.directBuffer(size.length() + messages.readableBytes() + line.length() + 2);
        own[0].writeCharSequence(size, StandardCharsets.US_ASCII);
        own[0].writeBytes(messages);
        own[0].writeCharSequence(line + "\r\n", StandardCharsets.US_ASCII);
      }
      return own[0];
    }

    @Override
    public void close() {
      if (own[0] != null) {
        own[0].release();
      }
    }
  }

  @Override
  public boolean isReady() {
    return to.isReady();
  }

  @Override
  public void onBeat() {
    to.onBeat();
  }

  @Override
  public void limitSocket(int bytes) {
    to.limitSocket(bytes);
  }

  @Override
  public String kind() {
    return to.kind();
  }

  @Override
  public String address() {
    return to.address();
  }

  @Override
  public boolean isSockJs() {
    return false;
  }

  @Override
  public void close(Ending why) {
    to.close(why);
  }
}
