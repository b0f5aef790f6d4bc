package io.galop.persist.history;

import io.galop.json.JsonOmit;
import io.galop.json.TextBytes;
import io.galop.record.Placed;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/**
 * The answers of all nodes as one text, in order and each record once, whichever of its attempts
 * nodes have, piece by piece.
 */
final class Rendering {
  private static final int CHUNK_BYTES = 64 * 1024;

  /** What the last record of a piece may take beyond it, as most do. */
  private static final int SPARE_BYTES = 4 * 1024;

  /** What one answer may cost where a view leaves few records of many. */
  private static final int MOST_PASSED_OVER = 200_000;

  private static final String TOO_MANY =
      "the viewer's maxRate leaves few of more than %,d records; ask for a shorter time"
          .formatted(MOST_PASSED_OVER);

  private final HistoryRequest request;
  private final List<NodeAnswer> answers;
  private final Order order;
  private final Attempts attempts = new Attempts();
  private final JsonOmit omit;
  private final boolean isPart;
  private final Thinning thinning;
  private int passedOver;
  private TextBytes chunk = new TextBytes(CHUNK_BYTES + SPARE_BYTES);
  private int written;
  private boolean hasEnded;

  Rendering(HistoryRequest request, List<NodeAnswer> answers) {
    this.request = request;
    this.answers = answers;
    this.order = new Order(request.query().newestFirst());
    this.omit = new JsonOmit(request.view().omit());
    this.isPart = !request.view().omit().isEmpty();
    this.thinning = Thinning.of(request.view());
    answers.forEach(this::learn);
  }

  private void learn(NodeAnswer answer) {
    answer.page().forEach(attempts::learn);
  }

  /** Whether this was all. */
  boolean hasEnded() {
    return hasEnded;
  }

  /**
   * The next page that must be known before anything else can be written.
   *
   * @return empty where {@link #next} goes on
   */
  Optional<Future<Void>> waiting() {
    if (!hasEnded && written < request.query().limit()) {
      for (NodeAnswer answer : answers) {
        if (answer.mustLoad() && passedOver > MOST_PASSED_OVER) {
          return Optional.of(Future.failedFuture(TOO_MANY));
        }
        if (answer.mustLoad()) {
          return Optional.of(answer.load().onSuccess(loaded -> learn(answer)));
        }
      }
    }
    return Optional.empty();
  }

  /** Goes on to the end of a piece, or to where a page is missing. The piece may be empty. */
  Buffer next() {
    while (chunk.length() < CHUNK_BYTES && !hasEnded && !mustLoad()) {
      step();
    }
    Buffer piece = chunk.toBuffer();
    chunk = new TextBytes(hasEnded ? 0 : CHUNK_BYTES + SPARE_BYTES);
    return piece;
  }

  private boolean mustLoad() {
    if (written < request.query().limit()) {
      for (NodeAnswer answer : answers) {
        if (answer.mustLoad()) {
          return true;
        }
      }
    }
    return false;
  }

  private void step() {
    NodeAnswer first = null;
    for (NodeAnswer answer : answers) {
      if (answer.hasRecord() && (first == null || isBefore(answer, first))) {
        first = answer;
      }
    }
    if (first == null || written == request.query().limit()) {
      end();
    } else {
      append(first);
    }
  }

  private boolean isBefore(NodeAnswer a, NodeAnswer b) {
    return order.compare(Order.key(a.record()), Order.key(b.record())) < 0;
  }

  private void append(NodeAnswer from) {
    Placed placed = from.record();
    if (!attempts.takes(placed)) {
      from.repeat();
    } else if (!thinning.takes(placed.record())) {
      passedOver++;
      from.repeat();
    } else {
      if (!request.isLines()) {
        chunk.add(written == 0 ? '[' : ',');
      }
      byte[] data = placed.record().data();
      RecordJson.append(placed, isPart ? omit.of(data) : data, chunk);
      if (request.isLines()) {
        chunk.add('\n');
      }
      written++;
      from.advance();
    }
  }

  private void end() {
    hasEnded = true;
    if (!request.isLines()) {
      if (written == 0) {
        chunk.add('[');
      }
      chunk.add(']');
    }
  }
}
