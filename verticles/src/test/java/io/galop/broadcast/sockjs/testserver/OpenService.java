package io.galop.broadcast.sockjs.testserver;

import io.galop.broadcast.sockjs.Service;
import io.vertx.ext.web.RoutingContext;

/** Lets everybody in, who are all the same one. */
public abstract class OpenService implements Service<String> {
  @Override
  public String viewer(RoutingContext request) {
    return "anybody";
  }

  @Override
  public boolean isSame(String opener, String other) {
    return true;
  }

  @Override
  public boolean enter(String viewer, RoutingContext request) {
    return true;
  }

  @Override
  public void leave(String viewer) {}
}
