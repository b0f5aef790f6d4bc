package io.galop.persist.sink;

import io.galop.record.Placed;
import io.vertx.core.Future;

/** Where records go that a store calls bad. */
public interface DeadLetters {

  /**
   * Keeps a record that a store does not take.
   *
   * @param store the store's name
   * @param why what the store said
   * @return completes when it is kept for good; the sink goes on only then. Fails, saying what to
   *     do, where it can be kept nowhere: then the sink stays and tries again
   */
  Future<Void> send(Placed placed, String store, String why);

  /** By when what {@link #send} returns should have ended, however impatient the sink is. */
  default long longestMs() {
    return 30_000;
  }
}
