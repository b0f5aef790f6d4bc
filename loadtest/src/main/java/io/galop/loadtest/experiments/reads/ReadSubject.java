package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.site.Site;
import io.galop.loadtest.watch.NodeMetrics;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A server that is ready to be asked.
 *
 * @param way null where it is the one that does nothing else
 * @param eventLoops it has
 * @param binding of its threads
 * @param site it
 * @param readers its clients, connected
 */
record ReadSubject(@Nullable Way way, int eventLoops, Binding binding, Site site, Readers readers)
    implements AutoCloseable {
  private static final String BARE = "bytes-only";

  /** Of the figures in the report. */
  String key() {
    return wayWord() + "." + eventLoops + "." + binding;
  }

  String label() {
    return wayWord() + ", " + eventLoops + (eventLoops == 1 ? " loop, " : " loops, ") + binding;
  }

  String wayWord() {
    return way == null ? BARE : way.toString();
  }

  boolean isBare() {
    return way == null;
  }

  long pid() {
    return site.pids().get(0);
  }

  InetSocketAddress address() {
    return site.doors().http();
  }

  /** How many answers the node says that it has given in its way. */
  double answersInItsWay() throws InterruptedException {
    return way == null ? 0 : NodeMetrics.of(site.management()).sum(way.counter(), way.label());
  }

  @Override
  public void close() {
    readers.close();
    site.close();
  }
}
