package io.galop.persist.sink;

import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;

/**
 * How many records a batch may have just now. A store that is too slow for a whole batch would be
 * sent the same one for ever and store nothing: after each answer that did not come in time batches
 * are half as large. They grow by an eighth when many were stored, no sooner: an attempt that fails
 * costs all that the cursor has not passed, so there must be more of the others. Lives on the
 * sink's thread.
 */
final class BatchSize {
  private static final int GROWS_AFTER = 100;

  private final int most;
  private int records;
  private int stored;

  BatchSize(int most) {
    this.most = most;
    this.records = most;
  }

  int records() {
    return records;
  }

  /** An attempt has failed. */
  void onFailure(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException || cause instanceof SocketTimeoutException) {
        records = Math.max(1, records / 2);
        stored = 0;
        return;
      }
    }
  }

  /** A batch is stored. */
  void onStored() {
    if (records < most && ++stored == GROWS_AFTER) {
      stored = 0;
      records = Math.min(most, records + Math.max(1, records / 8));
    }
  }
}
