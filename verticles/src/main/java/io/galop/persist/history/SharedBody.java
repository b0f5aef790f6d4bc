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
  private long bytes;
  private Consumer<ByteBuf> onWhole;
  private Consumer<Rendering> onTooLong;
  private Consumer<Throwable> onFailure;

  SharedBody(HistoryRequest request, List<NodeAnswer> answers, AnswerCache.Lead lead) {
    this.rendering = new Rendering(request, answers);
    this.lead = lead;
  }

  /**
   * Gathers, and ends the flight.
   *
   * @param whole gets the body, to be released once
   * @param tooLong goes on with an answer that there is no room for, from its beginning
   * @param failed is told if there is no answer
   */
  void gather(Consumer<ByteBuf> whole, Consumer<Rendering> tooLong, Consumer<Throwable> failed) {
    this.onFailure = failed;
    this.onWhole = whole;
    this.onTooLong = tooLong;
    goOn();
  }

  private void goOn() {
    rendering
        .waiting()
        .ifPresentOrElse(
            page -> page.onSuccess(loaded -> guarded()).onFailure(this::fail), this::guarded);
  }

  /** Whatever happens: those who wait are not left waiting. */
  private void guarded() {
    try {
      piece();
    } catch (RuntimeException | OutOfMemoryError e) {
      fail(e);
    }
  }

  private void fail(Throwable failure) {
    LOG.warn("an answer about the past failed", failure);
    lead.giveUp();
    onFailure.accept(failure);
  }

  private void piece() {
    Buffer piece = rendering.next();
    pieces.add(piece);
    bytes += piece.length();
    if (!lead.hasRoom(bytes)) {
      lead.giveUp();
      Buffer all = Buffer.buffer((int) bytes);
      pieces.forEach(all::appendBuffer);
      rendering.prepend(all);
      onTooLong.accept(rendering);
    } else if (rendering.hasEnded()) {
      onWhole.accept(lead.end(pieces));
    } else {
      context.runOnContext(none -> goOn());
    }
  }
}
