package io.galop.broadcast.sockjs;

import io.galop.broadcast.packet.PublishPacket;
import io.galop.json.JsonString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How messages become bytes: frames of a websocket (RFC 6455, 5.2), which a server never masks,,
 * chunks of an HTTP response, or packets of MQTT.
 */
public enum Framing {
  /** SockJS: one text frame with an array of strings. */
  SOCKJS(null) {
    @Override
    public ByteBuf encode(Frame[] frames, ByteBufAllocator allocator) {
      int payload = "a[]".length() + frames.length - 1;
      for (Frame frame : frames) {
        payload += frame.element().length;
      }
      ByteBuf bytes = header(allocator.directBuffer(payload + MAX_HEADER), payload);
      bytes.writeByte('a').writeByte('[').writeBytes(frames[0].element());
      for (int i = 1; i < frames.length; i++) {
        bytes.writeByte(',').writeBytes(frames[i].element());
      }
      return bytes.writeByte(']');
    }

    @Override
    ByteBuf opening() {
      return OPEN.duplicate();
    }

    @Override
    ByteBuf heartbeat() {
      return HEARTBEAT.duplicate();
    }

    @Override
    ByteBuf farewell(Ending why, ByteBufAllocator allocator) {
      String close = "c[" + why.code() + "," + JsonString.quoted(why.reason()) + "]";
      Frame[] words = why.lastWords();
      ByteBuf farewell =
          words.length == 0 ? allocator.directBuffer(close.length()) : encode(words, allocator);
      return text(farewell, close.getBytes(StandardCharsets.UTF_8));
    }
  },

  /** Each message is a text frame. */
  RAW(null) {
    @Override
    public ByteBuf encode(Frame[] frames, ByteBufAllocator allocator) {
      int most = 0;
      for (Frame frame : frames) {
        most += MAX_HEADER + frame.textBytes();
      }
      ByteBuf bytes = allocator.directBuffer(most);
      for (Frame frame : frames) {
        frame.writeText(header(bytes, frame.textBytes()));
      }
      return bytes;
    }

    @Override
    ByteBuf opening() {
      return Unpooled.EMPTY_BUFFER;
    }

    @Override
    ByteBuf heartbeat() {
      return PING.duplicate();
    }

    @Override
    ByteBuf farewell(Ending why, ByteBufAllocator allocator) {
      return encode(why.lastWords(), allocator);
    }
  },

  /** A line for each frame: xhr-polling and xhr-streaming. */
  XHR(new FrameEnvelope("", "\n", false)),

  /** An event for each frame (HTML, 9.2). */
  EVENTSOURCE(new FrameEnvelope("data: ", "\r\n\r\n", false)),

  /** A script for each frame, in a page that never ends. */
  HTMLFILE(new FrameEnvelope("<script>\np(\"", "\");\n</script>\r\n", true)),

  /** A string, as the argument of a call. */
  JSONP(new FrameEnvelope("\"", "\"", true)),

  /** Each message is an event by itself (HTML, 9.2), for an EventSource without SockJS. */
  EVENTS(new TextChunks("data: ", "\n\n", TextChunks::retry, ":\n\n", ": end\n\n")),

  /** Each message is a line of JSON. */
  LINES(
      new TextChunks(
          "",
          "\n",
          () -> "{\"type\":\"pong\"}\n",
          "{\"type\":\"pong\"}\n",
          "{\"type\":\"end\"}\n")),

  /** Each record is a PUBLISH of MQTT 3.1.1 with QoS 0; words are not for everybody. */
  MQTT_3(null) {
    @Override
    public ByteBuf encode(Frame[] frames, ByteBufAllocator allocator) {
      return packets(frames, false, allocator);
    }
  },

  /** The same of MQTT 5. */
  MQTT_5(null) {
    @Override
    public ByteBuf encode(Frame[] frames, ByteBufAllocator allocator) {
      return packets(frames, true, allocator);
    }
  };

