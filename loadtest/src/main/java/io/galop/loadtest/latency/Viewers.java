package io.galop.loadtest.latency;

import java.io.IOException;

/** All browsers of a run. */
public interface Viewers extends AutoCloseable {
  /** Connects and registers all of them; blocks. */
  void connect() throws IOException, InterruptedException;

  /** Whether each has received something. */
  boolean areWarm();

  /** From this message on it counts. */
  void measureFrom(long number);

  /** What was seen so far. */
  Seen seen();

  @Override
  void close();
}
