package io.galop.broadcast.packet;

import io.galop.json.JsonBytes;
import io.galop.record.Topic;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A record as a PUBLISH (MQTT 3.1.1 and 5, 3.3): its topic, its data as the payload, and from MQTT
 * 5 on id, time and Position as user properties. Made once for each message; whoever writes it only
 * copies bytes.
 */
public final class PublishPacket {
  /** No property of one client's own. */
  public static final byte[] NOTHING = {};

  private static final int PUBLISH = 0x30;
  private static final int RETAIN = 0x01;
  private static final int DELETE = 0x7f;
  private static final int USER_PROPERTY = 0x26;
  private static final byte[] ID = ascii("{\"id\":");
  private static final byte[] TIME = ascii(",\"time\":");
  private static final byte[] DATA = ascii(",\"data\":");
  private static final byte[] HEADERS = ascii("},\"headers\":{\"topic\":");
  private static final byte[] POSITION = ascii(",\"pos\":\"");
  private static final byte[] AGE = ascii(",\"age\":");
  private static final byte[] STALE = ascii(",\"stale\":true");

  private final byte[] topic;
  private final byte[] text;
  private final int from;
  private final int length;
  private final byte[] properties;
  private final boolean isPast;
  private final boolean isTopicPlain;
  private final boolean isIdPlain;

  private PublishPacket(
      byte[] topic,
      byte[] text,
      int from,
      int length,
      byte[] properties,
      boolean isPast,
      boolean isIdPlain) {
    this.topic = topic;
    this.text = text;
    this.from = from;
    this.length = length;
    this.properties = properties;
    this.isPast = isPast;
    this.isTopicPlain = isPlain(topic);
    this.isIdPlain = isIdPlain;
  }

  /**
   * That of a record.
   *
   * @param text the message to a browser from the value of {@code body} on, in UTF-8; not to be
   *     changed afterwards
   */
  public static PublishPacket ofRecord(byte[] text) {
    int idEnd = JsonBytes.skipString(text, ID.length);
    int timeEnd = skipNumber(text, idEnd + TIME.length);
    int data = timeEnd + DATA.length;
    int headers = lastHeaders(text);
    int topic = headers + HEADERS.length;
    int topicEnd = JsonBytes.skipString(text, topic);
    int position = topicEnd + POSITION.length;
    int positionEnd = position;
    while (text[positionEnd] != '"') {
      positionEnd++;
    }
    int age = positionEnd + 1;
    boolean isPast = isAt(text, age, AGE);
    ByteBuf user = Unpooled.buffer(128);
    byte[] id = string(text, ID.length, idEnd);
    property(user, "id", id);
    property(user, "time", Arrays.copyOfRange(text, idEnd + TIME.length, timeEnd));
    property(user, "pos", Arrays.copyOfRange(text, position, positionEnd));
    if (isPast) {
      int ageEnd = skipNumber(text, age + AGE.length);
      property(user, "age", Arrays.copyOfRange(text, age + AGE.length, ageEnd));
      if (isAt(text, ageEnd, STALE)) {
        property(user, "stale", ascii("true"));
      }
    }
    byte[] name = string(text, topic, topicEnd);
    return new PublishPacket(name, text, data, headers - data, bytes(user), isPast, isPlain(id));
  }

  /** A text about the feed, on a topic of Galop's own. */
  public static PublishPacket ofWord(String topic, byte[] text) {
    byte[] name = topic.getBytes(StandardCharsets.UTF_8);
    return new PublishPacket(name, text, 0, text.length, NOTHING, false, true);
  }

  /** A user property of one client's own, for {@link #write}. */
  public static byte[] userProperty(String name, String value) {
    ByteBuf user = Unpooled.buffer(32);
    property(user, name, value.getBytes(StandardCharsets.UTF_8));
    return bytes(user);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    return bytes;
  }

