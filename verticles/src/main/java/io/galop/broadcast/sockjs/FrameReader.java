package io.galop.broadcast.sockjs;

import io.galop.broadcast.deflate.MessageInflater;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a client (RFC 6455, 5.2), however the network has cut them. What breaks the
 * rules is told at the byte that breaks them, not at the end of its frame or message. After that
 * only the client's closing is told, so that the connection can end in order.
 *
 * <p>It holds what has come of the current message and never more than {@code maxBytes} of it: a
 * length that is only announced takes no memory. A compressed message (RFC 7692) is kept as it
 * comes, and inflated at its end: so what is wrong inside of it is told then.
 */
final class FrameReader {
  /** What a frame says. Its state is settled before a call, so that a call may throw. */
  interface Listener {
    void onText(byte[] message);

    void onBinary(byte[] message);

    /** Whether binary messages are heard; else the first byte of one breaks the rules. */
    boolean hearsBinary();

    void onPing(byte[] payload);

    /**
     * The client closes.
     *
     * @param code to answer: its own, another where that may not be sent, or -1 where it names none
     */
    void onClose(int code);

    /** A message is larger than it may be; the rest of it is passed over. */
    void onTooLarge();

    /** The client broke a rule. */
    void onViolation(int code, String reason);
  }

  static final int PROTOCOL_ERROR = 1002;
  static final int UNSUPPORTED = 1003;
  static final int NOT_UTF_8 = 1007;
  static final int INVALID_DATA = 1007;

  private static final int CONTINUATION = 0x0;
  private static final int TEXT = 0x1;
  private static final int BINARY = 0x2;
  private static final int CLOSE = 0x8;
  private static final int PING = 0x9;
  private static final int PONG = 0xa;
  private static final int FINAL = 0x80;
  private static final int RESERVED = 0x70;
  private static final int COMPRESSED = 0x40;
  private static final int OPCODE = 0x0f;
  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7f;
  private static final int MAX_CONTROL_BYTES = 125;
  private static final int LENGTH_IN_2_BYTES = 126;
  private static final int LENGTH_IN_8_BYTES = 127;

  private enum Phase {
    FLAGS,
    SHORT_LENGTH,
    LONG_LENGTH,
    MASK,
    PAYLOAD
  }

  private final Listener listener;
  private final int maxBytes;

  /** Null where compression was not negotiated. */
  private final @Nullable MessageInflater inflater;

  private final Utf8Check utf8 = new Utf8Check();
  private Phase phase = Phase.FLAGS;
  private int flags;

  /** Bytes of the length or the mask that are still to come. */
  private int missing;

  /** Of the payload, still to come. */
  private long length;

  private boolean isLong;
  private int mask;
  private boolean isMasked;

  /** What has come of a control frame's payload; null between two. */
  private @Nullable ByteArrayOutputStream control;

  /** What has come of a message; null if nothing has, or what came is passed over. */
  private @Nullable ByteArrayOutputStream begun;

  /** The type of the message whose last frame is still to come, else CONTINUATION. */
  private int type = CONTINUATION;

  private boolean isCompressed;
  private boolean isPassedOver;
  private boolean isBroken;

  /**
   * @param maxBytes of a message, as it comes and as it is read
   * @param inflater null where compression was not negotiated
   */
  FrameReader(Listener listener, int maxBytes, @Nullable MessageInflater inflater) {
    this.listener = listener;
    this.maxBytes = maxBytes;
    this.inflater = inflater;
  }

  /** Takes what came, or as much of it as belongs to one frame. */
  void read(ByteBuf bytes) {
    switch (phase) {
      case FLAGS -> flags(bytes.readUnsignedByte());
      case SHORT_LENGTH -> shortLength(bytes.readUnsignedByte());
      case LONG_LENGTH -> longLength(bytes.readUnsignedByte());
      case MASK -> mask(bytes.readUnsignedByte());
      case PAYLOAD -> payload(bytes);
    }
  }

  private int opcode() {
    return flags & OPCODE;
  }

  private boolean isFinal() {
    return (flags & FINAL) != 0;
  }

