package io.galop.persist.store;

import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of blocking drivers: as many as threads ask for at once, which bounds them. One
 * that something failed on is closed.
 *
 * @param <C> a connection
 */
public final class ThreadConnections<C> {
  /** Servers and firewalls end connections that are idle for longer than seconds. */
  private static final long RESTED_NS = TimeUnit.SECONDS.toNanos(1);

  private final Maker<C> maker;
  private final Closer<C> closer;
  private final Probe<C> probe;
  private final BlockingDeque<Idle<C>> idle = new LinkedBlockingDeque<>();
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
   * Asks whether a connection is open at its other end too, by a round trip.
   *
   * @param <C> a connection
   */
  public interface Probe<C> {
    boolean isOpen(C connection) throws Exception;
  }

  private record Idle<C>(C connection, long sinceNs) {}

  /**
   * What is done with a connection.
   *
   * @param <C> a connection
   * @param <T> what comes out of it
   */
  public interface Work<C, T> {
    T with(C connection) throws Exception;
  }

  /** No connections yet; none of them is ended by another side. */
  public ThreadConnections(Maker<C> maker, Closer<C> closer) {
    this(maker, closer, connection -> true);
  }

  /** No connections yet. */
  public ThreadConnections(Maker<C> maker, Closer<C> closer, Probe<C> probe) {
    this.maker = maker;
    this.closer = closer;
    this.probe = probe;
  }

  /** Does something on a connection that nobody else has meanwhile. Blocking. */
  public <T> T with(Work<C, T> work) throws Exception {
    C connection = rested();
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

  /** An idle one, if there is any that is still open; null if not. */
  private @Nullable C rested() {
    for (Idle<C> next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      if (System.nanoTime() - next.sinceNs() < RESTED_NS || isOpen(next.connection())) {
        return next.connection();
      }
      open.remove(next.connection());
      close(next.connection());
    }
    return null;
  }

  private boolean isOpen(C connection) {
    try {
      return probe.isOpen(connection);
    } catch (Exception e) {
      return false;
    }
  }

  private void giveBack(C connection, boolean whole) {
    if (whole && open.contains(connection)) {
      idle.addFirst(new Idle<>(connection, System.nanoTime()));
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