  private static int skipNumber(byte[] text, int from) {
    int at = from;
    while (text[at] == '-' || text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    return at;
  }

  /** Quotes within strings are escaped, so the last place that looks like it is it. */
  private static int lastHeaders(byte[] text) {
    int at = text.length - HEADERS.length;
    while (!isAt(text, at, HEADERS)) {
      at--;
    }
    return at;
  }

  private static boolean isAt(byte[] text, int at, byte[] wanted) {
    return at + wanted.length <= text.length
        && Arrays.equals(text, at, at + wanted.length, wanted, 0, wanted.length);
  }

  /** What a JSON string stands for; one without escapes is its own bytes. */
  private static byte[] string(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] == '\\') {
        Buffer quoted = Buffer.buffer(Arrays.copyOfRange(text, from, to));
        return String.valueOf(Json.decodeValue(quoted)).getBytes(StandardCharsets.UTF_8);
      }
    }
    return Arrays.copyOfRange(text, from + 1, to - 1);
  }

  private static void property(ByteBuf to, String name, byte[] value) {
    byte[] key = ascii(name);
    to.writeByte(USER_PROPERTY).writeShort(key.length).writeBytes(key);
    to.writeShort(value.length).writeBytes(value);
  }

  private static boolean isPlain(byte[] text) {
    for (byte each : text) {
      if (each < ' ' || each == DELETE) { // below are those of UTF-8, too
        return new String(text, StandardCharsets.UTF_8)
            .codePoints()
            .noneMatch(code -> Character.isISOControl(code) || Topic.isNoncharacter(code));
      }
    }
    return true;
  }

  /**
   * Whether clients take it. At a control character or a noncharacter in a text of MQTT (1.5.4)
   * they end the connection; older versions of Galop took records with them.
   */
  public boolean isTaken(boolean isFive) {
    return isTopicPlain && (!isFive || isIdPlain);
  }

  /** The topic, without what a terminal does not show. */
  public String shownTopic() {
    return new String(topic, StandardCharsets.UTF_8).replaceAll("\\p{C}", "?");
  }

  /** Whether the record is from before the present: of a snapshot, or missed. */
  public boolean isPast() {
    return isPast;
  }

  /** The flags of one that is delivered at most once, as every new subscriber gets it. */
  public int flags() {
    return isPast ? RETAIN : 0;
  }

  /** The flags of a PUBLISH (MQTT, 3.3.1). */
  public static int flags(int qos, boolean retain) {
    return qos << 1 | (retain ? RETAIN : 0);
  }

  /**
   * How many bytes it takes.
   *
   * @param own see {@link #write}
   */
  public int size(boolean isFive, int flags, byte[] own) {
    int rest = rest(isFive, flags, own);
    return 1 + varintBytes(rest) + rest;
  }

  private int rest(boolean isFive, int flags, byte[] own) {
    int all = properties.length + own.length;
    int propertyBytes = isFive ? varintBytes(all) + all : 0;
    return 2 + topic.length + (hasId(flags) ? 2 : 0) + propertyBytes + length;
  }

  private static boolean hasId(int flags) {
    return (flags & 0x06) != 0;
  }

  /**
   * Writes it.
   *
   * @param isFive whether to a client of MQTT 5, which gets the properties
   * @param flags its delivery: see {@link #flags(int, boolean)}
   * @param packetId of one that is acknowledged; else it is not written
   * @param own properties for this client only, encoded
   */
  public void write(ByteBuf to, boolean isFive, int flags, int packetId, byte[] own) {
    to.writeByte(PUBLISH | flags);
    writeVarint(to, rest(isFive, flags, own));
    to.writeShort(topic.length).writeBytes(topic);
    if (hasId(flags)) {
      to.writeShort(packetId);
    }
    if (isFive) {
      writeVarint(to, properties.length + own.length);
      to.writeBytes(own).writeBytes(properties);
    }
    to.writeBytes(text, from, length);
  }

  /** Writes a number of seven bits a byte (MQTT 5, 1.5.5). */
  public static void writeVarint(ByteBuf to, int value) {
    int left = value;
    while (left >= 0x80) {
      to.writeByte(left & 0x7f | 0x80);
      left >>>= 7;
    }
    to.writeByte(left);
  }

  private static int varintBytes(int value) {
    return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : 4;
  }
}
