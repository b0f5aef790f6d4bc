package io.galop.persist.simulation;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** One simulated cluster and those who use it. */
final class World {
  /** Of one schedule, all starts of all nodes counted. */
  static final int MAX_ENDPOINTS = 1_024;

  private static final long HEARTBEAT_MS = 500;

  final Clockwork clock = new Clockwork();
  final Random random;
  final long ramBytes;

  /** What rendezvous hashing says of those that are seen. */
  private final Map<BitSet, StoringProcess> owners = new HashMap<>();

  private int endpoints;

  private final boolean isTraced = Boolean.getBoolean("galop.simulation.trace");
  final Mutant mutant;
  final Network network;
  final Oracle oracle = new Oracle(this);
  final List<SimulatedNode> nodes = new ArrayList<>();
  final List<Viewer> viewers = new ArrayList<>();
  final List<Publisher> publishers = new ArrayList<>();

  World(long seed, Mutant mutant) {
    this.random = new Random(seed);
    this.ramBytes = 8_192L << random.nextInt(4);
    this.mutant = mutant;
    this.network = new Network(clock, random);
  }

  void begin(int nodeCount, int viewerCount) {
    for (int i = 0; i < nodeCount; i++) {
      addNode().start();
    }
    for (int i = 0; i < viewerCount; i++) {
      Viewer viewer = new Viewer(this, "viewer" + i);
      viewers.add(viewer);
      viewer.later(i, viewer::tick);
    }
    for (int i = 0; i < 2; i++) {
      Publisher publisher = new Publisher(this, "publisher" + i);
      publishers.add(publisher);
      publisher.begin();
    }
    heartbeats();
  }

  /** The number of the next that can be reached. */
  int number() {
    if (endpoints == MAX_ENDPOINTS) {
      throw new IllegalStateException("too many endpoints");
    }
    return endpoints++;
  }

  SimulatedNode addNode() {
    SimulatedNode node = new SimulatedNode(this, "node" + nodes.size());
    nodes.add(node);
    return node;
  }

  List<Endpoint> all() {
    List<Endpoint> all = new ArrayList<>();
    nodes.forEach(node -> node.process().ifPresent(all::add));
    all.addAll(viewers);
    all.addAll(publishers);
    return all;
  }

  private void heartbeats() {
    List<Endpoint> all = all();
    for (SimulatedNode node : nodes) {
      node.process()
          .filter(process -> !process.isPaused())
          .ifPresent(
              process -> {
                for (Endpoint other : all) {
                  if (other != process && !network.isCut(process, other)) {
                    other.heardMs.put(process, clock.nowMs());
                  }
                }
              });
    }
    clock.after(HEARTBEAT_MS, this::heartbeats);
  }

  /** The storing processes that an endpoint sees. */
  List<StoringProcess> seenBy(Endpoint looker) {
    List<StoringProcess> seen = new ArrayList<>();
    looker.heardMs.keySet().removeIf(other -> !looker.sees(other));
    for (Endpoint other : looker.heardMs.keySet()) {
      if (other instanceof StoringProcess process && looker.sees(process)) {
        seen.add(process);
      }
    }
    return seen;
  }

  /** Who should own the shard, as an endpoint sees the cluster. */
  Optional<StoringProcess> rightful(Endpoint looker) {
    List<StoringProcess> seen = seenBy(looker);
    if (looker instanceof StoringProcess self) {
      seen.add(self);
    }
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    BitSet numbers = new BitSet();
    seen.forEach(one -> numbers.set(one.number));
    return Optional.of(owners.computeIfAbsent(numbers, all -> owner(seen)));
  }

  private static StoringProcess owner(List<StoringProcess> seen) {
    List<Member> members =
        seen.stream()
            .sorted(Comparator.comparing(one -> one.id))
            .map(StoringProcess::self)
            .toList();
    Member owner = Cluster.owner(Role.PERSIST, 0, members).orElseThrow();
    return seen.stream().filter(one -> one.self().equals(owner)).findFirst().orElseThrow();
  }

  /** For whoever looks into one seed. */
  void trace(String who, Supplier<?> what) {
    if (isTraced) {
      System.out.printf("%8d %-10s %s%n", clock.nowMs(), who, what.get());
    }
  }

  /** Lets go of the memory off the heap. */
  void close() {
    nodes.forEach(node -> node.process().ifPresent(StoringProcess::close));
  }
}
