package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.chaos.ChaosViewer;
import io.galop.loadtest.chaos.Evidence;
import io.galop.loadtest.chaos.HttpPublisher;
import io.galop.loadtest.chaos.Journal;
import io.galop.loadtest.chaos.Probe;
import io.galop.loadtest.chaos.PublishedRecords;
import io.galop.loadtest.latency.Load;
import io.galop.loadtest.targets.GalopLaunch;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Kills one process of each level of a tree in turn, while records flow and viewers watch on every
 * leaf, and starts each again.
 */
final class TreeKills implements AutoCloseable {
  private static final long START_SECONDS = 180;
  private static final long DRAIN_SECONDS = 60;
  private static final long CALM_SECONDS = 1;
  private static final long LOOK_EVERY_MS = 250;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(3))
          .build();
  private final PublishedRecords ledger = new PublishedRecords();
  private final List<ChaosViewer> viewers = new ArrayList<>();
  private final List<Kill> kills = new ArrayList<>();
  private final RelayZones zones;
  private final TreeShape shape;
  private final KillOptions options;
  private final HttpPublisher publisher;
  private final List<String> leaves;
  private int probes;

  private TreeKills(RelayZones zones, TreeShape shape, Load load, KillOptions options) {
    this.zones = zones;
    this.shape = shape;
    this.options = options;
    this.leaves = shape.of(shape.levels().size()).stream().map(this::http).toList();
    List<String> doors = List.of(http(0));
    this.publisher =
        new HttpPublisher(client, ledger, "p", doors, load.topics(), load.ratePerSecond());
  }

  private String http(int node) {
    return "http://127.0.0.1:" + zones.http(node);
  }

  /** Starts all, kills, judges, and ends all. */
  static KillReport run(GalopLaunch galop, TreeShape shape, Load load, KillOptions options)
      throws IOException, InterruptedException {
    try (RelayZones zones = RelayZones.start(galop, shape);
        TreeKills tree = new TreeKills(zones, shape, load, options)) {
      try {
        return tree.run();
      } finally {
        if (options.logs != null) {
          zones.copyLogs(options.logs);
        }
      }
    }
  }

  private KillReport run() throws IOException, InterruptedException {
    begin();
    long fromNs = System.nanoTime();
    for (int round = 0; round < options.rounds; round++) {
      for (int level = shape.levels().size(); level >= 0; level--) {
        Kill kill = kill(level, target(level, round), fromNs);
        kills.add(kill);
        System.err.println(
            "killed " + kill.process() + (kill.isHealed() ? "" : ": " + kill.missing()));
        fromNs = kill.untilNs();
      }
    }
    boolean isDrained = drain();
    Evidence evidence = new TreeEvidence(client, http(0), leaves.get(0)).gather(ledger, journals());
    List<String> ended = zones.ended().stream().map(RelayZones::name).toList();
    return new KillReport(kills, evidence, ledger, ended, isDrained);
  }

  /** Of leaves one after the other; of other relays the one that feeds most. */
  private int target(int level, int round) throws InterruptedException {
    List<Integer> all = shape.of(level);
    return level == shape.levels().size() ? all.get(round % all.size()) : zones.feedsMost(all);
  }

  private void begin() throws IOException, InterruptedException {
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      for (int i = 0; i < options.viewers; i++) {
        String next = leaves.get((leaf + 1) % leaves.size());
        boolean isFaithful = i % 2 == 0;
        List<String> at =
            isFaithful ? leaves.subList(leaf, leaf + 1) : List.of(leaves.get(leaf), next);
        String name = "viewer " + viewers.size() + (isFaithful ? " of " : " first at ");
        int node = shape.of(shape.levels().size()).get(leaf);
        ChaosViewer.Carrier carrier = ChaosViewer.Carrier.WEBSOCKET;
        viewers.add(
            new ChaosViewer(client, name + RelayZones.name(node), carrier, at, true, viewers.size())
                .start());
      }
    }
    publisher.start();
    String missing = healed(START_SECONDS);
    if (!missing.isEmpty()) {
      throw new IOException("the tree did not start: " + missing);
    }
  }

  private Kill kill(int level, int node, long fromNs) throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(CALM_SECONDS);
    long killedNs = System.nanoTime();
    zones.kill(node);
    TimeUnit.SECONDS.sleep(options.downSeconds);
    long startedNs = System.nanoTime();
    zones.startAgain(node);
    long passed = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNs);
    String missing = healed(Math.max(1, options.healSeconds - passed));
    long untilNs = System.nanoTime();
    return new Kill(level, RelayZones.name(node), fromNs, killedNs, startedNs, untilNs, missing);
  }

  /** Waits until all works: every link, a viewer that has just come, and those that stay. */
  private String healed(long seconds) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!zones.isLinked()) {
      if (System.nanoTime() > deadline) {
        return "not every link is up";
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
    List<List<String>> doors = List.of(List.of(http(0)));
    try (Probe probe = new Probe(client, ledger, "probe" + probes++, doors, leaves, journals())) {
      long left = TimeUnit.NANOSECONDS.toSeconds(deadline - System.nanoTime());
      probe.run(Math.max(1, left));
      return probe.missing();
    }
  }

  private List<Journal> journals() {
    return viewers.stream().map(ChaosViewer::journal).toList();
  }

  /** Waits until all is acknowledged and everybody has been shown what is owed. */
  private boolean drain() throws InterruptedException {
    publisher.stopMaking();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
    while (ledger.unacknowledged() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
    return ledger.unacknowledged() == 0 && healed(DRAIN_SECONDS).isEmpty();
  }

  @Override
  public void close() throws InterruptedException {
    publisher.close();
    for (ChaosViewer viewer : viewers) {
      viewer.close();
    }
  }
}
