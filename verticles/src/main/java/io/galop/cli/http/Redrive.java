package io.galop.cli.http;

import io.galop.cli.Terminal;
import io.galop.letter.LatestLetters.Attempt;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** Sends what letters are about through the http door, a batch after the other. */
final class Redrive {
  private static final int BATCH_LINES = 256;
  private final NodeHttp node;
  private final String token;
  private final Terminal console;
  private int accepted;
  private int sent;
  private int passedOver;

  Redrive(NodeHttp node, String token, Terminal console) {
    this.node = node;
    this.token = token;
    this.console = console;
  }

  void send(Collection<Attempt> attempts) throws IOException, InterruptedException {
    List<String> lines = attempts.stream().map(Attempt::toLine).toList();
    int before = sent;
    sent += lines.size();
    for (int from = 0; from < lines.size(); from += BATCH_LINES) {
      List<String> batch = lines.subList(from, Math.min(lines.size(), from + BATCH_LINES));
      try (InputStream answer = node.publish(String.join("", batch), token)) {
        onAnswer(
            before + from,
            new JsonObject(new String(answer.readAllBytes(), StandardCharsets.UTF_8)));
      }
    }
  }

  private void onAnswer(int from, JsonObject answer) {
    accepted += answer.getInteger("accepted", 0);
    JsonArray rejected = answer.getJsonArray("rejected", new JsonArray());
    for (int i = 0; i < rejected.size(); i++) {
      JsonObject one = rejected.getJsonObject(i);
      console.say(
          "dead letter %d rejected: %s: %s"
              .formatted(
                  from + one.getInteger("line", 0),
                  one.getString("reason", ""),
                  one.getString("detail", "")));
    }
  }

  /** A letter is not driven, as it is about a message of Kafka. */
  void passOver() {
    passedOver++;
  }

  void sayPassedOver() {
    if (passedOver > 0) {
      console.say(
          "passed over %d that are no whole records of Galop; mend what makes them"
              .formatted(passedOver));
    }
  }

  /** How many letters were driven. */
  int sent() {
    return sent;
  }

  /** How many records the door has acknowledged. */
  int accepted() {
    return accepted;
  }
}
