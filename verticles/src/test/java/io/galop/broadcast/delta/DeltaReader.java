package io.galop.broadcast.delta;

import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/** What a client makes of messages that are told by what is different, as docs/protocol.md says. */
public final class DeltaReader {
  private static final String DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private static final String BODY = ",\"body\":";
  private final Map<Integer, Told> filters = new HashMap<>();
  private String text = "";
  private int at;
  private int deltas;

  /** By the number of a filter. */
  private record Told(String opening, String address, Map<Integer, String> rests) {}

  /** How many of the messages were deltas. */
  public int deltas() {
    return deltas;
  }

  /**
   * The message that a text stands for.
   *
   * @throws IllegalStateException if it cannot be told
   */
  public String read(String message) {
    if (message.startsWith("{")) {
      return message;
    }
    text = message;
    at = 0;
    int filter = number();
    int topic = number();
    if (text.charAt(at) == '{') {
      return whole(filter, topic, text.substring(at));
    }
    Told told = filters.get(filter);
    if (told == null || !told.rests.containsKey(topic)) {
      throw new IllegalStateException("nothing is known for " + message);
    }
    told.rests.put(topic, apply(told.rests.get(topic)));
    deltas++;
    return told.opening + told.rests.get(topic);
  }

  /** What a difference makes of a base. */
  public String apply(String base, String difference) {
    text = difference;
    at = 0;
    return apply(base);
  }

  private String whole(int filter, int topic, String message) {
    int body = message.indexOf(BODY) + BODY.length();
    String opening = message.substring(0, body);
    Told told = filters.get(filter);
    if (told == null || !told.opening.equals(opening)) {
      told = new Told(opening, new JsonObject(message).getString("address"), new HashMap<>());
      filters.put(filter, told);
    }
    told.rests.put(topic, message.substring(body));
    return message;
  }

  /** Forgets a filter that was unregistered. */
  public void forget(String address) {
    filters.values().removeIf(told -> told.address.equals(address));
  }

  private String apply(String base) {
    int check = DIGITS.indexOf(text.charAt(at++));
    StringBuilder made = new StringBuilder();
    int place = 0;
    while (at < text.length()) {
      int copied = number();
      int inserted = number();
      int replaced = inserted % 2 == 1 ? number() : inserted / 2;
      made.append(base, place, place + copied);
      text.substring(at, at + inserted / 2)
          .chars()
          .map(DeltaReader::swap)
          .forEach(unit -> made.append((char) unit));
      at += inserted / 2;
      place += copied + replaced;
    }
    made.append(base, place, base.length());
    if (made.length() % 64 != check) {
      throw new IllegalStateException("not as long as said: " + made);
    }
    return made.toString();
  }

  private static int swap(int c) {
    return c == '"' ? '\'' : c == '\'' ? '"' : c;
  }

  private int number() {
    int number = 0;
    int shift = 0;
    int digit;
    do {
      digit = DIGITS.indexOf(text.charAt(at++));
      number |= (digit & 31) << shift;
      shift += 5;
    } while (digit > 31);
    return number;
  }
}
