package io.galop.cli.live;

import io.galop.json.JsonLine;
import io.galop.json.JsonString;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/**
 * A message of the live feed, in the words of the event-bus bridge.
 *
 * @param type {@code rec}, {@code resumed}, {@code stale}, {@code fresh}, {@code err}, {@code pong}
 * @param address the filter that it belongs to, or empty
 * @param body the record as it was written, or empty
 * @param fields the others
 */
record LiveMessage(String type, String address, String body, JsonObject fields) {
  private static final Set<String> WANTED = Set.of("type", "address", "body");

  /**
   * Reads a frame.
   *
   * @throws IllegalArgumentException if it is no JSON object
   */
  static LiveMessage parse(byte[] frame) {
    Map<String, byte[]> found = JsonLine.scan(frame, WANTED);
    JsonObject fields = new JsonObject(new String(frame, StandardCharsets.UTF_8));
    byte[] body = found.getOrDefault("body", new byte[0]);
    return new LiveMessage(
        text(fields, "type"),
        text(fields, "address"),
        new String(body, StandardCharsets.UTF_8),
        fields);
  }

  /** The record's topic. */
  String topic() {
    return header("topic");
  }

  /** The record's Position. */
  String position() {
    return header("pos");
  }

  private String header(String name) {
    return fields.getValue("headers") instanceof JsonObject headers ? text(headers, name) : "";
  }

  /** Empty where there is none, or null. */
  private static String text(JsonObject of, String name) {
    return of.getValue(name) instanceof String text ? text : "";
  }

  /** The record as one line: topic and Position, then what the body holds, byte for byte. */
  String toLine() {
    String rest = body.strip().equals("{}") ? "}" : "," + body.strip().substring(1);
    return "{\"topic\":"
        + JsonString.quoted(topic())
        + ",\"pos\":"
        + JsonString.quoted(position())
        + rest;
  }
}
