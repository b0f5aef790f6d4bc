package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Load;
import io.galop.loadtest.latency.OpenLoopPublisher;
import io.galop.loadtest.targets.GalopLaunch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A tree measured once.
 *
 * @param latencies of each level, from due to shown, over a viewer of all topics at each process
 * @param lacking records that these were not shown, of each level
 */
record TreeTurn(List<Histogram> latencies, List<Long> lacking) {
  private static final long PATIENCE_SECONDS = 60;
  private static final long LOOK_EVERY_MS = 100;

  /** Starts all, measures, and ends all. */
  static TreeTurn run(GalopLaunch galop, TreeShape shape, Load load)
      throws IOException, InterruptedException {
    List<List<TopicWatcher>> levels = new ArrayList<>();
    try (RelayZones zones = RelayZones.start(galop, shape)) {
      for (int level = 0; level <= shape.levels().size(); level++) {
        List<TopicWatcher> viewers = new ArrayList<>();
        levels.add(viewers);
        for (int node : shape.of(level)) {
          viewers.add(TopicWatcher.of(zones.http(node), List.of(RelayTurn.ALL)));
        }
      }
      return measure(zones, levels, load);
    } finally {
      levels.stream().flatMap(List::stream).forEach(TopicWatcher::close);
    }
  }

  private static TreeTurn measure(RelayZones zones, List<List<TopicWatcher>> levels, Load load)
      throws IOException, InterruptedException {
    try (OpenLoopPublisher publisher = new OpenLoopPublisher(load, zones.tcp())) {
      TimeUnit.SECONDS.sleep(load.warmUpSeconds());
      levels.stream().flatMap(List::stream).forEach(TopicWatcher::measure);
      TimeUnit.SECONDS.sleep(load.seconds());
      List<Histogram> latencies = new ArrayList<>();
      for (List<TopicWatcher> viewers : levels) {
        Histogram all = Latencies.histogram();
        viewers.forEach(viewer -> all.add(viewer.latencies()));
        latencies.add(all);
      }
      long end = publisher.stopSoon();
      publisher.awaitEnd();
      return new TreeTurn(latencies, awaitAll(levels, end));
    }
  }

  /** Waits until nobody lacks anything, but not for ever. */
  private static List<Long> awaitAll(List<List<TopicWatcher>> levels, long end)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      List<Long> lacking =
          levels.stream()
              .map(all -> all.stream().mapToLong(one -> Math.abs(end - one.shown())).sum())
              .toList();
      if (lacking.stream().allMatch(none -> none == 0) || System.nanoTime() > deadline) {
        return lacking;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  boolean isWhole() {
    return lacking.stream().allMatch(none -> none == 0);
  }

  double ms(int level, double percentile) {
    return Latencies.ms(latencies.get(level), percentile);
  }
}
