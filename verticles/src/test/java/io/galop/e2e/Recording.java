package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A recorded horse-race market: what must come out of it, worked out without any of Galop's code.
 */
record Recording(Path file, List<JsonObject> messages) {
  static final String WIN = "betfair-win-1.132153978.jsonl";
  static final String PLACE = "betfair-place-1.181223995.jsonl";

  /** A runner change as it stands in the recording. */
  record Change(int line, String market, String runner, long timeUs) {}

  /** Skips the test where the recordings are not. */
  static Recording named(String name) throws IOException {
    Path file = directory().resolve(name);
    Assumptions.assumeTrue(
        Files.exists(file), "no recording at " + file + ": set GALOP_DATA to where it is");
    List<JsonObject> messages =
        Files.readAllLines(file).stream().filter(l -> !l.isBlank()).map(JsonObject::new).toList();
    return new Recording(file, messages);
  }

  private static Path directory() {
    String given = System.getenv("GALOP_DATA");
    return given != null
        ? Path.of(given)
        : Path.of(System.getProperty("galop.root", "..")).resolve("../shared/data").normalize();
  }

  /** A longer recording: this one again and again. */
  Recording times(int times, Path directory) throws IOException {
    Path longer = directory.resolve("longer.jsonl");
    List<JsonObject> all = new ArrayList<>();
    try (var out = Files.newOutputStream(longer)) {
      for (int i = 0; i < times; i++) {
        Files.copy(file, out);
        all.addAll(messages);
      }
    }
    return new Recording(longer, all);
  }

  /** All runner changes, in order. */
  List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      long timeUs = messages.get(i).getLong("pt") * 1000;
      for (Object market : messages.get(i).getJsonArray("mc")) {
        String id = ((JsonObject) market).getString("id");
        for (Object change :
            ((JsonObject) market).getJsonArray("rc", new io.vertx.core.json.JsonArray())) {
          changes.add(
              new Change(i + 1, id, ((JsonObject) change).getValue("id").toString(), timeUs));
        }
      }
    }
    return changes;
  }
}
