package io.galop.record;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** The rules for topic names, and the shard that a topic belongs to. */
public final class Topic {
  /** Topics whose first level starts so are Galop's own; {@code +} and {@code #} pass them over. */
  public static final char RESERVED = '$';

  /**
   * The first level of the topics of alarms, {@code $alarm/<rule>/<topic>}: records about another
   * topic, which are of its shard.
   */
  public static final String ALARM = "$alarm/";

  /** The first level of the topics of drills, {@code $drill/<node>/…}. */
  public static final String DRILL = "$drill/";

  /** Below a node's topics of drills: records of these become dead letters, on the same topic. */
  public static final String REFUSED = "/refused/";

  /** The first level of the topics that tell how many viewers there are. */
  public static final String PRESENCE = "$presence/";

  private Topic() {}

  /**
   * Says what is wrong with a topic name.
   *
   * @param maxBytes longest name allowed, in UTF-8 bytes
   * @return the broken rule in words, or an empty string if the name is good
   */
  public static String check(String topic, int maxBytes) {
    if (topic.isEmpty()) {
      return "is empty";
    }
    if (topic.length() > maxBytes || topic.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
      return "is longer than " + maxBytes + " bytes";
    }
    return checkCharacters(topic);
  }

  private static String checkCharacters(String topic) {
    char previous = '/';
    for (int i = 0; i < topic.length(); i++) {
      char c = topic.charAt(i);
      if (c == '/' && previous == '/') {
        return "has an empty level";
      }
      if (c == '+' || c == '#') {
        return "holds the wildcard '" + c + "'";
      }
      if (Character.isISOControl(c)) {
        return "holds a control character at " + i;
      }
      if (c >= Character.MIN_HIGH_SURROGATE && isNoncharacter(topic.codePointAt(i))) {
        return "holds the noncharacter U+%04X at %d".formatted(topic.codePointAt(i), i);
      }
      previous = c;
    }
    return previous == '/' ? "ends with '/'" : "";
  }

  /**
   * Whether this is a code point that Unicode never gives to a character. MQTT lets a receiver end
   * the connection where it meets one in a text (MQTT 5, section 1.5.4), and mosquitto's do.
   */
  public static boolean isNoncharacter(int code) {
    return code >= 0xfdd0 && code <= 0xfdef || (code & 0xfffe) == 0xfffe;
  }

  /** The topic that tells how many viewers a filter has, with asterisks where it has wildcards. */
  public static String presence(String filter) {
    return PRESENCE + filter.replace("#", "**").replace('+', '*');
  }

  /** Whether users may not publish to this topic. */
  public static boolean isReserved(String topic) {
    return !topic.isEmpty() && topic.charAt(0) == RESERVED;
  }

  /** Whether a topic is of a drill. */
  public static boolean isDrill(String topic) {
    return isReserved(topic) && topic.startsWith(DRILL);
  }

  /** Whether a topic is of a drill whose records enrichment has to refuse. */
  public static boolean isRefusedDrill(String topic) {
    return isDrill(topic) && topic.indexOf(REFUSED, DRILL.length()) > 0;
  }

  /**
   * The shard of a topic: CRC32C (RFC 3720) of its UTF-8 bytes modulo the number of shards, so that
   * every node, of whatever version, finds the same. The topic of an alarm is in the shard of the
   * topic that it is about, so that one owner has both.
   */
  public static int shard(String topic, int shards) {
    byte[] bytes = watched(topic).getBytes(StandardCharsets.UTF_8);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) (crc.getValue() % shards);
  }

  /** The topic that an alarm's topic is about; any other topic as it is. */
  public static String watched(String topic) {
    if (!isReserved(topic) || !topic.startsWith(ALARM)) {
      return topic;
    }
    int end = topic.indexOf('/', ALARM.length());
    return end < 0 ? topic : topic.substring(end + 1);
  }
}
