package io.galop.enrich;

import io.galop.jvm.ErrorText;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a step's file holds, read on a worker at start and when the file has changed. A file that is
 * broken then is counted and leaves what was read before in use. Belongs to one event loop.
 */
final class WatchedFile<T> {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

  private final Vertx vertx;
  private final StepFile<T> file;
  private final long refreshMs;
  private final Function<T, String> size;
  private final Counter refreshFailures;

  @SuppressWarnings("NullAway.Init") // start reads it, before a record comes
  private T content;

  private boolean refreshing;
  private long timer = -1;

  /**
   * A file that is not read yet.
   *
   * @param refreshMs how often it is looked at, 0 for never
   * @param size says in a few words what was read, for the log
   */
  WatchedFile(
      Vertx vertx,
      StepFile<T> file,
      long refreshMs,
      Function<T, String> size,
      Counter refreshFailures) {
    this.vertx = vertx;
    this.file = file;
    this.refreshMs = refreshMs;
    this.size = size;
    this.refreshFailures = refreshFailures;
  }

  /** Reads the file; fails with a sentence that says what is wrong with it. */
  Future<Void> start() {
    return load()
        .onSuccess(
            loaded -> {
              if (refreshMs > 0) {
                timer = vertx.setPeriodic(refreshMs, id -> refresh());
              }
            });
  }

  /** What was read last. */
  T content() {
    return content;
  }

  private Future<Void> load() {
    return vertx
        .executeBlocking(file::load)
        .onSuccess(loaded -> content = loaded)
        .onSuccess(loaded -> LOG.info("{}: {}", file, size.apply(loaded)))
        .mapEmpty();
  }

  private void refresh() {
    if (refreshing) {
      return;
    }
    refreshing = true;
    vertx
        .executeBlocking(file::hasChanged)
        .compose(changed -> changed ? load() : Future.succeededFuture())
        .onFailure(this::keepOld)
        .onComplete(done -> refreshing = false);
  }

  private void keepOld(Throwable failure) {
    refreshFailures.increment();
    LOG.warn("{}; what was read before stays in use", ErrorText.of(failure));
  }

  void close() {
    vertx.cancelTimer(timer);
  }
}
