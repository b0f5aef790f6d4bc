package io.galop.persist.history;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an answer as fast as the client reads. Where a node fails in the middle the connection is
 * cut, so that nobody takes what has been sent for the whole.
 */
final class HistoryBody {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryBody.class);

  private final HttpServerResponse response;
  private final Rendering rendering;

  HistoryBody(HttpServerResponse response, Rendering rendering) {
    this.response = response;
    this.rendering = rendering;
    response.closeHandler(gone -> rendering.close());
  }

  /**
   * Writes what is there already, and goes on with the rest.
   *
   * @return completes when that has left, or never will
   */
  Future<Void> write(List<Buffer> beginning) {
    Future<Void> left = Future.succeededFuture();
    for (Buffer piece : beginning) {
      left = response.write(piece);
    }
    if (response.writeQueueFull()) {
      response.drainHandler(drained -> write());
    } else {
      write();
    }
    return left;
  }

  /** Writes on until the end, or until the client is behind or a node has to be asked. */
  void write() {
    boolean goesOn = true;
    while (goesOn && !response.closed()) {
      goesOn = isLoaded() && piece();
    }
  }

  private boolean isLoaded() {
    var page = rendering.waiting();
    page.ifPresent(load -> load.onSuccess(loaded -> write()).onFailure(this::cut));
    return page.isEmpty();
  }

  private boolean piece() {
    Buffer piece = rendering.next();
    if (rendering.hasEnded()) {
      response.end(piece);
      return false;
    }
    response.write(piece);
    if (response.writeQueueFull()) {
      response.drainHandler(drained -> write());
      return false;
    }
    if (rendering.isSlow()) {
      Vertx.currentContext().runOnContext(none -> write());
      return false;
    }
    return true;
  }

  private void cut(Throwable failure) {
    LOG.warn("a history answer was cut off: {}", failure.getMessage());
    rendering.close();
    response.reset();
  }
}
