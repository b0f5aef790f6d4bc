package io.galop.enrich.step;

import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * A step of the chain: each record becomes zero, one or more. Used on one event loop; lists of
 * several shards and strands may be under way at once, two with records of the same raw topic
 * never.
 */
public interface Enricher {

  /**
   * Enriches records and keeps their order. The answer comes at once where nothing has to be waited
   * for, so that a step costs one Future for a list and none for a record.
   *
   * @param records not to be changed
   * @param tally is told of each record of the step's topics before the answer is there
   * @return what became of them. A record that the step cannot take becomes a {@link DeadLetter},
   *     the others go on; a failure means that the step itself is broken
   */
  Future<List<Record>> enrich(List<Record> records, StepTally tally);

  /**
   * The topics for which the answer may come later, so that others need not wait for it; none where
   * it always comes at once. The same for as long as the step lives.
   */
  default Optional<Scope> lateScope() {
    return Optional.empty();
  }

  /** Told of records that are soon going to be enriched, to begin with what takes time. */
  default void prefetch(List<Record> records) {}

  /** Makes the step ready; fails with a sentence that says what to do. */
  default Future<Void> start() {
    return Future.succeededFuture();
  }

  /** Gives back what the step holds. */
  default Future<Void> close() {
    return Future.succeededFuture();
  }
}
