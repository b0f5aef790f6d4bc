package io.galop.ops.drill;

import io.galop.ops.drill.DrillRun.Way;
import io.galop.record.Topic;
import io.vertx.core.json.JsonObject;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What a node says of one of its drills to the relays, so that their own viewers watch it. The same
 * one is said again and again, by several links perhaps.
 *
 * @param fault what is planted, as far as a relay can see it
 * @param withinMs until then viewers have to be there, and what was sent to be shown
 * @param forMs a relay that hears nothing more for so long forgets it
 */
record RelayOrder(Word word, Way way, DrillFault fault, long withinMs, long forMs) {
  private static final Set<DrillFault> SEEN =
      EnumSet.of(DrillFault.NONE, DrillFault.LOST, DrillFault.DOUBLED);

  private static final long LONGEST_MS = 900_000;
  private static final int MOST_CHARS = 200;

  /** What it is about. */
  enum Word {
    /** Viewers are to come: records will be sent. */
    WATCH,
    /** All records were sent and acknowledged. */
    SENT,
    /** They were not: what viewers were shown says nothing. */
    NOTHING
  }

  /** The first one of a drill. */
  static RelayOrder of(DrillPlan plan, Way way) {
    DrillFault seen = SEEN.contains(plan.fault()) ? plan.fault() : DrillFault.NONE;
    long forMs = plan.silentMs() + plan.storedWithinMs() + 6 * plan.withinMs();
    return new RelayOrder(Word.WATCH, way, seen, plan.withinMs(), forMs);
  }

  /** The same with another word. */
  RelayOrder with(Word other) {
    return new RelayOrder(other, way, fault, withinMs, forMs);
  }

  /** As it crosses links. */
  JsonObject json() {
    return new JsonObject()
        .put("word", word.name().toLowerCase(Locale.ROOT))
        .put("topic", way.topic())
        .put("ids", way.idPrefix())
        .put("drill", way.number())
        .put("fault", fault.word())
        .put("withinMs", withinMs)
        .put("forMs", forMs);
  }

  /**
   * The one of an object.
   *
   * @throws IllegalArgumentException if it is none
   */
  static RelayOrder of(JsonObject json) {
    try {
      String topic = json.getString("topic");
      String ids = json.getString("ids");
      if (!Topic.isDrill(topic)
          || topic.contains("+")
          || topic.contains("#")
          || isLong(topic)
          || isLong(ids)) {
        throw new IllegalArgumentException("an order of a drill is of its own topic and ids");
      }
      return new RelayOrder(
          Word.valueOf(json.getString("word").toUpperCase(Locale.ROOT)),
          new Way(topic, ids, json.getLong("drill")),
          seen(json.getString("fault")),
          bounded(json.getLong("withinMs")),
          bounded(json.getLong("forMs")));
    } catch (ClassCastException | NullPointerException wrong) {
      throw new IllegalArgumentException("an order of a drill lacks something", wrong);
    }
  }

  private static DrillFault seen(String word) {
    DrillFault fault = DrillFault.of(word);
    if (!SEEN.contains(fault)) {
      throw new IllegalArgumentException("viewers of a relay do not see the fault " + word);
    }
    return fault;
  }

  /**
   * Whether the node of another drill has gone on to this one, and will say no more of that. It
   * counts its drills from one at each start, under another prefix.
   */
  boolean follows(RelayOrder other) {
    boolean isOfNode = node(way).equals(node(other.way));
    boolean isOfStart = start(way).equals(start(other.way));
    return isOfNode && (!isOfStart || way.number() > other.way.number());
  }

  private static String node(Way way) {
    return way.topic().substring(0, way.topic().lastIndexOf('/'));
  }

  private static String start(Way way) {
    String number = way.number() + "-";
    String prefix = way.idPrefix();
    return prefix.endsWith(number)
        ? prefix.substring(0, prefix.length() - number.length())
        : prefix;
  }

  private static boolean isLong(String text) {
    return text.isEmpty() || text.length() > MOST_CHARS;
  }

  private static long bounded(long ms) {
    return Math.max(1, Math.min(LONGEST_MS, ms));
  }
}
