package io.galop.persist.store;

import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * The connections of blocking drivers: as many as threads ask for at once, which bounds them. One
 * that something failed on is closed.
 *
 * @param <C> a connection
 */
public final class ThreadConnections<C> {
  private final Maker<C> maker;
  private final Closer<C> closer;
  private final BlockingDeque<C> idle = new LinkedBlockingDeque<>();
  private final Set<C> open = ConcurrentHashMap.newKeySet();

  /**
   * Connects.
   *
   * @param <C> a connection
   */
  public interface Maker<C> {
    C connect() throws Exception;
  }

  /**
   * Closes.
   *
   * @param <C> a connection
   */
  public interface Closer<C> {
    void close(C connection) throws Exception;
  }

  /**
   * What is done with a connection.
   *
   * @param <C> a connection
   * @param <T> what comes out of it
   */
  public interface Work<C, T> {
    T with(C connection) throws Exception;
  }

  /** No connections yet. */
  public ThreadConnections(Maker<C> maker, Closer<C> closer) {
    this.maker = maker;
    this.closer = closer;
  }

  /** Does something on a connection that nobody else has meanwhile. Blocking. */
  public <T> T with(Work<C, T> work) throws Exception {
    C connection = idle.pollFirst();
    if (connection == null) {
      connection = maker.connect();
      open.add(connection);
    }
    boolean whole = false;
    try {
      T result = work.with(connection);
      whole = true;
      return result;
    } finally {
      giveBack(connection, whole);
    }
  }

  private void giveBack(C connection, boolean whole) {
    if (whole && open.contains(connection)) {
      idle.addFirst(connection);
    } else {
      open.remove(connection);
      close(connection);
    }
  }

  /** Closes all, also those in use, whose work then fails. */
  public void reset() {
    idle.clear();
    for (C connection : open) {
      open.remove(connection);
      close(connection);
    }
  }

  private void close(C connection) {
    try {
      closer.close(connection);
    } catch (Exception e) {
      // It is of no use any more, whether it says goodbye or not.
      org.slf4j.LoggerFactory.getLogger(ThreadConnections.class).debug("closing failed", e);
    }
  }
}
