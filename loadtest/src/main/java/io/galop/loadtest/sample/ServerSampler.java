package io.galop.loadtest.sample;

import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.targets.Target;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** Looks at a server at regular times, on a thread of its own, until it is closed. */
public final class ServerSampler implements AutoCloseable {
  /** About so many rows are printed of however many there are. */
  private static final int PRINTED_ROWS = 40;

  private final List<Long> pids;
  private final Set<Integer> ports;
  private final IntSupplier viewers;
  private final List<ServerSample> samples = new ArrayList<>();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final long startNanos = System.nanoTime();
  private volatile String phase = "start";
  private ProcessCost last;
  private long lastOwnMicros;
  private long lastNanos;

  /**
   * Begins.
   *
   * @param viewers how many should be connected
   * @param everyMs how often
   */
  public ServerSampler(Target target, IntSupplier viewers, long everyMs) throws IOException {
    this.pids = target.pids();
    this.ports =
        target.browsers().stream().map(InetSocketAddress::getPort).collect(Collectors.toSet());
    this.viewers = viewers;
    last = ProcessCost.of(pids);
    lastOwnMicros = ownMicros();
    lastNanos = startNanos;
    thread.scheduleAtFixedRate(this::sample, everyMs, everyMs, TimeUnit.MILLISECONDS);
  }

  private static long ownMicros() throws IOException {
    return ProcessCost.cpuMicros(ProcessHandle.current().pid());
  }

  /** Says what is going on from now on. */
  public void phase(String name) {
    phase = name;
  }

  private synchronized void sample() {
    try {
      ProcessCost now = ProcessCost.of(pids);
      long ownMicros = ownMicros();
      long nanos = System.nanoTime();
      double seconds = (nanos - lastNanos) / 1e9;
      samples.add(
          new ServerSample(
              (nanos - startNanos) / 1e9,
              phase,
              viewers.getAsInt(),
              (now.cpuMicros() - last.cpuMicros()) / 1e6 / seconds,
              now.residentBytes() / 1e6,
              Math.max(0, now.waits() - last.waits()) / seconds,
              Math.max(0, now.preemptions() - last.preemptions()) / seconds,
              SocketStates.of(ports),
              (ownMicros - lastOwnMicros) / 1e6 / seconds));
      last = now;
      lastOwnMicros = ownMicros;
      lastNanos = nanos;
    } catch (IOException e) {
      // The server has ended; who measures it notices for himself.
      thread.shutdown();
    }
  }

  /** The series for people; some of the samples if there are many. */
  public synchronized String print() {
    int step = Math.max(1, samples.size() / PRINTED_ROWS);
    StringBuilder text = new StringBuilder(ServerSample.head());
    for (int i = 0; i < samples.size(); i++) {
      if (i % step == 0 || i == samples.size() - 1) {
        text.append(samples.get(i).row());
      }
    }
    return text.toString();
  }

  /** Writes {@code series.csv} and {@code series.json}. */
  public synchronized void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<String> lines = new ArrayList<>(List.of(ServerSample.CSV_HEAD));
    samples.forEach(sample -> lines.add(sample.toCsv()));
    Files.write(directory.resolve("series.csv"), lines);
    JsonArray all = new JsonArray(samples.stream().map(ServerSample::toJson).toList());
    Files.writeString(directory.resolve("series.json"), all.encodePrettily() + "\n");
  }

  /** Takes a last sample and stops. */
  @Override
  public void close() throws InterruptedException {
    thread.shutdown();
    thread.awaitTermination(1, TimeUnit.MINUTES);
    sample();
  }
}
