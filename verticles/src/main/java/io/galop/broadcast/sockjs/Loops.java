package io.galop.broadcast.sockjs;

import io.vertx.core.internal.ContextInternal;

/** Where things are done. */
final class Loops {
  private Loops() {}

  /** Does something on an event loop: at once if this is it. */
  static void on(ContextInternal loop, Runnable task) {
    if (loop.nettyEventLoop().inEventLoop()) {
      loop.emit(null, ignored -> task.run());
    } else {
      loop.runOnContext(ignored -> task.run());
    }
  }
}
