package io.galop.broadcast.sockjs;

import io.galop.broadcast.packet.PublishPacket;
import io.galop.record.Position;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What browsers are sent: one JSON message, encoded once per event loop and filter and shared by
 * all Subscribers of the filter.
 */
public final class Frame {
  private static final Opening NONE = new Opening("");
  private static final byte[] POSITION = "\"pos\":\"".getBytes(StandardCharsets.US_ASCII);

  private final Opening opening;
  private final byte[] rest;
  private final byte[] element;
  private final int records;

  /** Null until it is asked for; loops that ask at once find the same. */
  private @Nullable Position position;

  /** The same, for clients of MQTT. */
  private @Nullable PublishPacket packet;

  private Frame(Opening opening, byte[] rest, int records) {
    this.opening = opening;
    this.rest = rest;
    this.element = SockJsElement.of(opening.element, rest);
    this.records = records;
  }

  /** What many messages begin with, encoded once. */
  public static final class Opening {
    private final String address;
    private final byte[] plain;
    private final byte[] element;

    public Opening(String text) {
      this("", text);
    }

    /**
     * @param address the filter that the messages are for
     */
    public Opening(String address, String text) {
      this.address = address;
      plain = text.getBytes(StandardCharsets.UTF_8);
      element = SockJsElement.opening(plain);
    }
  }

  /**
   * A message that carries a record.
   *
   * @param rest all behind the opening, in valid UTF-8; not to be changed afterwards
   */
  public static Frame ofRecord(Opening opening, byte[] rest) {
    return new Frame(opening, rest, 1);
  }

  /** A word about the feed or the connection. */
  public static Frame ofControl(String text) {
    return new Frame(NONE, text.getBytes(StandardCharsets.UTF_8), 0);
  }

  /** How long the message is in UTF-8, in bytes. */
  public int textBytes() {
    return opening.plain.length + rest.length;
  }

  /** A copy of what the message begins with in UTF-8: so many bytes, or all if it is shorter. */
  public byte[] beginning(int most) {
    byte[] begin = Arrays.copyOf(opening.plain, Math.min(most, textBytes()));
    int after = Math.min(opening.plain.length, begin.length);
    System.arraycopy(rest, 0, begin, after, begin.length - after);
    return begin;
  }

  /** Writes the message in UTF-8, as the raw websocket sends it. */
  public ByteBuf writeText(ByteBuf to) {
    return to.writeBytes(opening.plain).writeBytes(rest);
  }

  /** The filter that it is for, as registered; empty of a word. */
  public String address() {
    return opening.address;
  }

  /** The record as MQTT carries it. Only of a message that carries one. */
  public PublishPacket packet() {
    PublishPacket known = packet;
    if (known == null) {
      known = PublishPacket.ofRecord(rest);
      packet = known;
    }
    return known;
  }

  /** All behind the opening, in UTF-8; not to be changed. Of a word: all of it. */
  public byte[] rest() {
    return rest;
  }

  /** The message as an element of a SockJS array: a JSON string in UTF-8, not to be changed. */
  byte[] element() {
    return element;
  }

  /** Whether it carries a record, and not a word about the feed. */
  public boolean isRecord() {
    return records > 0;
  }

  /** How many records it carries: one or none. */
  public int records() {
    return records;
  }

  /** What it counts for in an outbox: its bytes in a SockJS array. */
  public int size() {
    return element.length + 1;
  }

  /** Where the record stands. Only of a message that carries one. */
  public Position position() {
    Position known = position;
    if (known == null) {
      known = positionIn(rest);
      position = known;
    }
    return known;
  }

  /** It is in the headers, which end the message, so the last place that looks like it is it. */
  private static Position positionIn(byte[] message) {
    int begin = message.length - POSITION.length;
    while (!isAt(message, begin)) {
      begin--;
    }
    begin += POSITION.length;
    int end = begin;
    while (message[end] != '"') {
      end++;
    }
    return Position.parse(new String(message, begin, end - begin, StandardCharsets.US_ASCII));
  }

  private static boolean isAt(byte[] message, int begin) {
    for (int i = 0; i < POSITION.length; i++) {
      if (message[begin + i] != POSITION[i]) {
        return false;
      }
    }
    return true;
  }
}
