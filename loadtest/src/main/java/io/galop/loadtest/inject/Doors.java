package io.galop.loadtest.inject;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a node takes records.
 *
 * @param http the port for browsers and the http door
 * @param tcp the tcp door
 * @param mqtt the mqtt door
 * @param bridge the TCP event-bus bridge
 * @param rings files in memory; null if there are none
 */
public record Doors(
    InetSocketAddress http,
    InetSocketAddress tcp,
    InetSocketAddress mqtt,
    InetSocketAddress bridge,
    @Nullable RingFiles rings) {
  /** Those without rings. */
  public Doors(
      InetSocketAddress http,
      InetSocketAddress tcp,
      InetSocketAddress mqtt,
      InetSocketAddress bridge) {
    this(http, tcp, mqtt, bridge, null);
  }
}
