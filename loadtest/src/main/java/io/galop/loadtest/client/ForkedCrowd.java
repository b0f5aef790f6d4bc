package io.galop.loadtest.client;

import io.galop.loadtest.latency.LatencyViewers;
import io.galop.loadtest.latency.Load;
import io.galop.loadtest.latency.Seen;
import io.galop.loadtest.targets.ProcessCost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * More viewers than one process may have open files: they live in processes of their own. Their
 * clocks agree, since the JVM's monotonic clock is the machine's (CLOCK_MONOTONIC).
 */
public final class ForkedCrowd implements LatencyViewers {
  private final List<ViewerProcess> processes = new ArrayList<>();

  /**
   * Starts the processes.
   *
   * @param audience without viewers that never read: those are of a {@link Crowd} alone
   * @param perProcess most viewers in one of them
   */
  public ForkedCrowd(ViewerGroup audience, Load load, int perProcess) throws IOException {
    int count = (load.viewers() + perProcess - 1) / perProcess;
    for (int i = 0; i < count; i++) {
      int viewers = share(load.viewers(), count, i);
      processes.add(ViewerProcess.start(audience, viewers, load.bytes()));
    }
  }

  static int share(int all, int count, int part) {
    return all / count + (part < all % count ? 1 : 0);
  }

  @Override
  public void connect() throws IOException {
    // One after the other: connections come in at the pace of one process.
    for (ViewerProcess process : processes) {
      process.ask("connect");
    }
  }

  @Override
  public boolean areWarm() throws IOException {
    for (ViewerProcess process : processes) {
      if (!Boolean.parseBoolean(process.ask("warm"))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void measureFrom(long number, long messages) throws IOException {
    for (ViewerProcess process : processes) {
      process.ask("measure " + number + " " + messages);
    }
  }

  @Override
  public Seen seen() throws IOException {
    List<Seen> parts = new ArrayList<>();
    for (ViewerProcess process : processes) {
      parts.add(SeenText.parse(process.ask("seen")));
    }
    return Seen.sum(parts);
  }

  @Override
  public long ownMicros() throws IOException {
    long sum = LatencyViewers.super.ownMicros();
    for (ViewerProcess process : processes) {
      sum += ProcessCost.cpuMicros(process.pid());
    }
    return sum;
  }

  @Override
  public void close() {
    processes.forEach(ViewerProcess::close);
  }
}
