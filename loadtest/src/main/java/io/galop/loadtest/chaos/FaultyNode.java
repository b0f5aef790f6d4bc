package io.galop.loadtest.chaos;

import io.galop.loadtest.chaos.balance.ProcessLife;
import io.galop.loadtest.targets.Launch;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node of Galop that faults happen to. */
final class FaultyNode {
  static final int HTTP = 8080;
  static final int TCP = 7700;
  static final int MQTT = 1883;
  static final String TOKEN = "chaos";

  private static final int CLUSTER = 5701;
  private static final long STOP_SECONDS = 40;

  /** A node that asks others waits 5 s for each. */
  private static final int LEDGER_SECONDS = 15;

  private final String name;
  private final NodePlace place;
  private final Plan plan;
  private final Network network;
  private final Path home;
  private final MemoryDisk disk;
  private final NodeClock clock;
  private final List<ProcessLife> ended = new ArrayList<>();
  private @Nullable Process process;
  private long startedMs;
  private boolean isFrozen;
  private int ownEnds;

  /** Makes its directory and its network. */
  FaultyNode(String name, NodePlace place, Plan plan, Network network, Path dir)
      throws IOException {
    this.name = name;
    this.place = place;
    this.plan = plan;
    this.network = network;
    this.home = Files.createDirectory(dir.resolve(name));
    this.disk = MemoryDisk.mount(home.resolve("disk"), plan.diskMegabytes());
    this.clock = new NodeClock(dir.resolve("clock.so"), home.resolve("clock"));
    network.add(name);
    if (place == NodePlace.RELAY) {
      network.closeInwards(name);
    }
    clock.set(0);
  }

  String name() {
    return name;
  }

  boolean isStoring() {
    return place == NodePlace.STORING;
  }

  /** Whether it is a member of the cluster; a relay is none. */
  boolean isMember() {
    return place != NodePlace.RELAY;
  }

  MemoryDisk disk() {
    return disk;
  }

  Path log() {
    return home.resolve("log");
  }

  String http() {
    return "http://" + network.clientAddress(name) + ":" + HTTP;
  }

  String address() {
    return network.clientAddress(name);
  }

  /** How often its process ended without anybody having asked for it. */
  int ownEnds() {
    return ownEnds;
  }

  boolean isUp() {
    return process != null;
  }

  /**
   * Starts it, unless it runs.
   *
   * @param members the addresses of all storing nodes and fronts, as Hazelcast takes them
   * @param relays the addresses where storing nodes dial relays
   */
  void start(List<String> members, List<String> relays, Map<String, Integer> stores)
      throws IOException {
    noticeEnd();
    if (process != null) {
      return;
    }
    Path config = home.resolve("galop.yaml");
    Files.writeString(config, config(members, relays, stores).encodePrettily());
    List<String> command = new ArrayList<>(Network.inside(name));
    if (plan.hasClock()) {
      command.addAll(clock.command());
    }
    // Its file would bear a number of this process's own and be left by a kill.
    command.addAll(List.of(plan.java().toString(), "-XX:-UsePerfData"));
    command.addAll(plan.jvmFlags());
    command.addAll(List.of("-jar", plan.jar().toAbsolutePath().toString(), "run"));
    command.addAll(List.of("--config", config.toString()));
    plan.settings().forEach(setting -> command.addAll(List.of("--set", setting)));
    startedMs = System.currentTimeMillis();
    process = Launch.runAppending(command, log());
  }

  /** Says so if the process has ended by itself. */
  void noticeEnd() {
    if (process != null && !process.isAlive()) {
      System.err.println(name + " ended by itself with " + process.exitValue());
      ownEnds++;
      isOver();
    }
  }

  private void isOver() {
    ended.add(new ProcessLife(name, startedMs, System.currentTimeMillis()));
    process = null;
    isFrozen = false;
  }

  /** Of its processes so far, the present one included. */
  List<ProcessLife> lives() {
    List<ProcessLife> all = new ArrayList<>(ended);
    if (process != null) {
      all.add(new ProcessLife(name, startedMs, ProcessLife.GOES_ON));
    }
    return all;
  }

  private JsonObject config(
      List<String> members, List<String> relays, Map<String, Integer> stores) {
    JsonObject node = new JsonObject().put("name", name).put("dataDir", disk.data().toString());
    node.put("roles", new JsonArray(place.roles()));
    JsonObject config = new JsonObject().put("node", node).put("http", clear().put("port", HTTP));
    if (!isMember()) {
      return config.put("broadcast", new JsonObject().put("link", plan.link(linkHost())));
    }
    JsonObject cluster = new JsonObject().put("host", network.nodeAddress(name));
    config.put("cluster", cluster.put("members", new JsonArray(members)));
    JsonObject ingest = new JsonObject().put("token", TOKEN);
    ingest.put("tcp", clear().put("port", TCP));
    ingest.put("mqtt", clear().put("port", MQTT).put("envelope", true));
    ingest.put("bridge", new JsonObject().put("enabled", false));
    config.put("ingest", ingest).put("persist", plan.persist(stores));
    return isStoring() && !relays.isEmpty() ? config.put("relays", plan.dialled(relays)) : config;
  }

  /** Its network is a namespace of the run's own. */
  private JsonObject clear() {
    return new JsonObject().put("host", address()).put("insecure", true);
  }

  /** As Hazelcast's list of members has it. */
  String member() {
    return network.nodeAddress(name) + ":" + CLUSTER;
  }

  /** Where storing nodes dial it, if it is a relay. */
  String linkHost() {
    return network.nodeAddress(name);
  }

  /** How many nodes it sees, itself among them; 0 if it does not say. */
  int seenMembers() {
    return management("/status", 2)
        .map(status -> status.getJsonArray("members", new JsonArray()).size())
        .orElse(0);
  }

  /** What it says of its Ledger and, as a member, of that of all of them. */
  Optional<JsonObject> ledger() {
    return management("/ledger", LEDGER_SECONDS).filter(json -> json.containsKey("nodes"));
  }

  private Optional<JsonObject> management(String path, int seconds) {
    List<String> command = new ArrayList<>(Network.inside(name));
    command.addAll(List.of("curl", "-sS", "-m", "" + seconds, "http://127.0.0.1:9090" + path));
    try {
      return Optional.of(new JsonObject(Shell.run(command)));
    } catch (IOException | DecodeException e) {
      return Optional.empty();
    }
  }

  /** As a machine that loses this process. */
  void kill() throws InterruptedException {
    noticeEnd();
    if (process != null) {
      process.destroyForcibly().waitFor();
      isOver();
    }
  }

  /** In order; by force if that takes too long, which is said. */
  void stop() throws InterruptedException {
    noticeEnd();
    if (process == null) {
      return;
    }
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      System.err.println(name + " did not stop within " + STOP_SECONDS + " s of SIGTERM");
      ownEnds++;
      process.destroyForcibly().waitFor();
    }
    isOver();
  }

  void freeze() throws IOException {
    signal("-STOP");
    isFrozen = true;
  }

  void thaw() throws IOException {
    if (isFrozen && process != null) {
      signal("-CONT");
    }
    isFrozen = false;
  }

  private void signal(String signal) throws IOException {
    if (process != null && process.isAlive()) {
      Shell.run("kill " + signal + " " + process.pid());
    }
  }

  NodeClock clock() {
    return clock;
  }
}
