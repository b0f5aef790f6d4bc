package io.galop.ingest.parse;

import io.galop.record.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields of one line {@code {"topic":…,"data":{…},"id":…,"time":…}}, as they were found. Used
 * again for every line, so that a line costs no object but what becomes of it.
 */
public final class Envelope {
  /** 2^53 - 1: the largest time that every browser can hold exactly, in the year 2255. */
  public static final long LATEST_US = 9_007_199_254_740_991L;

  public static final String TIME_RULE =
      "field 'time' must be a whole number of microseconds since 1970 from 0 to "
          + LATEST_US
          + "; leave it out to have the time of arrival";

  private static final int MOST_DIGITS = 16;
  private static final int SHOWN = 40;
  private static final String[] NAMES = {"topic", "data", "id", "time"};
  private static final byte[][] NAME_BYTES =
      Arrays.stream(NAMES)
          .map(name -> name.getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);
  private static final String KNOWN = "an envelope has topic, data, id and time; move it into data";
  private static final int TOPIC = 0;
  private static final int DATA = 1;
  private static final int ID = 2;
  private static final int TIME = 3;

  private final JsonScanner scanner;
  private final TopicTable topics;
  private byte[] in = {};
  private int current;
  private int seen;
  private Reason reason = Reason.MALFORMED;
  private String wrong = "";
  private TopicTable.Entry topic;
  private String id = "";
  private long timeUs;
  private int dataFrom;
  private int dataTo;

  Envelope(JsonScanner scanner, TopicTable topics) {
    this.scanner = scanner;
    this.topics = topics;
    this.topic = topics.of("");
  }

  /**
   * Reads the object in {@code bytes[from, to)}, with white space around it.
   *
   * @return whether it is good; if not, {@link #reason} and {@link #wrong} tell why
   */
  boolean read(byte[] bytes, int from, int to) {
    in = bytes;
    current = -1;
    seen = 0;
    wrong = "";
    scanner.over(bytes, to);
    int at = object(scanner.space(from));
    if (at >= 0) {
      at = scanner.space(at);
      at = at == to ? at : scanner.unexpected(at);
    }
    if (at < 0 && wrong.isEmpty()) {
      String field = current < 0 ? "" : "field '" + NAMES[current] + "': ";
      refuse(scanner.reason(), field + scanner.sentence(from));
    }
    return at >= 0;
  }

  private int object(int at) {
    if (scanner.at(at) != '{') {
      return refuse(Reason.MALFORMED, "the line is no JSON object; send one object a line");
    }
    at = scanner.space(at + 1);
    if (scanner.at(at) == '}') {
      return at + 1;
    }
    at = field(at);
    while (at >= 0 && scanner.at(at) == ',') {
      at = field(scanner.space(at + 1));
    }
    if (at < 0) {
      return at;
    }
    return scanner.at(at) == '}' ? at + 1 : scanner.unexpected(at);
  }

  /** Takes one field; the index of what follows it and the white space after it. */
  private int field(int at) {
    current = -1;
    int after = scanner.text(at);
    boolean escapes = scanner.hasEscapes();
    int value = scanner.colon(after);
    if (value < 0 || !begins(at + 1, after - 1, escapes)) {
      return JsonScanner.WRONG;
    }
    int end = value(value);
    if (end < 0) {
      return end;
    }
    current = -1;
    return scanner.space(end);
  }

  /** Makes the field whose name is at {@code from} the current one, if there is such a field. */
  private boolean begins(int from, int to, boolean escapes) {
    int name = escapes ? -1 : name(from, to);
    if (name < 0) {
      String text = JsonText.unescaped(in, from, to);
      name = Arrays.asList(NAMES).indexOf(text);
      if (name < 0) {
        refuse(
            Reason.UNKNOWN_FIELD,
            "field '" + JsonText.shown(text, SHOWN) + "' is not known; " + KNOWN);
        return false;
      }
    }
    if (isThere(name)) {
      refuse(Reason.MALFORMED, "field '" + NAMES[name] + "' is there twice; send it once");
      return false;
    }
    seen |= 1 << name;
    current = name;
    return true;
  }

  private int name(int from, int to) {
    for (int i = 0; i < NAME_BYTES.length; i++) {
      byte[] name = NAME_BYTES[i];
      if (to - from == name.length && in[from] == name[0]) {
        return Arrays.equals(in, from, to, name, 0, name.length) ? i : -1;
      }
    }
    return -1;
  }

  private int value(int at) {
    return switch (current) {
      case TOPIC -> topic(at);
      case DATA -> data(at);
      case ID -> id(at);
      default -> time(at);
    };
  }

  private int topic(int at) {
    int after = text(at, "name the topic to publish to");
    if (after >= 0) {
      topic =
          scanner.hasEscapes()
              ? topics.of(JsonText.unescaped(in, at + 1, after - 1))
              : topics.of(in, at + 1, after - 1);
    }
    return after;
  }

  private int id(int at) {
    int after = text(at, "leave it out to have one made");
    if (after >= 0) {
      id =
          scanner.hasEscapes()
              ? JsonText.unescaped(in, at + 1, after - 1)
              : JsonText.plain(in, at + 1, after - 1);
    }
    return after;
  }

  private int text(int at, String advice) {
    return scanner.at(at) == '"'
        ? scanner.text(at)
        : refuse(
            Reason.MALFORMED, "field '" + NAMES[current] + "' must be a JSON string; " + advice);
  }

  private int data(int at) {
    if (scanner.at(at) != '{') {
      return refuse(Reason.MALFORMED, "field 'data' must be a JSON object; wrap other values");
    }
    dataFrom = at;
    dataTo = scanner.value(at);
    return dataTo;
  }

  private int time(int at) {
    int to = at;
    timeUs = 0;
    while (to - at <= MOST_DIGITS && Character.isDigit(scanner.at(to))) {
      timeUs = timeUs * 10 + scanner.at(to++) - '0';
    }
    byte next = scanner.at(to);
    boolean ends = next == ',' || next == '}' || next <= ' ';
    if (to == at || !ends || timeUs > LATEST_US) {
      return refuse(Reason.BAD_TIME, TIME_RULE);
    }
    return to;
  }

  private int refuse(Reason why, String sentence) {
    reason = why;
    wrong = sentence;
    return JsonScanner.WRONG;
  }

  /** Why the line is refused. */
  Reason reason() {
    return reason;
  }

  /** The same in a sentence. */
  String wrong() {
    return wrong;
  }

  private boolean isThere(int name) {
    return (seen & 1 << name) != 0;
  }

  boolean hasTopic() {
    return isThere(TOPIC);
  }

  TopicTable.Entry topic() {
    return topic;
  }

  boolean hasId() {
    return isThere(ID);
  }

  String id() {
    return id;
  }

  boolean hasTime() {
    return isThere(TIME);
  }

  long timeUs() {
    return timeUs;
  }

  boolean hasData() {
    return isThere(DATA);
  }

  /** Where the data begins. */
  int dataFrom() {
    return dataFrom;
  }

  /** Where the data ends. */
  int dataTo() {
    return dataTo;
  }
}
