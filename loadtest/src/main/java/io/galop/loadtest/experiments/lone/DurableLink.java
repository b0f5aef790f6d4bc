package io.galop.loadtest.experiments.lone;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/**
 * The way of one sender. One thread sends, one waits for acknowledgements; they may be the same.
 */
interface DurableLink extends AutoCloseable {
  /** Sends a record by itself, its data a JSON object. */
  void send(String data) throws IOException;

  /**
   * Waits for the next acknowledgement.
   *
   * @return how many records are on disk by now, of those that this link has sent
   */
  long awaitAcknowledged() throws IOException;

  /** How long each record took to a watcher, in nanoseconds; empty where nobody watches. */
  Histogram seen() throws InterruptedException;

  @Override
  void close() throws IOException, InterruptedException;
}
