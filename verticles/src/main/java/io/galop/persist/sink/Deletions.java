package io.galop.persist.sink;

import io.micrometer.core.instrument.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How it goes with what is too old for a store. Each second some is deleted, so that it fails is
 * logged once when it begins and once when it ends, however often the sink begins again in between.
 * On the sink's thread.
 */
final class Deletions {
  private static final Logger LOG = LoggerFactory.getLogger(Deletions.class);
  private final String store;
  private final Counter failures;
  private boolean isFailing;

  Deletions(String store, Counter failures) {
    this.store = store;
    this.failures = failures;
  }

  void onDone() {
    if (isFailing) {
      isFailing = false;
      LOG.info("old records of {} are deleted again", store);
    }
  }

  void onFailed(Throwable failure) {
    failures.increment();
    if (!isFailing) {
      isFailing = true;
      LOG.warn("old records of {} cannot be deleted: {}", store, StoreFailure.inOneLine(failure));
    }
  }
}
