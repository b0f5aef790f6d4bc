package io.galop.loadtest.latency;

import io.galop.loadtest.targets.ProcessCost;
import java.io.IOException;

/** All browsers of a run. */
public interface LatencyViewers extends AutoCloseable {
  /** Connects and registers all of them; blocks. */
  void connect() throws IOException, InterruptedException;

  /** Whether each has received something. */
  boolean areWarm() throws IOException;

  /**
   * From this message on so many count.
   *
   * @param messages how many will have been sent
   */
  void measureFrom(long number, long messages) throws IOException;

  /** What was seen so far. */
  Seen seen() throws IOException;

  /** Processor time that publishing and watching have taken so far, in microseconds. */
  default long ownMicros() throws IOException {
    return ProcessCost.cpuMicros(ProcessHandle.current().pid());
  }

  @Override
  void close();
}
