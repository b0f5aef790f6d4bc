package io.galop.broadcast;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import java.util.function.Consumer;

/** What a SockJS client writes to its websocket: an array of strings, or one string. */
final class SockMessages {
  private SockMessages() {}

  /**
   * Hands on the messages of a text frame.
   *
   * @return false if it holds anything else; then the connection is to be cut off
   */
  static boolean each(String text, Consumer<Buffer> messages) {
    if (text.isEmpty()) {
      return true;
    }
    try {
      return handOn(Json.decodeValue(text), messages);
    } catch (DecodeException broken) {
      return false;
    }
  }

  private static boolean handOn(Object value, Consumer<Buffer> messages) {
    if (value instanceof String message) {
      messages.accept(Buffer.buffer(message));
      return true;
    }
    if (!(value instanceof JsonArray array) || !array.stream().allMatch(String.class::isInstance)) {
      return false;
    }
    array.forEach(message -> messages.accept(Buffer.buffer((String) message)));
    return true;
  }
}
