package io.galop.loadtest.watch;

import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.inject.Injector;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.sample.SocketStates;
import io.galop.loadtest.site.Site;
import io.galop.loadtest.targets.ProcessCost;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Looks at everything at regular times, on a thread of its own, until it is closed. */
public final class RunWatch implements AutoCloseable {
  private final Site site;
  private final Injector injector;
  private final @Nullable Crowd crowd;
  private final Consumer<Map<String, Double>> onRow;
  private final Set<Integer> ports;
  private final Series series = new Series();
  private final NodeFigures nodes = new NodeFigures();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final long startNanos = System.nanoTime();
  private final long startEpochMs = System.currentTimeMillis();
  private volatile double asked;
  private Histogram seen = Latencies.histogram();
  private Histogram acked = Latencies.histogram();
  private Moment last;

  /** What has been counted up to a moment. */
  private record Moment(long nanos, long sent, long acked, NodeCost cost, long ownMicros) {}

  /**
   * Begins.
   *
   * @param everyMs how often
   * @param onRow is given each sample
   */
  public RunWatch(
      Site site,
      Injector injector,
      @Nullable Crowd crowd,
      long everyMs,
      Consumer<Map<String, Double>> onRow)
      throws IOException, InterruptedException {
    this.site = site;
    this.injector = injector;
    this.crowd = crowd;
    this.onRow = onRow;
    this.ports =
        Stream.concat(site.browsers().stream(), Stream.of(site.doors().tcp()))
            .map(InetSocketAddress::getPort)
            .collect(Collectors.toSet());
    this.last = moment();
    thread.scheduleAtFixedRate(this::sample, everyMs, everyMs, TimeUnit.MILLISECONDS);
  }

  private Moment moment() throws IOException, InterruptedException {
    return new Moment(
        System.nanoTime(),
        injector.sent(),
        injector.acked(),
        NodeCost.of(site),
        ProcessCost.cpuMicros(ProcessHandle.current().pid()));
  }

  /** Says at what rate records are due from now on; 0: none are. */
  public void asked(double ratePerSecond) {
    asked = ratePerSecond;
  }

  private synchronized void sample() {
    try {
      Moment now = moment();
      Map<String, Double> row = new HashMap<>();
      double seconds = (now.nanos - last.nanos) / 1e9;
      row.put(Series.SECONDS, (now.nanos - startNanos) / 1e9);
      rates(row, now, seconds);
      latencies(row, seconds);
      sockets(row);
      nodes.add(NodeMetrics.of(site.management()), seconds, row);
      series.add(row);
      last = now;
      onRow.accept(row);
    } catch (IOException e) {
      // The server has ended; who measures it notices for himself.
      thread.shutdown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      System.err.println("galop-loadtest: a sample is missing: " + e);
    }
  }

  private void rates(Map<String, Double> row, Moment now, double seconds) {
    row.put("asked", asked);
    row.put("sent", (now.sent - last.sent) / seconds);
    row.put("acked", (now.acked - last.acked) / seconds);
    row.put("backlog", (double) now.sent - now.acked);
    row.put("serverProcessors", now.cost.processors(last.cost, seconds));
    row.put("ownProcessors", (now.ownMicros - last.ownMicros) / 1e6 / seconds);
    row.put("residentMb", now.cost.residentBytes() / 1e6);
    row.put("waitsPerSecond", since(now.cost.waits(), last.cost.waits(), seconds));
    row.put(
        "preemptionsPerSecond", since(now.cost.preemptions(), last.cost.preemptions(), seconds));
  }

  private static double since(double now, double before, double seconds) {
    return Math.max(0, now - before) / seconds;
  }

  private void latencies(Map<String, Double> row, double seconds) {
    Histogram ack = injector.takeLatencies();
    row.put("ackP50Ms", Latencies.ms(ack, 50));
    row.put("ackP99Ms", Latencies.ms(ack, 99));
    acked.add(ack);
    if (crowd != null) {
      Histogram live = crowd.takeLatencies();
      row.put("liveP50Ms", Latencies.ms(live, 50));
      row.put("liveP99Ms", Latencies.ms(live, 99));

      row.put("seen", live.getTotalCount() / seconds);
      seen.add(live);
    }
  }

  private void sockets(Map<String, Double> row) throws IOException {
    SocketStates states = SocketStates.of(ports);
    row.put("established", (double) states.established());
    row.put("finWait2", (double) states.finWait2());
    row.put("closeWait", (double) states.closeWait());
    row.put("timeWait", (double) states.timeWait());
  }

  /** From due to seen by a viewer, since this was asked last. */
  public synchronized Histogram takeSeen() {
    if (crowd != null) {
      seen.add(crowd.takeLatencies());
    }
    Histogram taken = seen;
    seen = Latencies.histogram();
    return taken;
  }

  /** From due to acknowledged, since this was asked last. */
  public synchronized Histogram takeAcked() {
    acked.add(injector.takeLatencies());
    Histogram taken = acked;
    acked = Latencies.histogram();
    return taken;
  }

  /** Seconds since it began. */
  public double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** When it began, in milliseconds since the epoch. */
  public long startEpochMs() {
    return startEpochMs;
  }

  public Series series() {
    return series;
  }

  @Override
  public void close() throws InterruptedException {
    thread.shutdown();
    thread.awaitTermination(1, TimeUnit.MINUTES);
  }
}
