package io.galop.bus;

import io.vertx.core.Future;

/**
 * Takes requests to nodes that the event bus does not reach, as a relay's to those that have
 * dialled it. Safe to call from any thread.
 */
public interface Carrier {
  /**
   * Carries a request.
   *
   * @return the answer, of the type that its kind has, on the caller's event loop; fails with a
   *     {@link Refusal}
   */
  Future<Object> send(Errand errand);

  /** What carries requests to a node now, by a name that is never given twice; empty if nothing. */
  String way(String node);

  /** Says over each link that takes it, before whatever is sent after this, what is wanted. */
  void want(Errand.Want want);

  /** Whether what carries requests to a node now takes {@link #want}. */
  boolean leavesOut(String node);

  /** Whether that still carries. */
  boolean isOpen(String way);
}