  private static final int MAX_HEADER = 10;
  private static final int FINAL_TEXT = 0x81;
  private static final int FINAL_CLOSE = 0x88;
  private static final int FINAL_PING = 0x89;
  private static final int FINAL_PONG = 0x8a;
  private static final int LENGTH_IN_2_BYTES = 126;
  private static final int LENGTH_IN_8_BYTES = 127;
  private static final ByteBuf OPEN = constant(FINAL_TEXT, 1, 'o');
  private static final ByteBuf HEARTBEAT = constant(FINAL_TEXT, 1, 'h');
  private static final ByteBuf PING = constant(FINAL_PING, 0);

  /** Null for websockets and MQTT. */
  private final @Nullable FrameEnvelope envelope;

  Framing(@Nullable FrameEnvelope envelope) {
    this.envelope = envelope;
  }

  /** What is put around a frame; websockets write all themselves. */
  private FrameEnvelope envelope() {
    return Objects.requireNonNull(envelope, name());
  }

  /** Frames, one at least, for one connection or more: a direct buffer with one reference. */
  public ByteBuf encode(Frame[] frames, ByteBufAllocator allocator) {
    return envelope().messages(frames, allocator);
  }

  /** What the connection begins with. */
  ByteBuf opening() {
    return envelope().opening();
  }

  /** What tells an idle connection, and whatever is on the way, that the node is there. */
  ByteBuf heartbeat() {
    return envelope().heartbeat();
  }

  /** The last frame, and on websockets the words before it. */
  ByteBuf farewell(Ending why, ByteBufAllocator allocator) {
    return envelope().closing(why, allocator);
  }

  /**
   * The frame that ends a websocket (RFC 6455, 5.5.1).
   *
   * @param code -1 says none
   */
  static ByteBuf closing(int code, String reason) {
    ByteBuf frame = Unpooled.buffer();
    if (code < 0) {
      return frame.writeByte(FINAL_CLOSE).writeByte(0);
    }
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    frame.writeByte(FINAL_CLOSE).writeByte(2 + text.length).writeShort(code);
    return frame.writeBytes(text);
  }

  /** The answer to a ping. */
  static ByteBuf pong(byte[] payload) {
    ByteBuf frame = Unpooled.buffer(2 + payload.length);
    return frame.writeByte(FINAL_PONG).writeByte(payload.length).writeBytes(payload);
  }

  private static ByteBuf constant(int... bytes) {
    ByteBuf constant = Unpooled.directBuffer(bytes.length, bytes.length);
    for (int each : bytes) {
      constant.writeByte(each);
    }
    return Unpooled.unreleasableBuffer(constant.asReadOnly());
  }

  private static ByteBuf packets(Frame[] frames, boolean isFive, ByteBufAllocator allocator) {
    int size = 0;
    for (Frame frame : frames) {
      if (frame.isRecord()) {
        PublishPacket packet = frame.packet();
        size += packet.size(isFive, packet.flags(), PublishPacket.NOTHING);
      }
    }
    ByteBuf bytes = allocator.directBuffer(Math.max(1, size));
    for (Frame frame : frames) {
      if (frame.isRecord()) {
        PublishPacket packet = frame.packet();
        packet.write(bytes, isFive, packet.flags(), 0, PublishPacket.NOTHING);
      }
    }
    return bytes;
  }

  private static ByteBuf text(ByteBuf to, byte[] payload) {
    return header(to, payload.length).writeBytes(payload);
  }

  private static ByteBuf header(ByteBuf to, int payload) {
    to.writeByte(FINAL_TEXT);
    if (payload < LENGTH_IN_2_BYTES) {
      return to.writeByte(payload);
    }
    return payload <= 0xffff
        ? to.writeByte(LENGTH_IN_2_BYTES).writeShort(payload)
        : to.writeByte(LENGTH_IN_8_BYTES).writeLong(payload);
  }
}
