package io.galop.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Viewers that were found in several places, as one: {@code {"connections":n,"matched":n,
 * "viewers":[…]}}. Whoever has lost most comes first, then whoever is furthest behind. One thread
 * at a time.
 */
public final class FoundViewers {
  private static final Comparator<JsonObject> WORST_FIRST =
      Comparator.<JsonObject>comparingLong(one -> one.getLong("dropped") + one.getLong("gaps"))
          .thenComparingLong(one -> one.getLong("waiting"))
          .thenComparingLong(one -> one.getLong("conflated"))
          .thenComparingLong(one -> one.getLong("published"))
          .reversed()
          .thenComparing(one -> one.getString("id"));

  private final int limit;
  private final List<JsonObject> viewers = new ArrayList<>();
  private long connections;
  private long matched;

  public FoundViewers(int limit) {
    this.limit = limit;
  }

  /**
   * Takes what was found in one place.
   *
   * @param named is given each of them before
   */
  public void add(JsonObject found, Consumer<JsonObject> named) {
    connections += found.getLong("connections");
    matched += found.getLong("matched");
    JsonArray more = found.getJsonArray("viewers");
    for (int i = 0; i < more.size(); i++) {
      named.accept(more.getJsonObject(i));
      viewers.add(more.getJsonObject(i));
    }
    viewers.sort(WORST_FIRST);
    if (viewers.size() > limit) {
      viewers.subList(limit, viewers.size()).clear();
    }
  }

  public JsonObject json() {
    return new JsonObject()
        .put("connections", connections)
        .put("matched", matched)
        .put("viewers", new JsonArray(List.copyOf(viewers)));
  }
}
