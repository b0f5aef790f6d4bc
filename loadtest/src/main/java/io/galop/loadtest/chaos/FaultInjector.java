package io.galop.loadtest.chaos;

import java.io.IOException;
import java.util.List;

/** Makes faults happen, and heals them. */
final class FaultInjector {
  private static final String JOINER = "joiner";
  private static final int HOUR_SECONDS = 3_600;

  private final FaultyCluster cluster;
  private final Settling settling;

  /** Waits until all works. */
  interface Settling {
    void await() throws InterruptedException;
  }

  FaultInjector(FaultyCluster cluster, Settling settling) {
    this.cluster = cluster;
    this.settling = settling;
  }

  /** Begins one; a rolling restart has come to its last node when this returns. */
  void begin(InjectedFault fault) throws IOException, InterruptedException {
    switch (fault.kind()) {
      case KILL -> node(fault).kill();
      case FREEZE -> node(fault).freeze();
      case JOIN -> cluster.join(JOINER);
      case ROLL -> roll(fault.seconds());
      case CUT -> cluster.network().cut(fault.target(), fault.how());
      case DISK -> node(fault).disk().fill();
      case CLOCK -> setOff(node(fault), fault.how());
      case STORE -> {
        FaultyStore store = cluster.store(fault.target());
        if (fault.how().equals("killed")) {
          store.kill();
        } else {
          store.freeze();
        }
      }
    }
  }

  void heal(InjectedFault fault) throws IOException, InterruptedException {
    switch (fault.kind()) {
      case KILL -> cluster.start(node(fault));
      case FREEZE -> node(fault).thaw();
      case JOIN -> cluster.node(JOINER).stop();
      case ROLL -> cluster.start(last());
      case CUT -> cluster.network().mend(fault.target(), fault.how());
      case DISK -> node(fault).disk().free();
      case CLOCK -> node(fault).clock().set(0);
      case STORE -> cluster.store(fault.target()).heal();
    }
  }

  private FaultyNode node(InjectedFault fault) {
    return cluster.node(fault.target());
  }

  private FaultyNode last() {
    List<FaultyNode> nodes = rolled();
    return nodes.get(nodes.size() - 1);
  }

  private List<FaultyNode> rolled() {
    return cluster.nodes().stream().filter(node -> !node.name().equals(JOINER)).toList();
  }

  private void roll(int pauseSeconds) throws IOException, InterruptedException {
    for (FaultyNode node : rolled()) {
      node.stop();
      Thread.sleep(pauseSeconds * 1_000L);
      if (node != last()) {
        cluster.start(node);
        settling.await();
      }
    }
  }

  /** Either under a running process, or so that one begins with a wrong clock. */
  private void setOff(FaultyNode node, String how) throws IOException, InterruptedException {
    node.clock().set(how.startsWith("ahead") ? HOUR_SECONDS : -HOUR_SECONDS);
    if (how.endsWith("killed")) {
      node.kill();
      cluster.start(node);
    }
  }

  /** In the end all nodes are there, also the one that has joined and left. */
  void restore() throws IOException {
    for (FaultyNode node : cluster.nodes()) {
      cluster.start(node);
    }
  }
}
