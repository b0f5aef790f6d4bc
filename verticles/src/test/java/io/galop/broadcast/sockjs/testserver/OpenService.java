package io.galop.broadcast.sockjs.testserver;

import io.galop.broadcast.sockjs.Service;
import io.vertx.ext.web.RoutingContext;

/** Lets everybody in. */
abstract class OpenService implements Service<String> {
  @Override
  public final String viewer(RoutingContext request) {
    return "anybody";
  }

  @Override
  public final boolean isSame(String opener, String other) {
    return true;
  }

  @Override
  public final boolean enter(String viewer, RoutingContext request) {
    return true;
  }

  @Override
  public final void leave(String viewer) {}
}
