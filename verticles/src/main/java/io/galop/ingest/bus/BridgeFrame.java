package io.galop.ingest.bus;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the bridge can read: it would write an error into the log for anything else, or be lost. */
final class BridgeFrame {
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

  private BridgeFrame() {}

  /** What is wrong with a frame, which is one of a few texts; empty: the bridge reads it. */
  static Optional<String> problem(String text) {
    JsonObject frame;
    try {
      frame = new JsonObject(text);
    } catch (DecodeException e) {
      return Optional.of(NO_OBJECT);
    }
    String type = frame.getString("type", "");
    if (!TYPES.contains(type)) {
      return Optional.of(NO_TYPE);
    }
    if (!type.equals("ping") && frame.getString("address") == null) {
      return Optional.of(NO_ADDRESS);
    }
    return areHeaders(frame.getValue("headers")) ? Optional.empty() : Optional.of(NO_HEADERS);
  }

  /**
   * What the bridge is to read in place of a frame; empty: the frame itself. What is published
   * every consumer of an address takes, of which there is one for each event loop; of records one
   * is to.
   */
  static Optional<String> once(String text) {
    if (!text.contains("\"publish\"") && !text.contains("\\u")) {
      return Optional.empty();
    }
    JsonObject frame = new JsonObject(text);
    if (!"publish".equals(frame.getString("type"))) {
      return Optional.empty();
    }
    frame.put("type", "send").remove("replyAddress");
    return Optional.of(frame.encode());
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
