package io.galop.loadtest.experiments.lone;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Stamp;
import io.galop.loadtest.targets.ProcessCost;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one turn with one server has shown.
 *
 * @param acknowledged nanoseconds to the acknowledgement: from the sending, or at a rate from the
 *     time when the record was due
 * @param seen nanoseconds to the watcher's socket, likewise; empty where nobody watches
 * @param missing records that the watcher has not seen
 * @param cpuMicros processor time of the server per record; NaN where it has no process of its own
 * @param switches context switches of the server per record; NaN likewise
 */
record LoneTurn(
    Histogram acknowledged, Histogram seen, long missing, double cpuMicros, double switches) {

  /**
   * Sends so many records, each by itself.
   *
   * @param perSecond 0: the next one when the last is acknowledged, so that one is under way
   */
  static LoneTurn run(DurableServer server, int records, int bytes, double perSecond)
      throws IOException, InterruptedException {
    try (DurableLink link = server.connect()) {
      ProcessCost before = ProcessCost.of(server.pids());
      Histogram acknowledged =
          perSecond > 0 ? paced(link, records, bytes, perSecond) : inTurn(link, records, bytes);
      ProcessCost spent = ProcessCost.of(server.pids()).since(before);
      Histogram seen = link.seen();
      long missing = seen.getTotalCount() == 0 ? 0 : records - seen.getTotalCount();
      boolean isKnown = !server.pids().isEmpty();
      return new LoneTurn(
          acknowledged,
          seen,
          missing,
          isKnown ? (double) spent.cpuMicros() / records : Double.NaN,
          isKnown ? (double) (spent.waits() + spent.preemptions()) / records : Double.NaN);
    }
  }

  private static Histogram inTurn(DurableLink link, int records, int bytes) throws IOException {
    Histogram latencies = Latencies.histogram();
    long acknowledged = 0;
    for (int number = 0; number < records; number++) {
      long sentNanos = System.nanoTime();
      link.send(Stamp.data(number, sentNanos, bytes));
      while (acknowledged <= number) {
        acknowledged = link.awaitAcknowledged();
      }
      Latencies.record(latencies, System.nanoTime() - sentNanos);
    }
    return latencies;
  }

  private static Histogram paced(DurableLink link, int records, int bytes, double perSecond)
      throws IOException, InterruptedException {
    long startNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10);
    Schedule schedule = new Schedule(startNanos, perSecond);
    Acknowledgements reader = new Acknowledgements(link, records, schedule);
    reader.start();
    for (int number = 0; number < records; number++) {
      long dueNanos = schedule.dueNanos(number);
      for (long left = dueNanos - System.nanoTime(); left > 0; ) {
        LockSupport.parkNanos(left);
        left = dueNanos - System.nanoTime();
      }
      link.send(Stamp.data(number, dueNanos, bytes));
    }
    reader.join();
    if (reader.failure != null) {
      throw reader.failure;
    }
    return reader.latencies;
  }

  private record Schedule(long startNanos, double perSecond) {
    long dueNanos(long number) {
      return startNanos + Math.round(number * 1e9 / perSecond);
    }
  }

  private static final class Acknowledgements extends Thread {
    private final DurableLink link;
    private final int records;
    private final Schedule schedule;
    private final Histogram latencies = Latencies.histogram();
    private volatile @Nullable IOException failure;

    private Acknowledgements(DurableLink link, int records, Schedule schedule) {
      super("acknowledgements");
      this.link = link;
      this.records = records;
      this.schedule = schedule;
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        long before = 0;
        while (before < records) {
          long now = link.awaitAcknowledged();
          long nowNanos = System.nanoTime();
          for (long number = before; number < now; number++) {
            Latencies.record(latencies, nowNanos - schedule.dueNanos(number));
          }
          before = now;
        }
      } catch (IOException e) {
        failure = e;
      }
    }
  }
}
