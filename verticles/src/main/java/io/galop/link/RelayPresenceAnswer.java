package io.galop.link;

import io.galop.presence.PresenceCount;
import io.galop.presence.PresenceQuestion;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a relay says of who watches, itself and those behind it: {@code {"viewers":[n,…],
 * "relays":[…]}}, each of these with {@code relay}, an address, and either {@code id}, {@code node}
 * and {@code viewers}, or {@code why} it does not say. The list is flat. A relay may be taken over,
 * so of an answer only that is taken, and an address that it names is named as its word.
 */
final class RelayPresenceAnswer {
  /** Who names more names no relays. */
  private static final int MOST_RELAYS = 1_000;

  /** In the question of whoever reads the list: true. */
  static final String TOLD_APART = "relays";

  private static final int MOST_CHARS_OF_NAME = 512;
  private static final String RELAYS = "relays";
  private static final String VIEWERS = "viewers";
  private static final String WHY = "why";

  private RelayPresenceAnswer() {}

  /**
   * The answer of this relay to a question, as its asker can read it.
   *
   * @param report as of {@link #said}
   */
  static JsonObject to(JsonObject question, JsonObject report) {
    return Boolean.TRUE.equals(question.getValue(TOLD_APART))
        ? said(report)
        : summed(PresenceQuestion.of(question).filters().size(), report);
  }

  /**
   * Whoever asks as older versions do knows of no relays behind this one: their viewers count as
   * its own, and where some do not answer, neither does it. One that two such relays dial counts
   * twice: that is better than not at all.
   */
  private static JsonObject summed(int filters, JsonObject report) {
    PresenceCount count = PresenceCount.of(filters, Map.of("this", report), Map.of());
    JsonArray viewers = new JsonArray();
    for (int filter = 0; filter < filters && !count.isPartial(); filter++) {
      viewers.add(count.viewers(filter));
    }
    return new JsonObject().put(VIEWERS, viewers);
  }

  /**
   * The answer of this relay.
   *
   * @param report as {@link io.galop.presence.PresenceReport} makes it, with what those behind it
   *     have answered
   */
  private static JsonObject said(JsonObject report) {
    JsonArray all = new JsonArray();
    for (Object one : report.getJsonArray(RELAYS, new JsonArray())) {
      JsonObject relay = (JsonObject) one;
      JsonObject own = known(relay);
      all.add(own == null ? unnamed() : own);
      addBehind(relay, all);
    }
    JsonObject answer = new JsonObject().put(VIEWERS, report.getValue(VIEWERS));
    if (all.isEmpty()) {
      return answer;
    }
    answer.put(RELAYS, all);
    return answer.toBuffer().length() <= RelayAnswers.MOST_BYTES
        ? answer
        : answer.put(RELAYS, tooMany());
  }

  private static void addBehind(JsonObject relay, JsonArray all) {
    if (relay.getValue(RELAYS) instanceof JsonArray behind) {
      behind.forEach(all::add); // read by heard()
    }
  }

  private static JsonArray tooMany() {
    return new JsonArray()
        .add(
            new JsonObject()
                .put("relay", "others")
                .put(WHY, "there are more relays behind it than an answer has room for"));
  }

  /**
   * Reads the answer of a relay.
   *
   * @return {@code {"id":…,"viewers":as it says,"relays":[…]}}
   */
  static JsonObject heard(JsonObject said, String id) {
    JsonArray all = new JsonArray();
    boolean isWhole = true;
    if (said.getValue(RELAYS) instanceof JsonArray relays) {
      isWhole = relays.size() <= MOST_RELAYS;
      for (Object one : isWhole ? relays : new JsonArray()) {
        JsonObject relay = one instanceof JsonObject object ? known(object) : null;
        isWhole &= relay != null;
        if (relay != null) {
          all.add(relay);
        }
      }
    }
    return new JsonObject()
        .put("id", id)
        .put(VIEWERS, flat(said.getValue(VIEWERS)))
        .put(RELAYS, isWhole ? all : all.add(unnamed()));
  }

  private static JsonObject unnamed() {
    return new JsonObject().put("relay", "some").put(WHY, "what is said of them cannot be read");
  }

  /** Without what else it has; null if it is not named. */
  private static @Nullable JsonObject known(JsonObject relay) {
    if (!isName(relay.getValue("relay"))) {
      return null;
    }
    JsonObject known = new JsonObject().put("relay", relay.getValue("relay"));
    if (isName(relay.getValue(WHY))) {
      return known.put(WHY, relay.getValue(WHY));
    }
    return isName(relay.getValue("id")) && isName(relay.getValue("node"))
        ? known
            .put("id", relay.getValue("id"))
            .put("node", relay.getValue("node"))
            .put(VIEWERS, flat(relay.getValue(VIEWERS)))
        : null;
  }

  private static boolean isName(@Nullable Object value) {
    return value instanceof String text && text.length() <= MOST_CHARS_OF_NAME;
  }

  /** Numbers only: what is none makes it no answer to any question. */
  private static JsonArray flat(@Nullable Object viewers) {
    return viewers instanceof JsonArray all && all.stream().allMatch(Number.class::isInstance)
        ? all
        : new JsonArray();
  }
}
