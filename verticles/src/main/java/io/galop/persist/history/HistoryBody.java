package io.galop.persist.history;

import io.galop.persist.cold.ColdKey;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the answers of all nodes as one, in order and each record once, as fast as the client
 * reads. Where a node fails in the middle the connection is cut, so that nobody takes what has been
 * sent for the whole.
 */
final class HistoryBody {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryBody.class);
  private static final int CHUNK_BYTES = 64 * 1024;

  private final HttpServerResponse response;
  private final HistoryRequest request;
  private final List<NodeAnswer> answers;
  private final Order order;
  private final Optional<AnswerCache.Asked> asked;
  private List<Buffer> kept = new ArrayList<>();
  private long keptBytes;
  private Buffer chunk = Buffer.buffer(CHUNK_BYTES);
  private Optional<ColdKey> last = Optional.empty();
  private int written;

  /**
   * @param asked where the whole answer may be kept for others
   */
  HistoryBody(
      HttpServerResponse response,
      HistoryRequest request,
      List<NodeAnswer> answers,
      Optional<AnswerCache.Asked> asked) {
    this.asked = asked;
    this.response = response;
    this.request = request;
    this.answers = answers;
    this.order = new Order(request.query().newestFirst());
  }

  /** Writes on until the end, or until the client is behind or a node has to be asked. */
  void write() {
    while (!response.closed() && !response.ended()) {
      if (chunk.length() >= CHUNK_BYTES && !flush()) {
        response.drainHandler(drained -> write());
        return;
      }
      if (written == request.query().limit()) {
        end();
      } else if (isWaiting()) {
        return;
      } else {
        step();
      }
    }
  }

  /** Asks for the next page where it must be known before anything else can be written. */
  private boolean isWaiting() {
    for (NodeAnswer answer : answers) {
      if (answer.mustLoad()) {
        answer.load().onSuccess(loaded -> write()).onFailure(this::cut);
        return true;
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
    if (first == null) {
      end();
    } else {
      append(first);
    }
  }

  private boolean isBefore(NodeAnswer a, NodeAnswer b) {
    return order.compare(Order.key(a.record()), Order.key(b.record())) < 0;
  }

  private void append(NodeAnswer from) {
    ColdKey key = Order.key(from.record());
    if (last.filter(key::equals).isEmpty()) {
      String before = written == 0 ? "[" : ",";
      chunk.appendString(request.isLines() ? "" : before);
      RecordJson.append(from.record(), chunk);
      chunk.appendString(request.isLines() ? "\n" : "");
      last = Optional.of(key);
      written++;
    }
    from.advance();
  }

  private boolean flush() {
    keep();
    response.write(chunk);
    chunk = Buffer.buffer(CHUNK_BYTES);
    return !response.writeQueueFull();
  }

  private void end() {
    if (!request.isLines()) {
      chunk.appendString(written == 0 ? "[]" : "]");
    }
    keep();
    asked.filter(cache -> keptBytes <= cache.mostBytes()).ifPresent(cache -> cache.keep(kept));
    response.end(chunk);
  }

  private void keep() {
    keptBytes += chunk.length();
    if (asked.filter(cache -> keptBytes <= cache.mostBytes()).isPresent()) {
      kept.add(chunk);
    } else {
      kept = List.of();
    }
  }

  private void cut(Throwable failure) {
    LOG.warn("an answer about the past was cut: {}", failure.getMessage());
    response.reset();
  }
}
