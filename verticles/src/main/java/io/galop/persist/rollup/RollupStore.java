package io.galop.persist.rollup;

import io.galop.config.persist.RollupConfig;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.rollup.RollupRules.Part;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.LogProgress;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the values of records to the minutes that they are of. A batch is in memory at once, where
 * questions see it, and is answered when the file has it: many batches are written together, since
 * each adds a little to the same blocks. So the Log keeps what a crash would take away, and after
 * one the sink brings it again. Invariant: a record's values are in the file if and only if the
 * {@link LogProgress} that was committed with them has its Position.
 *
 * <p>All that writes is done on one thread.
 */
final class RollupStore implements Store {
  private static final Logger LOG = LoggerFactory.getLogger(RollupStore.class);

  /** What may wait to be written, of what the sink lets wait. */
  static final int MOST_PENDING_BYTES = 8 << 20;

  /** A rule that comes while records do counts from the minute after the next. */
  private static final long BEGIN_US = 2 * BlockKey.MINUTE_US;

  private static final long LONGEST_CLOSE_S = 5;

  private final RollupConfig config;
  private final RollupRules rules;
  private final RollupFile file;
  private final OpenBlocks blocks;
  private final RollupReader reader;
  private final BooleanSupplier isLogWhole;
  private final LongSupplier nowMs;
  private final ScheduledThreadPoolExecutor thread;
  private final List<Pending> pending = new ArrayList<>();
  private long pendingBytes;
  private boolean isDue;
  private volatile boolean isStopping;
  private long log;
  private LogProgress progress = new LogProgress();
  private boolean hasWritten;
  private @Nullable Object opened;
  private @Nullable RollupWriter writer;
  private volatile Map<Part, Long> sinceUs = Map.of();
  private volatile int openings;

  /** A batch that is in memory. */
  private record Pending(Promise<Integer> answer, int records) {}

