package io.galop.persist.history;

import io.galop.vertx.HttpChannels;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an answer as fast as the client reads. Where a node fails in the middle the connection is
 * cut, so that nobody takes what has been sent for the whole. On the event loop of the client.
 */
final class HistoryBody {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryBody.class);

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Pieces pieces;
  private final AnswerBudget.Claim claim;

  /**
   * Of an answer whose head is known.
   *
   * @param claim is ended when the last byte has left, or will not
   */
  HistoryBody(HttpServerRequest request, Pieces pieces, AnswerBudget.Claim claim) {
    this.request = request;
    this.response = request.response();
    this.pieces = pieces;
    this.claim = claim;
    response.closeHandler(gone -> end());
  }

  private void end() {
    pieces.close();
    claim.end();
  }

  /**
   * Writes what is there already, and goes on with the rest.
   *
   * @param onLeft is told when that has left, or never will
   */
  void write(List<Buffer> beginning, Runnable onLeft) {
    for (int i = 0; i < beginning.size() - 1; i++) {
      response.write(beginning.get(i));
    }
    response.write(beginning.get(beginning.size() - 1)).onComplete(left -> onLeft.run());
    if (response.writeQueueFull()) {
      pause();
    } else {
      write();
    }
  }

  /** Writes on until the end, or until the client is behind or a node has to be asked. */
  void write() {
    boolean goesOn = true;
    while (goesOn && !response.closed()) {
      goesOn = isLoaded() && piece();
    }
    if (response.closed()) {
      end();
    }
  }

  private boolean isLoaded() {
    var page = pieces.waiting();
    page.ifPresent(load -> load.onSuccess(loaded -> loaded()).onFailure(this::fail));
    return page.isEmpty();
  }

  private void loaded() {
    claim.holdAtLeast(pieces.heldBytes());
    write();
  }

  private boolean piece() {
    Buffer piece = pieces.next();
    if (pieces.hasEnded()) {
      claim.holdPages(0);
      response.end(piece).onComplete(left -> end());
      claim.pause(); // until the rest has left
      return false;
    }
    response.write(piece);
    if (response.writeQueueFull()) {
      pause();
      return false;
    }
    if (pieces.isSlow()) {
      Vertx.currentContext().runOnContext(none -> write());
      return false;
    }
    return true;
  }

  private void pause() {
    claim.pause();
    response.drainHandler(drained -> resume());
  }

  private void resume() {
    if (claim.resume(pieces.pageBytes())) {
      write();
    }
  }

  private void fail(Throwable failure) {
    if (!response.closed()) {
      LOG.warn("a history answer was cut off: {}", failure.getMessage());
    }
    cutOff();
  }

  /** Lets go of pages while the client is behind. */
  void setPagesAside() {
    pieces.setPagesAside();
  }

  /** Closes the connection now, whatever waits there for a client that reads nothing. */
  void cutOff() {
    end();
    HttpChannels.reset(request);
  }
}
