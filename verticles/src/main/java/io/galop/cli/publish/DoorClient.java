package io.galop.cli.publish;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A way to the bus door of a node. */
interface DoorClient extends AutoCloseable {
  /**
   * Hands lines to the door.
   *
   * @param lines NDJSON, each line with topic and data
   * @return the door's answer; fails if there was none
   */
  CompletableFuture<PublishAnswer> send(String lines);

  @Override
  void close() throws IOException;
}
