package io.galop.broadcast;

import io.vertx.core.Future;

/**
 * A connection to a browser, as a Subscriber sees it: all that a faster way of writing has to
 * implement. Called on the Hub's event loop only.
 */
interface Transport {
  /**
   * Writes a frame after those before it.
   *
   * @return succeeds when the frame has left this process, fails if it never will; completed on the
   *     Hub's event loop
   */
  Future<Void> write(Frame frame);

  /** Tells the browser why, and ends the connection. */
  void close(Disconnect why);
}
