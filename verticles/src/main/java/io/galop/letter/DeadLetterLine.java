package io.galop.letter;

import io.galop.json.JsonLine;
import io.galop.json.JsonString;
import io.galop.record.DeadLetterData;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A record that a step or a store refused, as it stands in the dead-letter topics. */
public final class DeadLetterLine {
  private static final String KAFKA = DeadLetterData.ROOT + "/kafka/";

  /** Letters that keep the beginning of a record only. */
  private static final String TOO_LARGE = DeadLetterData.ROOT + "/log/";

  /** The outermost, which says why the record is here. */
  private final JsonObject outer;

  private final JsonObject letter;
  private final String original;
  private final boolean isNoRecord;

  private DeadLetterLine(JsonObject outer, JsonObject letter, String original, boolean isNoRecord) {
    this.outer = outer;
    this.isNoRecord = isNoRecord;
    this.letter = letter;
    this.original = original;
  }

  /**
   * Reads a line of the history of the dead-letter topics.
   *
   * @throws IllegalArgumentException if it is no dead letter
   */
  public static DeadLetterLine parse(byte[] line) {
    Map<String, byte[]> fields = JsonLine.scan(line, Set.of("data", "topic"));
    String topic = new String(fields.getOrDefault("topic", new byte[0]), StandardCharsets.UTF_8);
    String unquoted = topic.substring(Math.min(1, topic.length())); // behind its quote
    return of(unquoted, fields.getOrDefault("data", new byte[0]));
  }

  /**
   * Reads the data of a letter. Of a letter about a letter, as a store makes one that takes neither
   * the record nor what says so, the innermost.
   *
   * @throws IllegalArgumentException if it is no dead letter
   */
  public static DeadLetterLine ofData(byte[] data) {
    return ofData(null, data, false);
  }

  /**
   * The same of a letter on a topic.
   *
   * @throws IllegalArgumentException if it is no dead letter
   */
  public static DeadLetterLine of(String topic, byte[] data) {
    return ofData(null, data, isNoRecord(topic));
  }

  private static DeadLetterLine ofData(
      @Nullable JsonObject about, byte[] data, boolean isNoRecord) {
    byte[] original = JsonLine.scan(data, Set.of("data")).get("data");
    if (original == null) {
      throw new IllegalArgumentException("holds no original record");
    }
    JsonObject letter = new JsonObject(new String(data, StandardCharsets.UTF_8));
    JsonObject outer = about == null ? letter : about;
    String topic = letter.getString("topic", "");
    if (!isNoRecord && topic.startsWith(DeadLetterData.ROOT + "/")) {
      return ofData(outer, original, isNoRecord(topic));
    }
    return new DeadLetterLine(
        outer, letter, new String(original, StandardCharsets.UTF_8), isNoRecord);
  }

  private static boolean isNoRecord(String topic) {
    return topic.startsWith(KAFKA) || topic.startsWith(TOO_LARGE);
  }

  /** Whether what it keeps is no whole record of a topic of Galop, which could take it back. */
  public boolean isNoRecord() {
    return isNoRecord;
  }

  /** Why it was refused, in a word. */
  public String reason() {
    return outer.getString("reason", "");
  }

  /** The same in a sentence. */
  public String detail() {
    return outer.getString("detail", "");
  }

  /** The id of the record as it failed this time. */
  public String id() {
    return letter.getString("id", "");
  }

  /** The topic of the record. */
  public String topic() {
    return letter.getString("topic", "");
  }

  /** The event time of the record; null where the letter has none. */
  public @Nullable Long timeUs() {
    return letter.getLong("timeUs");
  }

  /** The data of the record, byte for byte as they came. */
  public String data() {
    return original;
  }

  /** The id with which a door takes the record: it takes no '#'. */
  String doorId() {
    return id().replace('#', '.');
  }

  /** The original as a line for a door, byte for byte but for its id. */
  String toLine(String id) {
    return line(id, original);
  }

  /**
   * The same with other data.
   *
   * @param mended a JSON object, which may have several lines
   * @throws IllegalArgumentException saying what is wrong with it, and where
   */
  String toMendedLine(String id, String mended) {
    JsonLine.scan(mended.getBytes(StandardCharsets.UTF_8), Set.of());
    return line(id, mended.replaceAll("[\r\n]", " ")); // in valid JSON these are white space
  }

  private String line(String id, String data) {
    Long timeUs = timeUs();
    String time = timeUs == null ? "" : ",\"time\":" + timeUs;
    return "{\"topic\":%s,\"id\":%s%s,\"data\":%s}\n"
        .formatted(JsonString.quoted(topic()), JsonString.quoted(id), time, data);
  }
}
