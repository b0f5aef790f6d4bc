package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Load;
import io.galop.loadtest.latency.OpenLoopPublisher;
import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.watch.NodeMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One case measured once.
 *
 * @param microsPerRecord processor time of the storing node
 * @param bytesPerRecord that all relays together read from their links
 * @param lacking records that viewers were not shown
 */
record RelayTurn(double microsPerRecord, double bytesPerRecord, long lacking) {
  /** What watches all topics; others name one each. */
  static final String ALL = "load/#";

  private static final long PATIENCE_SECONDS = 60;
  private static final double MOST_LATE_MS = 1_000;
  private static final long LOOK_EVERY_MS = 100;
  private static final String BYTES = "galop_link_received_bytes_total";

  /**
   * Starts all, measures, and ends all.
   *
   * @param filters for each relay those of its viewer
   */
  static RelayTurn run(GalopLaunch galop, List<List<String>> filters, Load load)
      throws IOException, InterruptedException {
    List<TopicWatcher> viewers = new ArrayList<>();
    TreeShape shape = new TreeShape(filters.isEmpty() ? List.of() : List.of(filters.size()), false);
    try (RelayZones zones = RelayZones.start(galop, shape)) {
      for (int relay = 0; relay < filters.size(); relay++) {
        viewers.add(TopicWatcher.of(zones.http(relay + 1), filters.get(relay)));
      }
      return measure(zones, filters, viewers, load);
    } finally {
      viewers.forEach(TopicWatcher::close);
    }
  }

  private static RelayTurn measure(
      RelayZones zones, List<List<String>> filters, List<TopicWatcher> viewers, Load load)
      throws IOException, InterruptedException {
    try (OpenLoopPublisher publisher = new OpenLoopPublisher(load, zones.tcp())) {
      TimeUnit.SECONDS.sleep(load.warmUpSeconds());
      publisher.measureNow();
      double bytes = bytes(zones);
      long micros = ProcessCost.cpuMicros(zones.storingPid());
      TimeUnit.SECONDS.sleep(load.seconds());
      micros = ProcessCost.cpuMicros(zones.storingPid()) - micros;
      bytes = bytes(zones) - bytes;
      double records = load.ratePerSecond() * load.seconds();
      double lateMs = Latencies.ms(publisher.lag(), 99);
      if (lateMs > MOST_LATE_MS) {
        throw new IOException("the node does not take so much: sent " + lateMs + " ms late (p99)");
      }
      long end = publisher.stopSoon();
      publisher.awaitEnd();
      return new RelayTurn(micros / records, bytes / records, lacking(filters, viewers, load, end));
    }
  }

  private static double bytes(RelayZones zones) throws InterruptedException {
    return NodeMetrics.of(zones.relayManagements()).sum(BYTES);
  }

  /** Waits until nobody lacks anything, but not for ever. */
  private static long lacking(
      List<List<String>> filters, List<TopicWatcher> viewers, Load load, long end)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      long lacking = 0;
      for (int i = 0; i < viewers.size(); i++) {
        long owed = filters.get(i).stream().mapToLong(one -> owed(one, load, end)).sum();
        lacking += Math.abs(owed - viewers.get(i).shown());
      }
      if (lacking == 0 || System.nanoTime() > deadline) {
        return lacking;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  /** How many of the messages before this number a filter lets through. */
  private static long owed(String filter, Load load, long end) {
    if (filter.equals(ALL)) {
      return end;
    }
    long first = Long.parseLong(filter.substring(filter.indexOf('/') + 1));
    return first < end ? (end - 1 - first) / load.topics() + 1 : 0;
  }

  boolean isWhole() {
    return lacking == 0;
  }
}
