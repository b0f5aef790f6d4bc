package io.galop.loadtest.chaos;

import io.galop.loadtest.scenario.StoreWord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All nodes and stores of a run. */
final class Cluster {
  private final Network network;
  private final Plan plan;
  private final Path directory;
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Map<String, Store> stores = new TreeMap<>();

  Cluster(Plan plan, Path directory) throws IOException {
    this.plan = plan;
    this.directory = directory;
    this.network = new Network();
    if (plan.hasClock()) {
      Clock.compile(directory);
    }
  }

  /** Starts stores, then nodes, and does not wait for these. */
  void start(List<String> storing, List<String> fronts, List<StoreWord> words)
      throws IOException, InterruptedException {
    for (StoreWord word : words) {
      stores.put(word.toString(), new Store(word, directory));
    }
    for (String name : storing) {
      nodes.put(name, new Node(name, true, plan, network, directory));
    }
    for (String name : fronts) {
      nodes.put(name, new Node(name, false, plan, network, directory));
    }
    for (Node node : nodes.values()) {
      start(node);
    }
  }

  /** A storing node that was not there before, or is there again. */
  Node join(String name) throws IOException {
    Node node = nodes.get(name);
    if (node == null) {
      node = new Node(name, true, plan, network, directory);
      nodes.put(name, node);
    }
    start(node);
    return node;
  }

  void start(Node node) throws IOException {
    Map<String, Integer> ports = new TreeMap<>();
    stores.forEach((name, store) -> ports.put(name, store.port()));
    node.start(nodes.values().stream().map(Node::member).toList(), ports);
  }

  /** What ended by itself is counted and started again. */
  void restartEnded() throws IOException {
    for (Node node : nodes.values()) {
      boolean wasUp = node.isUp();
      node.noticeEnd();
      if (wasUp && !node.isUp()) {
        start(node);
      }
    }
  }

  Node node(String name) {
    return nodes.get(name);
  }

  List<Node> nodes() {
    return List.copyOf(nodes.values());
  }

  /** A node that stores and one that does not: each asks all others for what it lacks. */
  List<Node> oneOfEach() {
    Node storing = nodes.values().stream().filter(Node::isStoring).findFirst().orElseThrow();
    Node front =
        nodes.values().stream().filter(node -> !node.isStoring()).findFirst().orElseThrow();
    return List.of(storing, front);
  }

  Store store(String name) {
    return stores.get(name);
  }

  List<Store> stores() {
    return List.copyOf(stores.values());
  }

  Network network() {
    return network;
  }

  /** Where records are taken in. */
  List<String> doors() {
    return nodes.values().stream().filter(Node::isStoring).map(Node::http).toList();
  }

  /** The same of nodes that are meant to be there. */
  List<String> openDoors() {
    return nodes.values().stream()
        .filter(Node::isStoring)
        .filter(Node::isUp)
        .map(Node::http)
        .toList();
  }

  /** Whether every node that is up sees all of them. */
  boolean isWhole() {
    List<Node> up = nodes.values().stream().filter(Node::isUp).toList();
    return up.stream().allMatch(node -> node.seenMembers() == up.size());
  }

  List<String> fronts() {
    List<String> fronts = new ArrayList<>();
    for (Node node : nodes.values()) {
      if (!node.isStoring()) {
        fronts.add(node.http());
      }
    }
    return fronts;
  }
}