  /**
   * Nothing is opened yet.
   *
   * @param isLogWhole whether the Log has everything that was ever written to it
   */
  RollupStore(Path path, RollupConfig config, BooleanSupplier isLogWhole, LongSupplier nowMs) {
    this.config = config;
    this.rules = new RollupRules(config.rules());
    this.file = new RollupFile(path);
    this.blocks = new OpenBlocks(rules);
    this.reader = new RollupReader(file, blocks);
    this.isLogWhole = isLogWhole;
    this.nowMs = nowMs;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, "galop-rollups");
              made.setDaemon(true);
              return made;
            });
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private <T> Future<T> call(Callable<T> work) {
    Promise<T> done = Promise.promise();
    try {
      thread.execute(
          () -> {
            try {
              done.complete(work.call());
            } catch (Exception | Error e) {
              done.fail(e);
            }
          });
    } catch (RejectedExecutionException e) {
      done.fail(e);
    }
    return done.future();
  }

  @Override
  public Future<Optional<LogPosition>> open(long log) {
    return call(() -> reopen(log));
  }

  private Optional<LogPosition> reopen(long log) throws Exception {
    close(new IllegalStateException("the store is opened again"));
    reader.reset();
    RollupWriter fresh = new RollupWriter(file);
    writer = fresh;
    opened = file.identity();
    this.log = log;
    hasWritten = false;
    Optional<LogProgress> stored = fresh.progress(log);
    boolean hasAll = stored.isEmpty() && isLogWhole.getAsBoolean();
    long begin = TimeUnit.MILLISECONDS.toMicros(nowMs.getAsLong()) + BEGIN_US;
    sinceUs = fresh.cover(rules.parts(), hasAll ? Long.MIN_VALUE : minute(begin));
    progress = stored.orElseGet(LogProgress::new);
    return progress.cursor();
  }

  private static long minute(long timeUs) {
    return Math.floorDiv(timeUs, BlockKey.MINUTE_US) * BlockKey.MINUTE_US;
  }

  @Override
  public Future<Integer> write(StoreBatch batch) {
    Promise<Integer> answer = Promise.promise();
    call(() -> add(batch, answer)).onFailure(answer::tryFail);
    return answer.future();
  }

  private boolean add(StoreBatch batch, Promise<Integer> answer) throws Exception {
    RollupWriter open = open();
    try {
      for (Placed placed : batch.records()) {
        if (!progress.has(placed.position())) {
          blocks.add(placed, open);
          progress.add(placed.position());
        }
      }
      hasWritten = true;
      pending.add(new Pending(answer, batch.records().size()));
      pendingBytes += batch.bytes();
      boolean isFull =
          pendingBytes >= MOST_PENDING_BYTES || blocks.heapBytes() >= config.heapBytes();
      if (isFull || isStopping) {
        flush();
      } else if (!isDue) {
        isDue = true;
        thread.schedule(this::flushInTime, config.flushMs(), TimeUnit.MILLISECONDS);
      }
      return true;
    } catch (Exception | Error e) {
      close(e);
      throw e;
    }
  }

  private RollupWriter open() {
    RollupWriter open = writer;
    if (open == null) {
      throw new IllegalStateException("the store is not open");
    }
    return open;
  }

  private void flushInTime() {
    isDue = false;
    try {
      if (writer != null) {
        flush();
      }
    } catch (Exception | Error e) {
      close(e); // the sink is told by its batches, and opens the store again
    }
  }

  private void flush() throws Exception {
    if (pending.isEmpty()) {
      return;
    }
    checkInPlace();
    open().write(blocks.changes(), log, progress, nowMs.getAsLong() / TimeUnit.HOURS.toMillis(1));
    blocks.onWritten(config.heapBytes() / 2);
    List<Pending> written = List.copyOf(pending);
    pending.clear();
    pendingBytes = 0;
    written.forEach(one -> one.answer().tryComplete(one.records()));
  }

  /** What the file held is gone with it. */
  private void checkInPlace() throws SQLException {
    if (opened != null && !opened.equals(file.identity())) {
      throw new SQLException("the file " + file.path() + " was deleted or replaced");
    }
  }

  /** Whatever failed on a connection, what it has begun is not known. On the store's thread. */
  private void abandon(Throwable why) {
    if (writer != null) {
      close(why);
    }
  }

  /** Nobody knows any more what is in memory only. */
  private void close(Throwable why) {
    openings = openings + 1;
    sinceUs = Map.of(); // until it is opened again and the sink has caught up
    blocks.clear();
    List<Pending> lost = List.copyOf(pending);
    pending.clear();
    pendingBytes = 0;
    lost.forEach(one -> one.answer().tryFail(why));
    RollupWriter before = writer;
    writer = null;
    if (before != null) {
      try {
        before.close();
      } catch (SQLException e) {
        LOG.debug("closing {} failed", file.path(), e);
      }
    }
  }

  /**
   * A step back before the first batch says that an older copy of the Log was restored: its
   * Positions mean other records from now on, so what was counted of the lost ones cannot be told
   * from those. All begins anew.
   */
  @Override
  public Future<Void> saveCursor(long log, LogPosition upTo) {
    return this.<Void>call(
            () -> {
              RollupWriter open = open();
              if (progress.isBeyond(upTo)) {
                if (hasWritten) {
                  return null;
                }
                LOG.warn("the Log was set back, so roll-ups begin anew in {}", file.path());
                open.empty();
                blocks.clear();
                long begin = TimeUnit.MILLISECONDS.toMicros(nowMs.getAsLong()) + BEGIN_US;
                sinceUs = open.cover(rules.parts(), minute(begin));
                progress = new LogProgress();
              }
              progress.moveTo(upTo);
              if (pending.isEmpty()) {
                open.write(Map.of(), log, progress, 0);
              } else {
                flush();
              }
              return null;
            })
        .onFailure(this::abandon);
  }

  @Override
  public Future<Boolean> trim(LongUnaryOperator clock) {
    return call(() -> {
          long keptMs = TimeUnit.HOURS.toMillis(config.retentionHours());
          long before =
              config.retentionHours() == 0
                  ? Long.MIN_VALUE
                  : (clock.applyAsLong(keptMs) - keptMs) / TimeUnit.HOURS.toMillis(1);
          boolean isBounded = config.retentionHours() > 0 || config.maxBytes() > 0;
          return isBounded && open().trim(before, config.maxBytes());
        })
        .onFailure(this::abandon);
  }

  /** Its rows are no records. */
  @Override
  public boolean isAsked() {
    return false;
  }

  @Override
  public Future<ColdPage> query(ColdQuery query) {
    return Future.succeededFuture(new ColdPage(List.of(), Optional.empty()));
  }

  /**
   * From when on all values of some fields of some topics are here, in microseconds since 1970;
   * empty if they are not. From any thread.
   */
  public OptionalLong since(TopicFilter filter, List<String> fields) {
    return rules.since(filter, fields, sinceUs);
  }

  /** Another number whenever it has begun anew: then memory has lost what the file lacks. */
  int openings() {
    return openings;
  }

  /** Succeeds when all batches that were written before are in what questions see. */
  Future<Void> settled() {
    return call(() -> null);
  }

  /** Answers with rows. From any thread. */
  public RollupReader reader() {
    return reader;
  }

  @Override
  public void stopping() {
    isStopping = true;
    call(
        () -> {
          flushInTime();
          return null;
        });
  }

  @Override
  public void close() {
    call(
        () -> {
          close(new IllegalStateException("the store is closed"));
          return null;
        });
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LONGEST_CLOSE_S, TimeUnit.SECONDS)) {
        LOG.warn("the file {} does not answer; its thread is abandoned", file.path());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    reader.close();
  }
}
