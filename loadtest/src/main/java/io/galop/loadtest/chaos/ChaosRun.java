package io.galop.loadtest.chaos;

import io.galop.loadtest.chaos.balance.Balance;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Starts a cluster, lets faults happen to it, and judges. */
final class ChaosRun {
  private static final int CONNECT_SECONDS = 3;
  private static final int START_SECONDS = 180;
  private static final int START_PART_SECONDS = 10;
  private static final int LEAST_PATIENCE_SECONDS = 60;
  private static final int DRAIN_SECONDS = 60;
  private static final long LOOK_EVERY_MS = 500;
  private static final int TOLD_SECONDS = 60;

  private final ChaosOptions options;
  private final int patienceSeconds;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(CONNECT_SECONDS))
          .build();
  private final ChaosClients crowd = new ChaosClients(client);
  private final FaultyCluster cluster;
  private final FaultInjector breaker;
  private final Balance balance;
  private final long ledgerMinuteMs;
  private final List<FaultOutcome> outcomes = new ArrayList<>();
  private int probes;

  ChaosRun(ChaosOptions options, Path directory) throws IOException {
    this.options = options;
    this.patienceSeconds = Math.max(LEAST_PATIENCE_SECONDS, 2 * options.healSeconds);
    Plan plan = options.plan(directory);
    this.ledgerMinuteMs = plan.ledgerMinuteMs();
    this.balance = new Balance(ledgerMinuteMs);
    this.cluster = new FaultyCluster(plan, directory);
    this.breaker = new FaultInjector(cluster, () -> probed(patienceSeconds));
  }

  ChaosReport run() throws IOException, InterruptedException {
    try {
      cluster.start(options::names, options.stores());
      crowd.start(options, cluster);
      awaitStart();
      System.err.print(FaultOutcome.head());
      breakAll();
      breaker.restore();
      boolean isDrained = drain();
      long drainedMs = System.currentTimeMillis();
      OracleVerdict verdict = judge();
      settle(drainedMs);
      List<FaultyNode> nodes = cluster.nodes();
      long dialled = cluster.dialledInwards();
      return new ChaosReport(options, outcomes, verdict, balance, crowd, nodes, dialled, isDrained);
    } finally {
      crowd.close();
      keepLogs();
    }
  }

  private void awaitStart() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (probed(START_PART_SECONDS).healedMs < 0) {
      cluster.nodes().forEach(FaultyNode::noticeEnd);
      if (System.nanoTime() > deadline || !cluster.nodes().stream().allMatch(FaultyNode::isUp)) {
        throw new IOException("the cluster did not start:\n" + logs());
      }
    }
  }

  private void breakAll() throws IOException, InterruptedException {
    FaultSchedule schedule = options.schedule();
    long startedNs = System.nanoTime();
    long endNs = startedNs + (long) (options.minutes * 60e9);
    int most = options.rounds * options.faults.size();
    while (options.rounds > 0 ? outcomes.size() < most : System.nanoTime() < endNs) {
      TimeUnit.MILLISECONDS.sleep(schedule.pauseMs());
      cluster.read(balance, System.currentTimeMillis()); // what ends takes its counts with it
      FaultOutcome outcome = happen(schedule.next(), (System.nanoTime() - startedNs) / 1e9);
      outcomes.add(outcome);
      System.err.print(outcome.row());
      cluster.restartEnded();
    }
  }

  private FaultOutcome happen(InjectedFault fault, double atSeconds)
      throws IOException, InterruptedException {
    CompletableFuture<Long> meanwhile;
    breaker.begin(fault);
    try (Probe probe = probe(List.of(cluster.doors()))) {
      meanwhile = CompletableFuture.supplyAsync(() -> await(probe, fault.seconds()));
      long servedMs = meanwhile.join();
      long leftMs = fault.seconds() * 1_000L - Math.max(servedMs, 0);
      TimeUnit.MILLISECONDS.sleep(servedMs < 0 ? 0 : Math.max(leftMs, 0));
      breaker.heal(fault);
      Probed healed = probed(patienceSeconds);
      return new FaultOutcome(fault, atSeconds, servedMs, healed.healedMs, healed.missing);
    }
  }

  private static long await(Probe probe, int seconds) {
    try {
      return probe.run(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  /** How a probe ended. */
  private record Probed(long healedMs, String missing) {}

  private Probed probed(int seconds) throws InterruptedException {
    try (Probe probe = probe(cluster.openDoors().stream().map(List::of).toList())) {
      long doneMs = probe.run(seconds);
      String missing = probe.missing();
      while (doneMs >= 0 && missing.isEmpty() && !cluster.isWhole()) {
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
        doneMs = probe.passedMs();
        missing = doneMs > seconds * 1_000L ? "not all nodes see each other" : "";
      }
      return new Probed(missing.isEmpty() ? doneMs : -1, missing);
    }
  }

  private Probe probe(List<List<String>> doors) {
    String name = "probe" + probes++;
    List<Journal> staying = crowd.staying();
    return new Probe(client, crowd.ledger(), name, doors, cluster.fronts(), staying);
  }

  /** Waits until all is acknowledged and everybody has been shown what is owed. */
  private boolean drain() throws InterruptedException {
    crowd.settle();
    probed(patienceSeconds);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
    while (crowd.ledger().unacknowledged() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
    probed(patienceSeconds);
    return crowd.ledger().unacknowledged() == 0;
  }

  private OracleVerdict judge() throws IOException, InterruptedException {
    Map<String, SeenPosition> positions = new HashMap<>();
    Map<String, List<String>> stores = new TreeMap<>();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
    OracleVerdict verdict = null;
    while (verdict == null || verdict.mayGetBetter() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      for (FaultyNode node : cluster.oneOfEach()) {
        History history = new History(client, node.http());
        stores.put("history of " + node.name(), history.wholeKeys(positions, deadline));
      }
      for (FaultyStore store : cluster.stores()) {
        stores.put(store.name(), store.keys());
      }
      List<Journal> journals = crowd.viewers().stream().map(ChaosViewer::journal).toList();
      verdict = Oracle.judge(new Evidence(crowd.ledger().entries(), stores, positions, journals));
    }
    return verdict;
  }

  /**
   * Reads the Ledgers until all have told the minute in which all was acknowledged, or for long.
   */
  private void settle(long drainedMs) throws InterruptedException {
    long deadline =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos(ledgerMinuteMs)
            + TimeUnit.SECONDS.toNanos(TOLD_SECONDS);
    cluster.read(balance, drainedMs);
    while (!balance.isTold(drainedMs) && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      cluster.read(balance, drainedMs);
    }
    balance.end(drainedMs);
  }

  private String logs() throws IOException {
    StringBuilder text = new StringBuilder();
    for (FaultyNode node : cluster.nodes()) {
      String log = Files.exists(node.log()) ? Files.readString(node.log()) : "";
      text.append(node.name()).append(":\n").append(log);
    }
    return text.toString();
  }

  private void keepLogs() throws IOException {
    if (options.logs == null) {
      return;
    }
    Files.createDirectories(options.logs);
    for (FaultyNode node : cluster.nodes()) {
      Path kept = options.logs.resolve(node.name() + ".log");
      Files.copy(node.log(), kept, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
