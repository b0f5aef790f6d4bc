package io.galop.broadcast.sockjs;

import io.vertx.ext.web.RoutingContext;

/**
 * Who takes the connections of an endpoint. A viewer is known before it has a session; whoever may
 * not even ask must have been turned away before the endpoint's routes.
 *
 * @param <V> what is known of a viewer
 */
public interface Service<V> {
  /** Who asks. */
  V viewer(RoutingContext request);

  /** Whether a later request may go on with a session that another has opened. */
  boolean isSame(V opener, V other);

  /**
   * Takes a place for one more viewer, or answers the request with why there is none. The place is
   * given back by {@link #leave} if no connection comes about; else it is the Connection's, until
   * {@link Connection#onClosed}.
   */
  boolean enter(V viewer, RoutingContext request);

  /** Gives back the place of a viewer that was never connected. */
  void leave(V viewer);

  /**
   * A viewer that has entered is connected; what it says from now on goes to the Connection. If
   * this fails nothing remains of it, and the viewer leaves and is told to come back.
   */
  Connection connected(Transport transport, V viewer);
}
