package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * @param keys the directory of the certificates of links to relays
 */
record Plan(
    Path jar,
    Path java,
    List<String> jvmFlags,
    List<String> settings,
    String ack,
    boolean hasClock,
    Path keys) {
  private static final int MAX_AGE_MS = 86_400_000;
  private static final int MEGABYTE = 1 << 20;

  /** What a run of some minutes stores, several times. */
  int diskMegabytes() {
    return 768;
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

  /** Of a relay: where it is dialled. */
  JsonObject link(String host) {
    JsonObject tls = new JsonObject().put("certificate", keys.resolve("server.crt").toString());
    tls.put("key", keys.resolve("server.key").toString());
    tls.put("clientCa", keys.resolve("ca.crt").toString());
    return new JsonObject().put("host", host).put("tls", tls);
  }

  /** Of a storing node: the relays that it dials. */
  JsonArray dialled(List<String> hosts) {
    JsonArray relays = new JsonArray();
    for (String host : hosts) {
      JsonObject tls = new JsonObject().put("certificate", keys.resolve("client.crt").toString());
      tls.put("key", keys.resolve("client.key").toString());
      tls.put("ca", keys.resolve("ca.crt").toString());
      relays.add(new JsonObject().put("host", host).put("tls", tls));
    }
    return relays;
  }

  /** Makes the certificates of links to relays on these addresses. */
  void certify(List<String> hosts) throws IOException {
    List<String> command = new ArrayList<>(List.of(java.toString(), "-jar"));
    command.addAll(List.of(jar.toAbsolutePath().toString(), "certificates", keys.toString()));
    hosts.forEach(host -> command.addAll(List.of("--host", host)));
    Shell.run(command);
  }

  private static JsonObject address(int port) {
    return new JsonObject().put("host", Network.OUTSIDE).put("port", port);
  }
}
