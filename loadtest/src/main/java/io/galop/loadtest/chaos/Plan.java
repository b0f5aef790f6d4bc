package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How nodes are started.
 *
 * @param jar galop.jar
 * @param java the JVM's program
 * @param jvmFlags for each node's JVM
 * @param settings for each node, as in {@code cluster.maxSilenceSeconds=10}
 * @param ack {@code disk} or {@code replica}
 * @param hasClock whether clocks may be set off
 */
record Plan(
    Path jar,
    Path java,
    List<String> jvmFlags,
    List<String> settings,
    String ack,
    boolean hasClock) {
  private static final int MAX_AGE_MS = 86_400_000;
  private static final int MEGABYTE = 1 << 20;

  /** What a run of some minutes stores, several times. */
  int diskMegabytes() {
    return 768;
  }

  List<String> roles(boolean isStoring) {
    return isStoring ? List.of("ingest", "enrich", "persist") : List.of("broadcast");
  }

  /** Small segments and a small reserve, so that a full disk is felt at once. */
  JsonObject persist(Map<String, Integer> stores) {
    JsonObject log = new JsonObject().put("segmentBytes", MEGABYTE / 2);
    log.put("queueBytes", MEGABYTE / 16);
    log.put("minFreeBytes", 16 * MEGABYTE);
    JsonObject persist = new JsonObject().put("ack", ack).put("log", log);
    persist.put("ram", new JsonObject().put("maxBytes", 64 * MEGABYTE));
    if (stores.containsKey("redis")) {
      // Longer than the clocks of two nodes differ at most: what goes by age is not what is tested.
      JsonObject redis = address(stores.get("redis")).put("maxAgeMs", MAX_AGE_MS);
      persist.put("backup", new JsonObject().put("redis", redis));
    }
    if (stores.containsKey("mariadb")) {
      JsonObject mysql = address(stores.get("mariadb")).put("database", "galop");
      mysql.put("login", new JsonObject().put("user", "galop").put("password", "galop"));
      mysql.put("sampling", new JsonObject().put("every", 1));
      JsonArray all = new JsonArray().add(new JsonObject().put("mysql", mysql));
      persist.put("cold", new JsonObject().put("stores", all));
    }
    return persist;
  }

  private static JsonObject address(int port) {
    return new JsonObject().put("host", Network.OUTSIDE).put("port", port);
  }
}
