package io.galop.loadtest.site;

import io.galop.loadtest.inject.Doors;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * A Galop to be measured, and what was started for it.
 *
 * @param doors where the first node takes records
 * @param browsers where browsers connect, one address per node
 * @param management where each node tells its figures
 * @param pids of the nodes, none if they were not started here
 * @param gcLogs unified GC logs of the nodes, none if they were not started here
 * @param ends what stops it, the last one first
 */
public record Site(
    Doors doors,
    List<InetSocketAddress> browsers,
    List<InetSocketAddress> management,
    List<Long> pids,
    List<Path> gcLogs,
    List<AutoCloseable> ends)
    implements AutoCloseable {

  @Override
  public void close() {
    end(ends);
  }

  /** Stops what was started, the last one first. */
  static void end(List<AutoCloseable> ends) {
    for (int i = ends.size() - 1; i >= 0; i--) {
      try {
        ends.get(i).close();
      } catch (Exception e) {
        System.err.println("galop-loadtest: stopping what was started: " + e);
      }
    }
  }
}
