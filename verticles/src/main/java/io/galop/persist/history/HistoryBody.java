package io.galop.persist.history;

import io.galop.vertx.HttpChannels;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an answer as fast as the client reads. Where a node fails in the middle the connection is
 * cut, so that nobody takes what has been sent for the whole. On the event loop of the client.
 *
 * <p>It counts itself what has not left: Vert.x says that its queue is full at 16 messages, however
 * large they are, and that a response is closed when its end has been written only.
 */
final class HistoryBody {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryBody.class);

  /** Beyond, the client is behind; the last piece comes on top. */
  private static final int MOST_UNSENT_BYTES = 64 * 1024;

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Pieces pieces;
  private final AnswerRoom room;
  private final Queue<Buffer> beginning;
  private final Runnable onEnd;
  private int unsentBytes;
  private boolean isPaused;

  /** The client has caught up, and there is no room for pages yet; paused until then. */
  private boolean isWaiting;

  private boolean isLoading;
  private boolean isAllWritten;

  /** Nothing is written any more: all has left, or the client has gone. */
  private boolean isOver;

  /** Of an answer whose head is known; ends the room when the last byte has left, or will not. */
  HistoryBody(HttpServerRequest request, Pieces pieces, AnswerRoom room) {
    this(request, pieces, room, List.of(), () -> {});
  }

  /**
   * The same, of which some is there already.
   *
   * @param onEnd is told when nothing is held of that any more
   */
  HistoryBody(
      HttpServerRequest request,
      Pieces pieces,
      AnswerRoom room,
      Collection<Buffer> beginning,
      Runnable onEnd) {
    this.request = request;
    this.response = request.response();
    this.pieces = pieces;
    this.room = room;
    this.beginning = new ArrayDeque<>(beginning);
    this.onEnd = onEnd;
    response.closeHandler(gone -> end());
  }

  private void end() {
    if (!isOver) {
      isOver = true;
      beginning.clear();
      pieces.close();
      room.end();
      onEnd.run();
    }
  }

  /** Writes on until the end, or until the client is behind or a node has to be asked. */
  void write() {
    try {
      boolean goesOn = true;
      while (goesOn && !isOver && !isAllWritten && !isPaused && !isLoading) {
        goesOn = beginning.isEmpty() ? isLoaded() && piece() : begun(beginning.remove());
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.warn("a history answer was cut off", e);
      cutOff();
    }
  }

  private boolean begun(Buffer piece) {
    send(piece);
    if (beginning.isEmpty()) {
      onEnd.run();
    }
    return true;
  }

  private boolean isLoaded() {
    var page = pieces.waiting();
    if (page.isPresent()) {
      isLoading = true;
      page.get().onSuccess(loaded -> loaded()).onFailure(this::fail);
    }
    return page.isEmpty();
  }

  private void loaded() {
    isLoading = false;
    if (!isOver) {
      room.holdAtLeast(pieces.heldBytes());
      write();
    }
  }

  private boolean piece() {
    Buffer piece = pieces.next();
    isAllWritten = pieces.hasEnded();
    send(piece);
    if (isAllWritten) {
      room.holdPages(0);
    } else if (pieces.isSlow()) {
      Vertx.currentContext().runOnContext(none -> write());
      return false;
    }
    return true;
  }

  private void send(Buffer piece) {
    int bytes = piece.length();
    unsentBytes += bytes;
    (isAllWritten ? response.end(piece) : response.write(piece))
        .onSuccess(left -> left(bytes))
        .onFailure(gone -> lost());
    if (!isOver && !isPaused && (unsentBytes > MOST_UNSENT_BYTES || isAllWritten)) {
      isPaused = true;
      room.pause();
    }
  }

  /** The client has gone; or it has not, and would take what follows for the whole. */
  private void lost() {
    if (!isOver) {
      cutOff();
    }
  }

  /** Some bytes have left. */
  private void left(int bytes) {
    unsentBytes -= bytes;
    if (isOver) {
      return;
    }
    if (isAllWritten && unsentBytes == 0) {
      end();
    } else if (isPaused) {
      room.taken();
      if (!isAllWritten && !isWaiting && unsentBytes <= MOST_UNSENT_BYTES / 2) {
        resume();
      }
    }
  }

  private void resume() {
    isWaiting = !room.resume(pieces.pageBytes());
    if (!isWaiting) {
      isPaused = false;
      write();
    }
  }

  /** There is room again. */
  void goOn() {
    if (isWaiting) {
      isWaiting = false;
      isPaused = false;
      write();
    }
  }

  private void fail(Throwable failure) {
    if (!isOver) {
      LOG.warn("a history answer was cut off: {}", failure.getMessage());
      cutOff();
    }
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
