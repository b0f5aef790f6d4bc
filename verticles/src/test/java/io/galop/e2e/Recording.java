package io.galop.e2e;

import io.galop.market.Market;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A horse-race market in a file: what must come out of it, worked out without any of Galop's code.
 */
record Recording(Path file, List<JsonObject> messages) {

  /** A runner change as it stands in the recording. */
  record Change(int line, String market, String runner, long timeUs) {}

  /** The market, this many times after itself, in a file of the directory. */
  static Recording of(Market market, int times, Path directory) throws IOException {
    List<JsonObject> once = market.lines().stream().map(JsonObject::new).toList();
    List<JsonObject> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.addAll(once);
    }
    return new Recording(market.write(directory, times), all);
  }

  /** A large one: recorded where that is at hand, else generated. */
  static Recording place(int times, Path directory) throws IOException {
    List<Market> markets = Market.places();
    return of(markets.get(markets.size() - 1), times, directory);
  }

  /** All runner changes, in order. */
  List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      long timeUs = messages.get(i).getLong("pt") * 1000;
      for (Object market : messages.get(i).getJsonArray("mc")) {
        String id = ((JsonObject) market).getString("id");
        for (Object change : ((JsonObject) market).getJsonArray("rc", new JsonArray())) {
          changes.add(
              new Change(i + 1, id, ((JsonObject) change).getValue("id").toString(), timeUs));
        }
      }
    }
    return changes;
  }
}
