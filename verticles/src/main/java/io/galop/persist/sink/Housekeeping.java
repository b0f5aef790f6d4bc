package io.galop.persist.sink;

import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.ReopenException;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;

/**
 * Saves the cursor in the store and deletes what is too old, one at a time and beside the batches.
 * On the sink's thread.
 */
final class Housekeeping {
  private static final long SAVE_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long TRIM_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(1_000);
  private final SinkSetup setup;
  private final Deletions deletions;
  private LogPosition saved;
  private LogPosition saving;
  private Future<Void> save = Future.succeededFuture();
  private Future<Boolean> trim = Future.succeededFuture(false);
  private long savedNs = System.nanoTime() - SAVE_EVERY_NS;
  private long trimmedNs = System.nanoTime() - TRIM_EVERY_NS;
  private long saveStartedNs;
  private long trimStartedNs;
  private boolean isTrimming;

  Housekeeping(SinkSetup setup, Deletions deletions, LogPosition saved) {
    this.setup = setup;
    this.deletions = deletions;
    this.saved = saved;
    this.saving = saved;
  }

  /** The store has kept the cursor with a batch. */
  void onSaved(LogPosition position) {
    saved = position.compareTo(saved) > 0 ? position : saved;
  }

  /**
   * Does what is due.
   *
   * @param isIdle nothing is under way, so what was reached may be saved at once
   */
  void tick(LogPosition reached, boolean isIdle) throws StoreFailure {
    checkStuck();
    long now = System.nanoTime();
    if (save.isComplete() && reached.compareTo(saved) > 0) {
      if (now - savedNs >= (isIdle ? SAVE_EVERY_NS / 4 : SAVE_EVERY_NS)) {
        savedNs = now;
        save(reached);
      }
    }
    if (!isTrimming && (isMore() || now - trimmedNs >= TRIM_EVERY_NS)) {
      trimmedNs = now;
      trimStartedNs = now;
      isTrimming = true;
      trim = setup.store().trim(setup.clock());
    }
  }

  private void checkStuck() throws StoreFailure {
    if (save.failed()) {
      throw new StoreFailure(save.cause());
    }
    if (save.isComplete()) {
      saved = saving.compareTo(saved) > 0 ? saving : saved;
    }
    if (isTrimming && trim.isComplete()) {
      isTrimming = false;
      onTrimmed();
    }
    if (isStuck(save, saveStartedNs) || isStuck(trim, trimStartedNs)) {
      throw new StoreFailure(new IllegalStateException("the store does not answer"));
    }
  }

  private void onTrimmed() throws StoreFailure {
    if (trim.succeeded()) {
      deletions.onDone();
    } else if (trim.cause() instanceof ReopenException unknown) {
      throw new StoreFailure(unknown);
    } else {
      deletions.onFailed(trim.cause());
    }
  }

  private boolean isStuck(Future<?> answer, long sinceNs) {
    long waitedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs);
    return !answer.isComplete() && waitedMs > 2 * setup.config().timeoutMs();
  }

  private boolean isMore() {
    return Boolean.TRUE.equals(trim.result());
  }

  /** Saves a cursor, unless the store has it; after one that is being saved, never beside it. */
  Future<Void> save(LogPosition reached) {
    if (save.isComplete() && reached.equals(saved)) {
      return Future.succeededFuture();
    }
    saving = reached;
    saveStartedNs = System.nanoTime();
    save = save.transform(before -> setup.store().saveCursor(setup.log().id(), reached));
    return save;
  }
}