  private boolean isControl() {
    return opcode() >= CLOSE;
  }

  private void violation(int code, String reason) {
    if (!isBroken) {
      isBroken = true;
      begun = null;
      listener.onViolation(code, reason);
    }
  }

  private void flags(int first) {
    flags = first;
    phase = Phase.SHORT_LENGTH;
    if ((first & RESERVED) != 0 && !beginsCompressed()) {
      violation(PROTOCOL_ERROR, "reserved bits are set");
    } else if (isControl()) {
      control();
    } else if (opcode() == CONTINUATION) {
      if (type == CONTINUATION) {
        violation(PROTOCOL_ERROR, "there is no message to continue");
      }
    } else if (opcode() > BINARY) {
      violation(PROTOCOL_ERROR, "unknown type of frame");
    } else if (type != CONTINUATION) {
      violation(PROTOCOL_ERROR, "the message before has not ended");
    } else {
      begin();
    }
  }

  /** Only the first frame of a message of data tells that the message is compressed. */
  private boolean beginsCompressed() {
    boolean isData = opcode() == TEXT || opcode() == BINARY;
    return inflater != null && isData && (flags & RESERVED) == COMPRESSED;
  }

  private void control() {
    if (opcode() > PONG) {
      violation(PROTOCOL_ERROR, "unknown type of frame");
    } else if (!isFinal()) {
      violation(PROTOCOL_ERROR, "a control frame must not be in parts");
    }
  }

  private void begin() {
    type = opcode();
    isCompressed = (flags & COMPRESSED) != 0;
    utf8.reset();
    isPassedOver = false;
    if (type == BINARY && !listener.hearsBinary()) {
      violation(UNSUPPORTED, "only text is heard here");
    }
  }

  private void shortLength(int second) {
    isMasked = (second & MASKED) != 0;
    length = second & LENGTH;
    if (!isMasked) {
      violation(PROTOCOL_ERROR, "a client's frames must be masked");
    }
    if (isControl() && length > MAX_CONTROL_BYTES) {
      violation(PROTOCOL_ERROR, "a control frame is too long");
    }
    if (length < LENGTH_IN_2_BYTES) {
      lengthIsKnown();
    } else {
      missing = length == LENGTH_IN_2_BYTES ? Short.BYTES : Long.BYTES;
      isLong = length == LENGTH_IN_8_BYTES;
      length = 0;
      phase = Phase.LONG_LENGTH;
    }
  }

  private void longLength(int next) {
    length = length << Byte.SIZE | next;
    missing--;
    if (missing > 0) {
      return;
    }
    if (length < 0) {
      violation(PROTOCOL_ERROR, "a length has its highest bit set");
      length = Long.MAX_VALUE;
    } else if (length <= (isLong ? 0xffff : MAX_CONTROL_BYTES)) {
      violation(PROTOCOL_ERROR, "a length is in more bytes than it needs");
    }
    lengthIsKnown();
  }

  private void lengthIsKnown() {
    long all = length + (begun == null ? 0 : begun.size());
    boolean isTooLarge = !isControl() && !isPassedOver && (all < 0 || all > maxBytes);
    mask = 0;
    missing = isMasked ? Integer.BYTES : 0;
    phase = isMasked ? Phase.MASK : Phase.PAYLOAD;
    if (isTooLarge && !isBroken) {
      isPassedOver = true;
      begun = null;
      listener.onTooLarge();
    }
    if (!isMasked && length == 0) {
      end(new byte[0]);
    }
  }

  private void mask(int next) {
    mask = mask << Byte.SIZE | next;
    missing--;
    if (missing == 0) {
      phase = Phase.PAYLOAD;
      if (length == 0) {
        end(new byte[0]);
      }
    }
  }

