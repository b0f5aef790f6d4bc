package io.galop;

import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a stage adds to the HTTP port: made once for each event loop, on that loop.
 *
 * @param mount adds the routes
 * @param close ends what the routes hold open, before the listener closes
 */
record Routes(Consumer<Router> mount, Supplier<Future<?>> close) {
  /** Routes that hold nothing open. */
  static Routes of(Consumer<Router> mount) {
    return new Routes(mount, Future::succeededFuture);
  }
}
