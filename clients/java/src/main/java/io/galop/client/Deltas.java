package io.galop.client;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one connection was told by numbers that stand for filters and topics; docs/protocol.md has
 * the format. Lengths are in units of UTF-16, which are Java's. Not for several threads.
 */
final class Deltas {
  private static final String BODY = ",\"body\":";
  private static final String DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  private static final byte[] VALUES = new byte[128];

  static {
    for (int i = 0; i < DIGITS.length(); i++) {
      VALUES[DIGITS.charAt(i)] = (byte) i;
    }
  }

  /** A delta against what is not here. */
  static final class Lost extends Exception {
    private static final long serialVersionUID = 1;

    /** The filter, or empty for one that is not known here. */
    final String address;

    Lost(String address) {
      super("a delta of '" + address + "' could not be read", null, false, false);
      this.address = address;
    }
  }

  /** By the number of a topic: its last record, from the value of {@code body} on. */
  private record Told(String address, String opening, Map<Integer, String> rests) {}

  /** A text that is read from left to right. */
  private static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    /** One digit; none of another character, and none behind the end. */
    int digit() {
      char c = at < text.length() ? text.charAt(at) : 0;
      at++;
      return c < VALUES.length ? VALUES[c] : 0;
    }

    /** In digits of 5 bits, the least first. */
    int number() {
      int number = 0;
      int shift = 0;
      int digit;
      do {
        digit = digit();
        number |= (digit & 31) << shift;
        shift += 5;
      } while (digit >= 32 && shift < 30);
      return number;
    }

    boolean isOver() {
      return at >= text.length();
    }
  }

  private final Map<Integer, Told> filters = new HashMap<>();

  /** The message that a text stands for, which is JSON. */
  String read(String text) throws Lost {
    if (text.startsWith("{")) {
      return text;
    }
    Reader reader = new Reader(text);
    int filter = reader.number();
    int topic = reader.number();
    Told told = filters.get(filter);
    if (text.startsWith("{", reader.at)) {
      return readBase(filter, topic, told, text.substring(reader.at));
    }
    if (told == null) {
      throw new Lost("");
    }
    String base = told.rests.get(topic);
    String rest = base == null ? null : apply(base, reader);
    if (rest == null) {
      throw new Lost(told.address);
    }
    told.rests.put(topic, rest);
    return told.opening + rest;
  }

  private String readBase(int filter, int topic, @Nullable Told told, String message) throws Lost {
    int body = message.indexOf(BODY) + BODY.length();
    if (body < BODY.length()) {
      throw new Lost("");
    }
    String opening = message.substring(0, body);
    Told now = told;
    if (now == null || !now.opening.equals(opening)) {
      now = new Told(Message.parse(message).address, opening, new HashMap<>());
      filters.put(filter, now);
    }
    now.rests.put(topic, message.substring(body));
    return message;
  }

  /** Null if it is not against this base. */
  private static @Nullable String apply(String base, Reader from) {
    int check = from.digit();
    int place = 0;
    StringBuilder made = new StringBuilder(base.length() + from.text.length());
    while (!from.isOver()) {
      int copied = from.number();
      int inserted = from.number();
      int replaced = (inserted & 1) == 1 ? from.number() : inserted >> 1;
      inserted >>= 1;
      if (copied > base.length() - place || inserted > from.text.length() - from.at) {
        return null;
      }
      made.append(base, place, place + copied);
      swapped(from.text, from.at, from.at + inserted, made);
      place += copied + replaced;
      from.at += inserted;
      if (place > base.length()) {
        return null;
      }
    }
    made.append(base, place, base.length());
    return made.length() % 64 == check ? made.toString() : null;
  }

  private static void swapped(String text, int from, int to, StringBuilder made) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      made.append(c == '"' ? '\'' : c == '\'' ? '"' : c);
    }
  }

  /** What is told of this filter begins anew. */
  void forget(String address) {
    filters.values().removeIf(told -> told.address.equals(address));
  }
}
