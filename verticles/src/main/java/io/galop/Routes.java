package io.galop;

import io.vertx.ext.web.Router;

/**
 * What a stage adds to the HTTP port: made once for each event loop, on that loop.
 *
 * @param mount adds the routes
 * @param close ends what the routes hold open, before the listener closes
 */
record Routes(java.util.function.Consumer<Router> mount, Runnable close) {
  /** Routes that hold nothing open. */
  static Routes of(java.util.function.Consumer<Router> mount) {
    return new Routes(mount, () -> {});
  }
}
