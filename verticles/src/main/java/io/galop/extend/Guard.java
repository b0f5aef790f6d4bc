package io.galop.extend;

import io.galop.config.VerticleConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;

/** Calls what a verticle has handed over: what it throws is logged in a sentence and counted. */
final class Guard {
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int ERRORS_A_SECOND = 10;

  private final Context context;
  private final Logger log;
  private final VerticleMeters meters;
  private Function<Throwable, String> describe = String::valueOf;
  private long behindSaid = System.nanoTime() - QUIET_NANOS;
  private long rejectedSaid = behindSaid;
  private long secondBegan = System.nanoTime();
  private int errorsThisSecond;
  private long swallowed;

  Guard(Context context, Logger log, VerticleMeters meters) {
    this.context = context;
    this.log = log;
    this.meters = meters;
  }

  Context context() {
    return context;
  }

  VerticleMeters meters() {
    return meters;
  }

  void describedBy(Program program) {
    describe = program::describe;
  }

  /** What is called has to be waited for if it answers with a Future; it never fails. */
  Future<?> call(Callable<?> call) {
    try {
      return call.call() instanceof Future<?> pending
          ? pending.onFailure(this::failed).otherwiseEmpty()
          : Future.succeededFuture();
    } catch (Throwable e) { // a verticle may throw anything, an OutOfMemoryError too
      failed(e);
      return Future.succeededFuture();
    }
  }

  void run(Runnable call) {
    call(
        () -> {
          call.run();
          return null;
        });
  }

  /** Logs so many failures a second; the others are counted. */
  synchronized void failed(Throwable failure) {
    meters.errors().increment();
    long now = System.nanoTime();
    if (now - secondBegan > TimeUnit.SECONDS.toNanos(1)) {
      secondBegan = now;
      errorsThisSecond = 0;
    }
    if (++errorsThisSecond > ERRORS_A_SECOND) {
      swallowed++;
      return;
    }
    if (swallowed > 0) {
      log.warn("{} more failures were not logged", swallowed);
      swallowed = 0;
    }
    log.error("{}", describe.apply(failure));
  }

  /** Counts a record that was not acknowledged, and says so now and then. */
  void rejected(NotPublished why) {
    meters.rejected(why.getReason());
    long now = System.nanoTime();
    if (now - rejectedSaid > QUIET_NANOS) {
      rejectedSaid = now;
      log.warn("what it publishes is rejected: {}", why.getMessage());
    }
  }

  /** Says now and then that records give way. */
  void behind(VerticleConfig config) {
    long now = System.nanoTime();
    if (now - behindSaid > QUIET_NANOS) {
      behindSaid = now;
      log.warn(
          "is too slow for what it consumes: over {} bytes wait, and records are dropped ({})",
          config.maxWaitingBytes(),
          config.overflow().word());
    }
  }
}
