package io.galop.link;

import io.galop.config.NodeConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a relay says of a drill, itself and those behind it, as of {@link
 * io.galop.node.DrillReports}. The list is flat. A relay may be taken over, so of an answer only
 * words and names are taken, and none that could be more than that.
 */
final class RelayDrillAnswer {
  private static final int MOST_RELAYS = 256;
  private static final int MOST_FAILED = 8;

  private static final Pattern WORD = Pattern.compile("[a-z]{1,16}");
  private static final Pattern ADDRESS = Pattern.compile("[\\p{Alnum}.:_\\[\\]-]{1,300}");
  private static final String RELAYS = "relays";
  private static final String STATE = "state";
  private static final String FAILED = "failed";

  private RelayDrillAnswer() {}

  /** The answer of this relay to whoever dials it. */
  static JsonObject said(JsonObject report) {
    JsonArray all = new JsonArray();
    for (Object one : report.getJsonArray(RELAYS, new JsonArray())) {
      JsonObject relay = (JsonObject) one;
      addKnown(relay, all);
      if (relay.getValue(RELAYS) instanceof JsonArray behind) {
        behind.forEach(all::add); // read by heard()
      }
    }
    JsonObject answer =
        new JsonObject().put(STATE, report.getValue(STATE)).put(FAILED, report.getValue(FAILED));
    JsonObject whole = answer.copy().put(RELAYS, all);
    boolean fits =
        all.size() <= MOST_RELAYS && whole.toBuffer().length() <= RelayAnswers.MOST_BYTES;
    return fits ? whole : answer;
  }

  /**
   * Reads the answer of a relay; what is not known or readable in it is left out.
   *
   * @param id the relay's
   */
  static JsonObject heard(JsonObject said, String id) {
    JsonArray all = new JsonArray();
    if (said.getValue(RELAYS) instanceof JsonArray relays && relays.size() <= MOST_RELAYS) {
      for (Object one : relays) {
        if (one instanceof JsonObject relay) {
          addKnown(relay, all);
        }
      }
    }
    return words(said, new JsonObject().put("id", id)).put(RELAYS, all);
  }

  /** Of a relay whose answer is not read. */
  static JsonObject told(String id) {
    return new JsonObject().put("id", id).put(STATE, "told");
  }

  /** Those that have said something. */
  private static void addKnown(JsonObject relay, JsonArray all) {
    if (relay.getValue("relay") instanceof String address
        && ADDRESS.matcher(address).matches()
        && isName(relay.getValue("id"))
        && isName(relay.getValue("node"))) {
      JsonObject known =
          new JsonObject()
              .put("relay", address)
              .put("id", relay.getValue("id"))
              .put("node", relay.getValue("node"));
      all.add(words(relay, known));
    }
  }

  private static JsonObject words(JsonObject from, JsonObject to) {
    if (isWord(from.getValue(STATE))) {
      to.put(STATE, from.getValue(STATE));
    }
    JsonArray failed = new JsonArray();
    if (from.getValue(FAILED) instanceof JsonArray stages) {
      stages.stream().filter(RelayDrillAnswer::isWord).limit(MOST_FAILED).forEach(failed::add);
    }
    return to.put(FAILED, failed);
  }

  private static boolean isWord(@Nullable Object value) {
    return value instanceof String text && WORD.matcher(text).matches();
  }

  private static boolean isName(@Nullable Object value) {
    return value instanceof String text && NodeConfig.nameRule(text).isEmpty();
  }
}
