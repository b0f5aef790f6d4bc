package io.galop.loadtest.chaos;

import java.io.IOException;
import java.util.List;

/** A viewer's connection, whatever carries it. */
interface Channel extends AutoCloseable {
  /** Says something to the node. */
  void send(String message) throws IOException, InterruptedException;

  /** Waits for messages, not for long; none may have come. */
  List<String> next() throws IOException, InterruptedException;

  @Override
  void close();
}
