package io.galop.loadtest.site;

import io.galop.loadtest.inject.RingFiles;
import io.galop.loadtest.scenario.StartPlan;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Directories, configurations and ports of the nodes that are started. */
final class NodeFiles {
  /** Browsers, tcp, mqtt, bridge, management, Hazelcast. */
  static final int PORTS_PER_NODE = 6;

  private static final int MQTT = 2;
  private static final int BRIDGE = 3;
  private static final int MANAGEMENT = 4;
  private static final int CLUSTER = 5;

  /** As many connections as a process may have files, less what else it opens. */
  private static final int MOST_CONNECTIONS = 19_500;

  private final Path dir;
  private final StartPlan plan;
  private final Map<String, Integer> stores;
  private final int[] ports;
  private final @Nullable RingFiles rings;

  /**
   * @param stores the port of each that was started
   * @param rings of the first node; null if there are none
   */
  NodeFiles(
      Path dir,
      StartPlan plan,
      Map<String, Integer> stores,
      int[] ports,
      @Nullable RingFiles rings) {
    this.rings = rings;
    this.dir = dir;
    this.plan = plan;
    this.stores = stores;
    this.ports = ports;
  }

  @Nullable RingFiles rings() {
    return rings;
  }

  int http(int node) {
    return port(node, 0);
  }

  int tcp(int node) {
    return port(node, 1);
  }

  int mqtt(int node) {
    return port(node, MQTT);
  }

  int bridge(int node) {
    return port(node, BRIDGE);
  }

  int management(int node) {
    return port(node, MANAGEMENT);
  }

  private int port(int node, int which) {
    return ports[PORTS_PER_NODE * node + which];
  }

  Path home(int node) {
    return dir.resolve("node-" + node);
  }

  Path log(int node) {
    return home(node).resolve("log");
  }

  Path config(int node) {
    return home(node).resolve("galop.yaml");
  }

  /** Writes a node's files; JSON is YAML too. */
  void write(int node) throws IOException {
    Files.createDirectories(home(node));
    for (Map.Entry<String, String> file : plan.files().entrySet()) {
      Files.writeString(home(node).resolve(file.getKey()), file.getValue());
    }
    String asked = new JsonObject(plan.config()).encode();
    for (Map.Entry<String, Integer> store : stores.entrySet()) {
      String word = "${" + store.getKey() + ".port}";
      asked = asked.replace('"' + word + '"', "" + store.getValue());
      asked = asked.replace(word, "" + store.getValue());
    }
    JsonObject all = new JsonObject(asked).mergeIn(own(node), true);
    Files.writeString(config(node), all.encodePrettily());
  }

  private JsonObject own(int node) {
    JsonObject own =
        new JsonObject()
            .put("node", new JsonObject().put("dataDir", home(node).resolve("data").toString()))
            .put("http", port(http(node)))
            .put("management", port(management(node)))
            .put("broadcast", new JsonObject().put("maxConnections", MOST_CONNECTIONS))
            .put(
                "ingest",
                new JsonObject()
                    .put("tcp", port(tcp(node)))
                    .put("mqtt", port(mqtt(node)))
                    .put("bridge", port(bridge(node))));
    if (rings != null && node == 0) {
      List<String> paths = rings.paths().stream().map(Path::toString).toList();
      own.getJsonObject("ingest").put("ring", new JsonObject().put("paths", paths));
    }
    if (plan.nodes() > 1) {
      own.put("cluster", cluster(node));
    }
    return own;
  }

  private static JsonObject port(int number) {
    return new JsonObject().put("port", number);
  }

  private JsonObject cluster(int node) {
    JsonArray members = new JsonArray();
    for (int other = 0; other < plan.nodes(); other++) {
      members.add("127.0.0.1:" + port(other, CLUSTER));
    }
    return port(port(node, CLUSTER))
        .put("members", members)
        .put("busPort", 0)
        .put("name", "load-" + ports[0]);
  }
}