  private void payload(ByteBuf bytes) {
    int count = (int) Math.min(length, bytes.readableBytes());
    boolean isLast = count == length;
    length -= count;
    if (isBroken || isPassedOver && !isControl()) {
      bytes.skipBytes(count);
      if (isLast) {
        end(new byte[0]);
      }
      return;
    }
    byte[] part = new byte[count];
    bytes.readBytes(part);
    unmask(part);
    if (isLast) {
      end(part);
    } else if (isControl()) {
      control = control == null ? new ByteArrayOutputStream() : control;
      control.writeBytes(part);
    } else if (isCompressed || isText(part)) {
      begun = begun == null ? new ByteArrayOutputStream(part.length) : begun;
      begun.writeBytes(part);
    }
  }

  /** The mask's first byte is its highest; it is turned so that the next byte's is. */
  private void unmask(byte[] part) {
    for (int n = 0; n < part.length; n++) {
      part[n] ^= (byte) (mask >>> 24);
      mask = Integer.rotateLeft(mask, Byte.SIZE);
    }
  }

  private boolean isText(byte[] part) {
    boolean isGood = type != TEXT || utf8.accepts(part);
    if (!isGood) {
      violation(NOT_UTF_8, "a text is not UTF-8");
    }
    return isGood;
  }

  /** A frame is whole. */
  private void end(byte[] last) {
    phase = Phase.FLAGS;
    if (isControl()) {
      byte[] whole = whole(control, last);
      control = null;
      endControl(whole);
    } else if (!isBroken) {
      endPart(last);
    }
  }

  private void endPart(byte[] last) {
    if (isPassedOver) {
      type = isFinal() ? CONTINUATION : type;
    } else if (isCompressed || isText(last)) {
      if (isFinal()) {
        endMessage(last);
      } else if (last.length > 0) {
        begun = begun == null ? new ByteArrayOutputStream(last.length) : begun;
        begun.writeBytes(last);
      }
    }
  }

  private void endMessage(byte[] last) {
    byte[] message = whole(begun, last);
    boolean isText = type == TEXT;
    begun = null;
    type = CONTINUATION;
    if (isCompressed) {
      inflate(message, isText);
    } else {
      tell(message, isText);
    }
  }

  private void inflate(byte[] compressed, boolean isText) {
    byte[] message;
    try {
      message = Objects.requireNonNull(inflater).inflated(compressed, maxBytes);
    } catch (DataFormatException broken) {
      violation(INVALID_DATA, "a message is not compressed as it must be");
      return;
    }
    if (message == null) {
      listener.onTooLarge();
    } else if (isText && !utf8.accepts(message)) {
      violation(NOT_UTF_8, "a text is not UTF-8");
    } else {
      tell(message, isText);
    }
  }

  private void tell(byte[] message, boolean isText) {
    if (isText && !utf8.isComplete()) {
      violation(NOT_UTF_8, "a text ends within a character");
    } else if (isText) {
      listener.onText(message);
    } else {
      listener.onBinary(message);
    }
  }

  private static byte[] whole(@Nullable ByteArrayOutputStream before, byte[] last) {
    if (before == null) {
      return last;
    }
    before.writeBytes(last);
    return before.toByteArray();
  }

  private void endControl(byte[] payload) {
    if (opcode() == CLOSE) {
      close(payload);
    } else if (opcode() == PING && !isBroken) {
      listener.onPing(payload);
    }
  }

  private void close(byte[] payload) {
    int code = payload.length < 2 ? -1 : (payload[0] & 0xff) << Byte.SIZE | payload[1] & 0xff;
    boolean wasBroken = isBroken;
    isBroken = true;
    if (wasBroken) {
      listener.onClose(-1);
    } else if (payload.length == 1 || payload.length > 1 && !isCode(code)) {
      listener.onClose(PROTOCOL_ERROR);
    } else {
      listener.onClose(isReason(payload) ? code : NOT_UTF_8);
    }
  }

  private static boolean isReason(byte[] payload) {
    Utf8Check check = new Utf8Check();
    return payload.length <= 2
        || check.accepts(Arrays.copyOfRange(payload, 2, payload.length)) && check.isComplete();
  }

  /** Those that may be sent (RFC 6455, 7.4, and what was registered since). */
  private static boolean isCode(int code) {
    boolean isRegistered = code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
    return isRegistered || code >= 3000 && code <= 4999;
  }
}
