package io.galop.broadcast.mqtt;

import io.galop.broadcast.sockjs.Frame;
import io.galop.record.Position;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The words about the feed, which clients get on topics of Galop's own if they subscribe to them.
 */
final class MqttWord {
  /** Before the type of the word. */
  static final String TOPIC = "$galop/";

  /** What a registration is told when it comes back. */
  static final String RESUMED = "resumed";

  /** What it is told when the past is over. */
  static final String LIVE = "live";

  /** Why something ends. */
  static final String ERROR = "err";

  private static final int TYPE = "{\"type\":\"".length();

  private MqttWord() {}

  /** What kind of word it is. */
  static String type(Frame word) {
    byte[] text = word.rest();
    int end = TYPE;
    while (text[end] != '"') {
      end++;
    }
    return new String(text, TYPE, end - TYPE, StandardCharsets.US_ASCII);
  }

  /** The filter that a word is about, as registered. */
  static String address(Frame word) {
    return json(word).getString("address", "");
  }

  /** Of a {@link #RESUMED}: whether nothing is missing. */
  static boolean isComplete(Frame word) {
    return Boolean.TRUE.equals(json(word).getValue("complete"));
  }

  /** Of a {@link #LIVE}: up to where the viewer has everything. */
  static List<Position> positions(Frame word) {
    String all = json(word).getString("pos", "");
    return all.isEmpty()
        ? List.of()
        : Arrays.stream(all.split(",", -1)).map(Position::parse).toList();
  }

  private static JsonObject json(Frame word) {
    return new JsonObject(Buffer.buffer(word.rest()));
  }
}
