package io.galop.loadtest.queries;

import io.galop.loadtest.client.AnswerCheck;
import io.vertx.core.json.JsonArray;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** A right answer, and what others are compared with. */
record Expected(byte[] body, AnswerCheck.Expected answer) {

  static Expected of(byte[] body) {
    return new Expected(body, AnswerCheck.Expected.of(body));
  }

  /** How many records an answer has, each counted once. */
  static int records(byte[] body) {
    JsonArray records = new JsonArray(new String(body, StandardCharsets.UTF_8));
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < records.size(); i++) {
      ids.add(records.getJsonObject(i).getString("id"));
    }
    return ids.size();
  }
}
