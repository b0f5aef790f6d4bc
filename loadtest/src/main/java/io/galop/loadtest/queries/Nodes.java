package io.galop.loadtest.queries;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** How nodes of Galop are started for sources. */
interface Nodes {
  /**
   * A node that runs.
   *
   * @param http where it is asked
   * @param tcp where it takes records
   * @param pids of its processes
   * @param end stops it
   */
  record Running(
      InetSocketAddress http, InetSocketAddress tcp, List<Long> pids, AutoCloseable end) {}

  /**
   * Starts one and waits until it is ready.
   *
   * @param settings as in {@code persist.history.cacheBytes=0}
   */
  Running start(List<String> settings) throws IOException, InterruptedException;
}
