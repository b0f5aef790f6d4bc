package io.galop.ring;

import org.agrona.concurrent.UnsafeBuffer;

/** The fields of a ring's messages. */
public final class RingMessages {
  private RingMessages() {}

  /** The number that its producer gave it; 0 where it is too short for one. */
  public static long sequence(UnsafeBuffer from, int at, int length) {
    return length < Long.BYTES ? 0 : from.getLong(at + RingLayout.SEQUENCE_AT);
  }

  /** Whether it is a record in parts. */
  public static boolean isRecord(int type, int length) {
    return type == RingLayout.RECORD && length >= RingLayout.TEXTS_AT;
  }

  /** Whether it is a record as a line. */
  public static boolean isLine(int type, int length) {
    return type == RingLayout.LINE && length >= RingLayout.LINE_TEXT_AT;
  }

  /** The text of a line. */
  public static byte[] line(UnsafeBuffer from, int at, int length) {
    return bytes(from, at + RingLayout.LINE_TEXT_AT, length - RingLayout.LINE_TEXT_AT);
  }

  /** Whether the lengths in a record are those of the message. */
  public static boolean addsUp(UnsafeBuffer from, int at, int length) {
    long texts = (long) topicLength(from, at) + idLength(from, at) + dataLength(from, at);
    return dataLength(from, at) >= 0 && RingLayout.TEXTS_AT + texts == length;
  }

  /** A record's event time in microseconds since 1970; -1 where it has none. */
  public static long timeUs(UnsafeBuffer from, int at) {
    return from.getLong(at + RingLayout.TIME_AT);
  }

  /** A record's topic. */
  public static byte[] topic(UnsafeBuffer from, int at) {
    return bytes(from, at + RingLayout.TEXTS_AT, topicLength(from, at));
  }

  /** A record's id; empty where it has none. */
  public static byte[] id(UnsafeBuffer from, int at) {
    return bytes(from, at + RingLayout.TEXTS_AT + topicLength(from, at), idLength(from, at));
  }

  /** A record's data. */
  public static byte[] data(UnsafeBuffer from, int at) {
    int before = topicLength(from, at) + idLength(from, at);
    return bytes(from, at + RingLayout.TEXTS_AT + before, dataLength(from, at));
  }

  private static int topicLength(UnsafeBuffer from, int at) {
    return from.getShort(at + RingLayout.TOPIC_LENGTH_AT) & 0xffff;
  }

  private static int idLength(UnsafeBuffer from, int at) {
    return from.getShort(at + RingLayout.ID_LENGTH_AT) & 0xffff;
  }

  private static int dataLength(UnsafeBuffer from, int at) {
    return from.getInt(at + RingLayout.DATA_LENGTH_AT);
  }

  private static byte[] bytes(UnsafeBuffer from, int at, int length) {
    byte[] bytes = new byte[length];
    from.getBytes(at, bytes);
    return bytes;
  }
}
