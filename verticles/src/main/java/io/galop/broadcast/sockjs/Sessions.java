package io.galop.broadcast.sockjs;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a node's endpoints at one path, whichever event loop they belong to, by the ids
 * that their browsers have chosen. Safe to call from any thread.
 *
 * @param <V> what is known of a viewer
 */
public final class Sessions<V> {
  private final ConcurrentHashMap<String, Session<V>> byId = new ConcurrentHashMap<>();
  private final int max;

  /**
   * @param max how many there may be, about, those included that have ended and whose browser may
   *     still ask why
   */
  public Sessions(int max) {
    this.max = max;
  }

  /** How many there are. */
  public int count() {
    return byId.size();
  }

  boolean isFull() {
    return byId.mappingCount() >= max;
  }

  /** The session; null if there is none. */
  @Nullable Session<V> get(String id) {
    return byId.get(id);
  }

  /** Adds a session; if there is one with this id already, returns that, else null. */
  @Nullable Session<V> putIfAbsent(String id, Session<V> session) {
    return byId.putIfAbsent(id, session);
  }

  void remove(String id, Session<V> session) {
    byId.remove(id, session);
  }
}
