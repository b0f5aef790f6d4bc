package io.galop.node;

import io.galop.latency.TraceSink;

/** What an add-on brings that sends traces out, found by {@link java.util.ServiceLoader}. */
public interface TraceBrick {
  /** One that sends; its end blocks, for seconds at most, while it sends what waits. */
  interface Sender extends TraceSink, AutoCloseable {
    @Override
    void close();
  }

  /**
   * Begins to send what the node's configuration says, where it says; blocks.
   *
   * @param node whose telemetry is configured, and where it is counted
   */
  Sender open(Node node);
}
