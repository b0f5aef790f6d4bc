package io.galop.e2e;

import io.galop.broadcast.edge.TestTokens;
import io.galop.page.Chromium;
import io.galop.servers.Ports;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the table is made on: a node that takes in and stores, two that only broadcast and ask for
 * tokens, a Node.js process and a browser.
 */
final class Stage implements AutoCloseable {
  /** Pages of these names at the second node may connect to the first. */
  private static final String LISTED = "http://*.listed.localhost:";

  private final Nodes nodes;
  private final Chromium chromium = Chromium.open();
  private final TestTokens issuer;
  private final int port = Ports.free();
  private final int otherPort = Ports.free();
  private final int mqttPort = Ports.free();
  private final int otherMqttPort = Ports.free();
  private final Crowd inNode = Crowd.inNode(null, Map.of("MQTT_PORTS", mqttPorts()));
  private final List<Row> rows = new ArrayList<>();
  private GalopProcess inside;
  private GalopProcess front;

  Stage(Path directory) throws Exception {
    issuer = TestTokens.of("HS256", directory);
    nodes = new Nodes(directory, List.of("inside", "front", "other"), List.of());
  }

  private String mqttPorts() {
    return port + ":" + mqttPort + "," + otherPort + ":" + otherMqttPort;
  }

  /** Starts all of it; what has been started is there to be closed if the rest fails. */
  void open() {
    inside = nodes.start("inside", "ingest,enrich,persist");
    front = startFront("front", port, mqttPort, LISTED + otherPort);
    startFront("other", otherPort, otherMqttPort, "http://*.localhost:" + port);
    Row.OF_SOCKJS_CLIENT.forEach(one -> rows.add(new Row("sockjs", one, "127.0.0.1", inNode)));
    Row.OF_BROWSERS.forEach(one -> rows.add(new Row("plain", one, "127.0.0.1", inNode)));
    rows.add(new Row("plain", "raw-websocket", "127.0.0.1", inNode));
    Row.OF_STREAMS.forEach(one -> rows.add(new Row("stream", one, "127.0.0.1", inNode)));
    Row.OF_MQTT.forEach(one -> rows.add(new Row("MQTT.js", one, "127.0.0.1", inNode)));
    Row.OF_SOCKJS_CLIENT.forEach(this::addChromium);
    Row.OF_BROWSERS.forEach(this::addChromium);
  }

  private GalopProcess startFront(String name, int httpPort, int mqtt, String origin) {
    List<String> args = new ArrayList<>(List.of("--set", "http.port=" + httpPort));
    args.addAll(
        List.of("--set", "broadcast.mqtt={enabled: true, port: " + mqtt + ", websocket: true}"));
    args.addAll(List.of("--set", "broadcast.origins=[\"" + origin + "\"]"));
    // A browser lets a poll of a viewer that has left hang until the node says something.
    args.addAll(List.of("--set", "broadcast.heartbeatMs=2000"));
    args.addAll(List.of("--set", "broadcast.freshness=[{filter: silent/#, maxAgeMs: 2000}]"));
    args.addAll(List.of("--set", "broadcast.caps=[{topics: cap/0, maxRate: 0.5}]"));
    issuer.settings().forEach(setting -> args.addAll(List.of("--set", setting)));
    return nodes.start(name, "broadcast", args.toArray(String[]::new));
  }

  private void addChromium(String transport) {
    String host = transport + ".localhost";
    Crowd page = CrowdPage.open(chromium, "http://" + host + ":" + port);
    rows.add(new Row("Chromium", transport, host, page));
  }

  /** A page of the second node, which is another origin than the first. */
  Crowd pageElsewhere(String host) {
    return CrowdPage.open(chromium, "http://" + host + ":" + otherPort);
  }

  List<Row> rows() {
    return rows;
  }

  GalopProcess inside() {
    return inside;
  }

  GalopProcess front() {
    return front;
  }

  int port() {
    return port;
  }

  int otherPort() {
    return otherPort;
  }

  String token(long seconds, String... topics) {
    return issuer.token("anna", seconds, topics);
  }

  /** A token with a view, which lowers what its viewer gets. */
  String token(String subject, JsonObject view) {
    return issuer.sign(TestTokens.claims(subject, 600, "#").put("view", view));
  }

  /** The feed of the first node for a viewer who may see everything. */
  List<String> live(Row row) {
    return List.of(row.live(port, token(600, "#")));
  }

  /** The first node, then the second. */
  List<String> both(Row row) {
    return List.of(row.live(port, token(600, "#")), row.live(otherPort, token(600, "#")));
  }

  @Override
  public void close() {
    inNode.close();
    chromium.close();
    nodes.close();
  }
}
