package io.galop.loadtest.chaos;

import io.galop.loadtest.chaos.balance.Balance;
import io.galop.loadtest.chaos.balance.ProcessLife;
import io.galop.loadtest.scenario.StoreWord;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** All nodes and stores of a run. */
final class FaultyCluster {
  private final Network network;
  private final Plan plan;
  private final Path directory;
  private final Map<String, FaultyNode> nodes = new TreeMap<>();
  private final Map<String, FaultyStore> stores = new TreeMap<>();

  FaultyCluster(Plan plan, Path directory) throws IOException {
    this.plan = plan;
    this.directory = directory;
    this.network = new Network();
    if (plan.hasClock()) {
      NodeClock.compile(directory);
    }
  }

  /** Starts stores, then nodes, and does not wait for these. */
  void start(Function<NodePlace, List<String>> names, List<StoreWord> words)
      throws IOException, InterruptedException {
    for (StoreWord word : words) {
      stores.put(word.toString(), new FaultyStore(word, directory));
    }
    for (NodePlace place : NodePlace.values()) {
      for (String name : names.apply(place)) {
        nodes.put(name, new FaultyNode(name, place, plan, network, directory));
      }
    }
    if (!relays().isEmpty()) {
      plan.certify(links());
    }
    for (FaultyNode node : nodes.values()) {
      start(node);
    }
  }

  /** A storing node that was not there before, or is there again. */
  FaultyNode join(String name) throws IOException {
    FaultyNode node = nodes.get(name);
    if (node == null) {
      node = new FaultyNode(name, NodePlace.STORING, plan, network, directory);
      nodes.put(name, node);
    }
    start(node);
    return node;
  }

  void start(FaultyNode node) throws IOException {
    Map<String, Integer> ports = new TreeMap<>();
    stores.forEach((name, store) -> ports.put(name, store.port()));
    node.start(members().stream().map(FaultyNode::member).toList(), links(), ports);
  }

  /** What ended by itself is counted and started again. */
  void restartEnded() throws IOException {
    for (FaultyNode node : nodes.values()) {
      boolean wasUp = node.isUp();
      node.noticeEnd();
      if (wasUp && !node.isUp()) {
        start(node);
      }
    }
  }

  /** One that was started or has joined. */
  FaultyNode node(String name) {
    return Objects.requireNonNull(nodes.get(name), name);
  }

  List<FaultyNode> nodes() {
    return List.copyOf(nodes.values());
  }

  private List<FaultyNode> members() {
    return nodes.values().stream().filter(FaultyNode::isMember).toList();
  }

  private List<FaultyNode> relays() {
    return nodes.values().stream().filter(node -> !node.isMember()).toList();
  }

  private List<String> links() {
    return relays().stream().map(FaultyNode::linkHost).toList();
  }

  /** How often a relay tried to open a connection, which the border does not let through. */
  long dialledInwards() throws IOException {
    long count = 0;
    for (FaultyNode relay : relays()) {
      count += network.refusedInwards(relay.name());
    }
    return count;
  }

  /** A node that stores and one that does not: each asks all others for what it lacks. */
  List<FaultyNode> oneOfEach() {
    FaultyNode storing =
        nodes.values().stream().filter(FaultyNode::isStoring).findFirst().orElseThrow();
    FaultyNode front =
        nodes.values().stream().filter(node -> !node.isStoring()).findFirst().orElseThrow();
    return List.of(storing, front);
  }

  FaultyStore store(String name) {
    return Objects.requireNonNull(stores.get(name), name);
  }

  List<FaultyStore> stores() {
    return List.copyOf(stores.values());
  }

  Network network() {
    return network;
  }

  /** Where records are taken in. */
  List<String> doors() {
    return nodes.values().stream().filter(FaultyNode::isStoring).map(FaultyNode::http).toList();
  }

  /** The same of nodes that are meant to be there. */
  List<String> openDoors() {
    return nodes.values().stream()
        .filter(FaultyNode::isStoring)
        .filter(FaultyNode::isUp)
        .map(FaultyNode::http)
        .toList();
  }

  /** Whether every member that is up sees all of them. */
  boolean isWhole() {
    List<FaultyNode> up = members().stream().filter(FaultyNode::isUp).toList();
    return up.stream().allMatch(node -> node.seenMembers() == up.size());
  }

  /**
   * Reads what the Ledgers say: one member answers for all, each relay for itself.
   *
   * @param untilMs the last moment of which minutes are wanted
   */
  void read(Balance balance, long untilMs) {
    List<JsonObject> answers = new ArrayList<>();
    members().stream()
        .filter(FaultyNode::isUp)
        .map(FaultyNode::ledger)
        .flatMap(Optional::stream)
        .findFirst()
        .ifPresent(answers::add);
    relays().stream()
        .filter(FaultyNode::isUp)
        .map(FaultyNode::ledger)
        .flatMap(Optional::stream)
        .forEach(answers::add);
    List<ProcessLife> lives = nodes.values().stream().flatMap(n -> n.lives().stream()).toList();
    balance.read(untilMs, lives, answers);
  }

  List<String> fronts() {
    List<String> fronts = new ArrayList<>();
    for (FaultyNode node : nodes.values()) {
      if (!node.isStoring()) {
        fronts.add(node.http());
      }
    }
    return fronts;
  }
}
