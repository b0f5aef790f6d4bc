package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answers of all nodes as one: in order and each record once, whichever of its attempts nodes
 * have, and only what the view leaves. On one thread at a time; pages are loaded on the event loop.
 */
final class Merged {
  /** What one answer may cost where a view leaves few records of many. */
  private static final int MOST_PASSED_OVER = 200_000;

  private static final String TOO_MANY =
      "the viewer's maxRate, or records of the same time as 'after', leave few of very many"
          + " records; ask for a shorter time";

  private final List<NodeAnswer> answers;
  private final Optional<ColdKey> after;
  private final Order order;
  private final Attempts attempts = new Attempts();
  private final boolean isRolled;
  private final Thinning thinning;
  private final int limit;
  private final int mostPassedOver;
  private int passedOver;
  private int taken;

  /**
   * Of pages of records that are loaded.
   *
   * @param limit how many records are taken at most
   */
  Merged(HistoryRequest request, List<NodeAnswer> answers, int limit) {
    this(request, new PartAnswers(answers, false), limit);
  }

  /** The same, of records or of rows: of these two nodes' next to each other are the same one. */
  Merged(HistoryRequest request, PartAnswers part, int limit) {
    HistoryQuery query = request.query();
    this.answers = part.answers();
    this.isRolled = part.isRolled();
    this.after = request.shape().isComputed() ? Optional.empty() : request.after();
    this.order = new Order(query.newestFirst());
    this.thinning = Thinning.of(request.view());
    this.limit = limit;
    this.mostPassedOver = request.shape().isComputed() ? limit : MOST_PASSED_OVER;
    answers.forEach(this::learn);
  }

  private void learn(NodeAnswer answer) {
    if (!isRolled) {
      answer.page().forEach(attempts::learn);
    }
  }

  /** How many records were taken. */
  int taken() {
    return taken;
  }

  /** Whether as many were taken as may be: there may be more. */
  boolean isFull() {
    return taken == limit;
  }

  /**
   * The next page that must be known before anything else can be taken.
   *
   * @return empty where {@link #take} goes on
   */
  Optional<Future<Void>> waiting() {
    for (NodeAnswer answer : answers) {
      if (!isFull() && answer.mustLoad()) {
        return Optional.of(
            passedOver > mostPassedOver
                ? Future.failedFuture(TOO_MANY)
                : answer.load().onSuccess(loaded -> learn(answer)));
      }
    }
    return Optional.empty();
  }

  /** Whether {@link #waiting} has a page to wait for. */
  boolean mustLoad() {
    for (NodeAnswer answer : answers) {
      if (!isFull() && answer.mustLoad()) {
        return true;
      }
    }
    return false;
  }

  /** Lets go of all pages; {@link #waiting} gets them again. */
  void setPagesAside() {
    answers.forEach(NodeAnswer::setAside);
    attempts.forgetUnwritten();
  }

  /** Bytes of all pages. */
  long heldBytes() {
    return answers.stream().mapToLong(NodeAnswer::bytes).sum();
  }

  /** How many nodes are asked. */
  int nodes() {
    return answers.size();
  }

  /** The next record; null if a page must be loaded first, or at the end. */
  @Nullable Placed take() {
    while (!isFull() && !mustLoad()) {
      NodeAnswer first = first();
      if (first == null) {
        return null;
      }
      if (isRolled) {
        return takeRow(first);
      }
      Placed placed = first.record();
      if (!attempts.takes(placed)) {
        first.repeat();
      } else if (!thinning.takes(placed.record()) || isShown(placed)) {
        passedOver++;
        first.repeat();
      } else {
        taken++;
        first.advance();
        return placed;
      }
    }
    return null;
  }

  /** Of several nodes' rows with the same key the one with the first Position. */
  private Placed takeRow(NodeAnswer first) {
    Placed row = first.record();
    for (NodeAnswer other : answers) {
      if (other != first && other.hasRecord() && isSame(row, other.record())) {
        row = other.record().position().compareTo(row.position()) < 0 ? other.record() : row;
        other.repeat();
      }
    }
    taken++;
    first.advance();
    return row;
  }

  private boolean isSame(Placed a, Placed b) {
    return order.compare(Order.key(a), Order.key(b)) == 0;
  }

  private boolean isShown(Placed placed) {
    return after.filter(key -> order.compare(Order.key(placed), key) <= 0).isPresent();
  }

  private @Nullable NodeAnswer first() {
    NodeAnswer first = null;
    for (NodeAnswer answer : answers) {
      if (answer.hasRecord() && (first == null || isBefore(answer, first))) {
        first = answer;
      }
    }
    return first;
  }

  private boolean isBefore(NodeAnswer a, NodeAnswer b) {
    return order.compare(Order.key(a.record()), Order.key(b.record())) < 0;
  }
}
