package io.galop.loadtest.queries;

import io.vertx.core.json.JsonArray;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;

/** What a right answer is: so many bytes with this sum. */
record Expected(byte[] body, long sum) {

  static Expected of(byte[] body) {
    CRC32C sum = new CRC32C();
    sum.update(body);
    return new Expected(body, sum.getValue());
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
