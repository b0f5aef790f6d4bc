package io.galop.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a node says, with the members of {@code body} and {@code headers} beside its own: no name
 * means two things. Members that are not there are empty, false or 0; unknown ones are passed over.
 */
final class Message {
  String type = "";
  String address = "";

  /** The stable word of a refusal. */
  String word = "";

  String message = "";
  String failureType = "";
  int failureCode;
  long retryAfterMs;
  boolean isComplete;
  boolean isPartial;
  boolean isStale;
  private OptionalDouble maxRate = OptionalDouble.empty();
  private OptionalLong maxBytesPerSecond = OptionalLong.empty();
  private final List<Caps.Lower> lower = new ArrayList<>();
  private int more;

  /** Whether a row's bucket is cut. */
  boolean isPart;

  String topic = "";
  private String topics = "";
  String id = "";
  long time;
  String data = "{}";
  String pos = "";
  OptionalLong ageMs = OptionalLong.empty();

  private final String text;

  private Message(String text) {
    this.text = text;
  }

  /**
   * Reads a message, or a line of an answer to a question about history.
   *
   * @throws IllegalArgumentException if the text is no JSON object
   */
  static Message parse(String text) {
    Message message = new Message(text);
    try (JsonParser parser = Json.FACTORY.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("no JSON object: " + Json.shortened(text));
      }
      message.readMembers(parser);
    } catch (IOException e) {
      throw new IllegalArgumentException("no JSON: " + Json.shortened(text), e);
    }
    return message;
  }

  private void readMembers(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (name.equals("data")) {
        readData(parser);
      } else if (token == JsonToken.START_OBJECT && isOpened(name)) {
        readMembers(parser);
      } else if (name.equals("rejected") && token == JsonToken.START_ARRAY) {
        readRejected(parser);
      } else if (name.equals("lower") && token == JsonToken.START_ARRAY) {
        readLower(parser);
      } else if (token.isScalarValue()) {
        readScalar(name, parser);
      } else {
        parser.skipChildren();
      }
    }
  }

  private static boolean isOpened(String name) {
    return name.equals("body") || name.equals("headers");
  }

  /** Of the lines of one request; this client sends one. */
  private void readRejected(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      readMembers(parser);
    }
  }

  /** Each is an object like a message, with the members topics and maxRate. */
  private void readLower(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      Message each = new Message(text);
      each.readMembers(parser);
      lower.add(new Caps.Lower(each.topics, each.maxRate.orElse(0)));
    }
  }

  /** As it stands in the text: most programs read it with a library of their own. */
  private void readData(JsonParser parser) throws IOException {
    int from = (int) parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    parser.finishToken();
    data = text.substring(from, (int) parser.currentLocation().getCharOffset());
  }

  private void readScalar(String name, JsonParser parser) throws IOException {
    switch (name) {
      case "type" -> type = parser.getText();
      case "address" -> address = parser.getText();
      case "body", "reason" -> word = parser.getText();
      case "message", "error", "detail" -> message = parser.getText();
      case "failureType" -> failureType = parser.getText();
      case "failureCode" -> failureCode = parser.getValueAsInt();
      case "retryAfterMs" -> retryAfterMs = parser.getValueAsLong();
      case "complete" -> isComplete = parser.getValueAsBoolean();
      case "partial" -> isPartial = parser.getValueAsBoolean();
      case "part" -> isPart = parser.getValueAsBoolean();
      case "stale" -> isStale = parser.getValueAsBoolean();
      case "maxRate" -> maxRate = OptionalDouble.of(parser.getValueAsDouble());
      case "maxBytesPerSecond" -> maxBytesPerSecond = OptionalLong.of(parser.getValueAsLong());
      case "more" -> more = parser.getValueAsInt();
      case "topics" -> topics = parser.getText();
      case "topic" -> topic = parser.getText();
      case "id" -> id = parser.getText();
      case "time" -> time = parser.getValueAsLong();
      case "pos" -> pos = parser.getText();
      case "age" -> ageMs = OptionalLong.of(parser.getValueAsLong());
      default -> {}
    }
  }

  /** Whether it says why the connection ends. */
  boolean isFarewell() {
    return failureType.equals("disconnect");
  }

  Caps caps() {
    return new Caps(maxRate, maxBytesPerSecond, lower, more);
  }

  HistoryRows.Row row() {
    return new HistoryRows.Row(topic, time, data, isPart);
  }

  FeedRecord record(boolean isCatchingUp, boolean isAfterGap) {
    Optional<Position> position = Position.parse(pos);
    return new FeedRecord(
        topic, id, time, data, position, ageMs, isStale, isCatchingUp, isAfterGap);
  }
}
