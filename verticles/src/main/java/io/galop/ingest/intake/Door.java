package io.galop.ingest.intake;

import io.vertx.core.Future;

/** Where records enter on one event loop. */
public interface Door {
  /** Lets records in. */
  Future<Void> open();

  /** Lets no more in; succeeds when what came in is answered. */
  Future<Void> close();
}
