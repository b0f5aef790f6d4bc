package io.galop.enrich.script.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.galop.json.JsonField;
import io.galop.record.Record;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Reads recorded records, one per line. */
final class TryLines {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int LONGEST_LINE_BYTES = 16 << 20;

  private final JsonField topicField = new JsonField("topic");
  private final JsonField dataField = new JsonField("data");
  private final JsonField idField = new JsonField("id");
  private final JsonField timeField = new JsonField("time");
  private final InputStream in;
  private final String topic;
  private final byte[] buffer = new byte[1 << 16];
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int at;
  private int end;
  private long number;

  /**
   * @param topic of every record, whose line is its data alone; empty if each line names its own
   */
  TryLines(InputStream in, String topic) {
    this.in = in;
    this.topic = topic;
  }

  /** Moves to the next line that is not blank; false if there is none. */
  boolean next() throws IOException {
    do {
      if (!nextLine()) {
        return false;
      }
    } while (line.size() <= LONGEST_LINE_BYTES && line.toString().isBlank());
    return true;
  }

  /** Moves to a line that did not come from the input, given without its end. */
  void take(String text) {
    line.reset();
    line.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    number++;
  }

  private boolean nextLine() throws IOException {
    line.reset();
    if (at == end && !fill()) {
      return false;
    }
    number++;
    do {
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      if (line.size() <= LONGEST_LINE_BYTES) {
        line.write(buffer, from, at - from);
      }
    } while (at == end && fill());
    at = Math.min(at + 1, end);
    return true;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }

  /** Whether the next line would have to be waited for. */
  boolean isWaiting() throws IOException {
    return at == end && in.available() == 0;
  }

  /** The number of the line, from 1. */
  long number() {
    return number;
  }

  /**
   * The record in the line. Without an id it is called line-1, line-2, … by its place; without a
   * time it is of now, as at the doors.
   *
   * @throws IllegalArgumentException saying in words what is wrong with the line
   */
  Record record() {
    if (line.size() > LONGEST_LINE_BYTES) {
      throw new IllegalArgumentException("is longer than " + LONGEST_LINE_BYTES + " bytes");
    }
    byte[] json = line.toByteArray();
    check(json);
    if (!topic.isEmpty()) {
      return new Record("line-" + number, topic, nowUs(), json);
    }
    if (!topicField.find(json)) {
      throw new IllegalArgumentException("names no 'topic'; name it there or with --topic");
    }
    if (!dataField.find(json) || dataField.bytes()[0] != '{') {
      throw new IllegalArgumentException("has no field 'data' with a JSON object");
    }
    String id = idField.find(json) ? idField.text() : "line-" + number;
    return new Record(id, topicField.text(), timeUs(json), dataField.bytes());
  }

  private static void check(byte[] json) {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("is no JSON object; it must begin with '{'");
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("has something after the end of the object");
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "is no valid JSON: " + e.getOriginalMessage().lines().findFirst().orElse("cut off"));
    } catch (IOException e) {
      throw new IllegalArgumentException("is no valid JSON: " + e.getMessage());
    }
  }

  private long timeUs(byte[] json) {
    if (!timeField.find(json)) {
      return nowUs();
    }
    try {
      return Long.parseLong(timeField.text());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "has a 'time' that is no whole number of microseconds since 1970");
    }
  }

  private static long nowUs() {
    return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
  }
}
