package io.galop.loadtest.chaos;

import io.galop.loadtest.targets.RelayKeys;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
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
 * @param keys of links to relays
 */
record Plan(
    Path jar,
    Path java,
    List<String> jvmFlags,
    List<String> settings,
    String ack,
    boolean hasClock,
    RelayKeys keys) {
  private static final int MAX_AGE_MS = 86_400_000;
  private static final int MEGABYTE = 1 << 20;
  private static final String LEDGER_MINUTE = "-Dgalop.ledger.minuteMs=";
  private static final long LEDGER_MINUTE_MS = 60_000;

  /** How long a minute of the Ledger is: tests have shorter ones. */
  long ledgerMinuteMs() {
    return jvmFlags.stream()
        .filter(flag -> flag.startsWith(LEDGER_MINUTE))
        .mapToLong(flag -> Long.parseLong(flag.substring(LEDGER_MINUTE.length())))
        .findFirst()
        .orElse(LEDGER_MINUTE_MS);
  }

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
    return new JsonObject().put("host", host).put("tls", keys.ofRelay());
  }

  /** Of a storing node: the relays that it dials. */
  JsonArray dialled(List<String> hosts) {
    JsonArray relays = new JsonArray();
    hosts.forEach(host -> relays.add(new JsonObject().put("host", host).put("tls", keys.ofNode())));
    return relays;
  }

  /** Makes the certificates of links to relays on these addresses. */
  void certify(List<String> hosts) throws IOException, InterruptedException {
    keys.make(java, jar, hosts);
  }

  private static JsonObject address(int port) {
    return new JsonObject().put("host", Network.OUTSIDE).put("port", port);
  }
}
