package io.galop.persist.history;

import io.netty.buffer.ByteBuf;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers a whole answer for all who wait for it, at the pace of this node and not of a client, and
 * with a break for others after every piece.
 */
final class SharedBody {
  private static final Logger LOG = LoggerFactory.getLogger(SharedBody.class);
  private final Rendering rendering;
  private final AnswerCache.Lead lead;
  private final Context context = Vertx.currentContext();
  private final List<Buffer> pieces = new ArrayList<>();
  private final Consumer<ByteBuf> onWhole;
  private final Consumer<List<Buffer>> onNoRoom;
  private final Consumer<Throwable> onFailure;

  /**
   * For one search.
   *
   * @param whole gets the body, to be released once
   * @param noRoom gets the beginning of an answer that there is no room for, and goes on with it;
   *     it must give the lead up when that beginning has left
   * @param failed is told if there is no answer
   */
  SharedBody(
      Rendering rendering,
      AnswerCache.Lead lead,
      Consumer<ByteBuf> whole,
      Consumer<List<Buffer>> noRoom,
      Consumer<Throwable> failed) {
    this.rendering = rendering;
    this.lead = lead;
    this.onFailure = failed;
    this.onWhole = whole;
    this.onNoRoom = noRoom;
  }

  /** Gathers, and ends the flight. */
  void gather() {
    goOn();
  }

  private void goOn() {
    guarded(
        () ->
            rendering
                .waiting()
                .ifPresentOrElse(
                    page -> page.onSuccess(loaded -> guarded(this::piece)).onFailure(this::fail),
                    this::piece));
  }

  /** Whatever happens: those who wait are not left waiting. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      fail(e);
    }
  }

  private void fail(Throwable failure) {
    LOG.warn("a history answer failed", failure);
    rendering.close();
    lead.giveUp();
    onFailure.accept(failure);
  }

  private void piece() {
    Buffer piece = rendering.next();
    pieces.add(piece);
    if (!lead.take(piece.length())) {
      lead.goOnAlone();
      onNoRoom.accept(pieces);
    } else if (rendering.hasEnded()) {
      onWhole.accept(lead.end(pieces));
    } else {
      context.runOnContext(none -> goOn());
    }
  }
}
