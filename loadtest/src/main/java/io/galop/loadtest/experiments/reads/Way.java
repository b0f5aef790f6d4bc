package io.galop.loadtest.experiments.reads;

import io.galop.yaml.Words;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/** Where a node gets the answer from, and on which thread. */
enum Way {
  /** The bytes of a whole answer, kept and shared by all who ask the same. */
  CACHED_BUFFER("galop_history_cache_total", "result=\"hit\""),
  /** The RAM tier, searched on the event loop that is asked. */
  EVENT_LOOP("galop_history_searched_total", "on=\"loop\""),
  /** The RAM tier, searched on threads of its own. */
  WORKER_POOL("galop_history_searched_total", "on=\"threads\"");

  /** The most that the node takes, so that no search of this size goes elsewhere. */
  private static final int LOOP_BYTES = 16 * 1024 * 1024;

  private final String counter;
  private final String label;

  Way(String counter, String label) {
    this.counter = counter;
    this.label = label;
  }

  @Override
  public String toString() {
    return Words.of(this);
  }

  /** The name of the node's counter of answers that were given in this way. */
  String counter() {
    return counter;
  }

  /** Its label. */
  String label() {
    return label;
  }

  /** A node's configuration with this way, and no other, added. */
  Map<String, Object> config(Map<String, Object> plain, int eventLoops, int workers) {
    JsonObject history =
        new JsonObject()
            .put("loopBytes", this == EVENT_LOOP ? LOOP_BYTES : 0)
            .put("readers", workers);
    if (this != CACHED_BUFFER) {
      history.put("cacheBytes", 0);
    }
    JsonObject own =
        new JsonObject()
            .put("node", new JsonObject().put("eventLoops", eventLoops))
            .put("persist", new JsonObject().put("history", history));
    return new JsonObject(new JsonObject(plain).encode()).mergeIn(own, true).getMap();
  }
}
