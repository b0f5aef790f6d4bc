package io.galop.ingest.bus;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A frame as the bridge can read it: it would write an error into the log for others, or be lost.
 *
 * @param problem what is wrong with it, which is one of a few texts; empty: nothing
 * @param text what the bridge is to read, which is not always what was sent
 */
record BridgeFrame(String problem, String text) {
  private static final Set<String> TYPES =
      Set.of("ping", "register", "unregister", "publish", "send");

  private static final String NO_OBJECT =
      "the frame is no JSON object; send 4 bytes of length and an object of the event-bus bridge";
  private static final String NO_TYPE =
      "field 'type' must be one of ping, register, unregister, publish, send";
  private static final String NO_HEADERS =
      "field 'headers' must be an object without null and 'codecName'; 'timeout' in it is a whole"
          + " number of ms above 0, 'localOnly' true or false";

  /** The bridge's own word. */
  private static final String NO_ADDRESS = "missing_address";

  static BridgeFrame of(String sent) {
    JsonObject frame;
    try {
      frame = new JsonObject(sent);
    } catch (DecodeException e) {
      return new BridgeFrame(NO_OBJECT, sent);
    }
    String type = frame.getString("type", "");
    String problem = problem(frame, type);
    boolean isForAll = problem.isEmpty() && type.equals("publish");
    return new BridgeFrame(problem, isForAll ? forOne(frame) : sent);
  }

  private static String problem(JsonObject frame, String type) {
    if (!TYPES.contains(type)) {
      return NO_TYPE;
    }
    if (!type.equals("ping") && frame.getString("address") == null) {
      return NO_ADDRESS;
    }
    return areHeaders(frame.getValue("headers")) ? "" : NO_HEADERS;
  }

  /**
   * What is published every consumer of an address takes, of which each event loop has one: records
   * would be stored several times.
   */
  private static String forOne(JsonObject frame) {
    frame.put("type", "send").remove("replyAddress");
    return frame.encode();
  }

  private static boolean areHeaders(@Nullable Object headers) {
    return headers == null
        || headers instanceof JsonObject object
            && object.getMap().entrySet().stream().allMatch(BridgeFrame::isHeader);
  }

  private static boolean isHeader(Map.Entry<String, @Nullable Object> header) {
    Object value = header.getValue();
    return switch (header.getKey()) {
      case "timeout" -> value instanceof Number number && number.longValue() > 0;
      case "localOnly" -> value instanceof Boolean;
      case "codecName" -> false;
      default -> value != null;
    };
  }
}
