package io.galop.broadcast.sockjs;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.Optional;

/** What a SockJS client writes: an array of strings, or one string. */
final class SockMessages {
  private SockMessages() {}

  /** The messages; nothing if the text holds anything else. */
  static Optional<List<Buffer>> of(String text) {
    try {
      Object value = Json.decodeValue(text);
      if (value instanceof String message) {
        return Optional.of(List.of(Buffer.buffer(message)));
      }
      return value instanceof JsonArray array && array.stream().allMatch(String.class::isInstance)
          ? Optional.of(array.stream().map(each -> Buffer.buffer((String) each)).toList())
          : Optional.empty();
    } catch (DecodeException broken) {
      return Optional.empty();
    }
  }
}
