package io.galop.loadtest.inject;

import io.galop.loadtest.scenario.Injection;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a record, of which only digits change from one to the next: its topic, its number,
 * when it was due, and a price to calculate with. All have the same length.
 */
final class Template {
  private static final String TOPIC = "load/000000";
  private static final int TOPIC_DIGITS = 6;
  private static final String STAMP = "{\"galopStamp\":\"";
  private static final int NUMBER_DIGITS = 10;
  private static final int DUE_DIGITS = 19;
  private static final int PRICE_DIGITS = 3;

  /** Prices are from 100 on: JSON has no numbers that begin with 0. */
  private static final int LOWEST_PRICE = 100;

  private static final int PRICES = 900;

  private final byte[] bytes;
  private final int topicAt;
  private final int dataAt;
  private final int topics;

  private Template(byte[] bytes, int topicAt, int dataAt, int topics) {
    this.bytes = bytes;
    this.topicAt = topicAt;
    this.dataAt = dataAt;
    this.topics = topics;
  }

  /** One with text around the topic and the data. */
  static Template of(String before, String between, String after, Injection plan) {
    String whole = before + TOPIC + between + data(plan.bytes()) + after;
    int topicAt = before.length() + TOPIC.length() - TOPIC_DIGITS;
    int dataAt = before.length() + TOPIC.length() + between.length();
    return new Template(
        whole.getBytes(StandardCharsets.ISO_8859_1), topicAt, dataAt, plan.topics());
  }

  static int topicBytes() {
    return TOPIC.length();
  }

  private static String data(int bytes) {
    String start =
        STAMP
            + "0".repeat(NUMBER_DIGITS)
            + "."
            + "0".repeat(DUE_DIGITS)
            + "\",\"price\":"
            + LOWEST_PRICE
            + ",\"padding\":\"";
    return start + "x".repeat(Math.max(0, bytes - start.length() - 2)) + "\"}";
  }

  int length() {
    return bytes.length;
  }

  /** Writes a record; returns where it ends. */
  int write(long number, long dueNanos, byte[] out, int at) {
    System.arraycopy(bytes, 0, out, at, bytes.length);
    digits(number % topics, TOPIC_DIGITS, out, at + topicAt);
    int numberAt = at + dataAt + STAMP.length();
    digits(number, NUMBER_DIGITS, out, numberAt);
    int dueAt = numberAt + NUMBER_DIGITS + 1;
    digits(dueNanos, DUE_DIGITS, out, dueAt);
    int priceAt = dueAt + DUE_DIGITS + "\",\"price\":".length();
    digits(LOWEST_PRICE + number / topics % PRICES, PRICE_DIGITS, out, priceAt);
    return at + bytes.length;
  }

  private static void digits(long value, int count, byte[] out, int at) {
    long rest = value;
    for (int i = at + count - 1; i >= at; i--) {
      out[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
