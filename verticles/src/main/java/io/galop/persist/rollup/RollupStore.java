package io.galop.persist.rollup;

import io.galop.config.persist.RollupConfig;
import io.galop.persist.log.file.LogPosition;
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
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
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
  private static final String KEPT = "kept";
  private static final String LOST = "lost";

  private final RollupConfig config;
  private final RollupRules rules;
  private final RollupFile file;
  private final OpenBlocks blocks;
  private final RollupReader reader;
  private final Supplier<Optional<LogPosition>> freed;
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
  private volatile Map<RollupRules.Part, Long> sinceUs = Map.of();
  private volatile int openings;

  /** What is before was deleted for its age or size, or lost; in microseconds since 1970. */
  private volatile long keptUs = Long.MIN_VALUE;

  private volatile long lostUs = Long.MIN_VALUE;

  /** A batch that is in memory. */
  private record Pending(Promise<Integer> answer, int records) {}

  /**
   * Nothing is opened yet.
   *
   * @param freed where the Log begins; empty if it has everything that was ever written to it
   */
  RollupStore(
      Path path, RollupConfig config, Supplier<Optional<LogPosition>> freed, LongSupplier nowMs) {
    this.config = config;
    this.rules = new RollupRules(config.rules());
    this.file = new RollupFile(path);
    this.blocks = new OpenBlocks(rules);
    this.reader = new RollupReader(file, blocks);
    this.freed = freed;
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
              close(e); // what was begun on a connection that failed is not known
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
    progress = stored.orElseGet(LogProgress::new);
    boolean hasAll = stored.isEmpty() && freed.get().isEmpty();
    Optional<LogPosition> lost = progress.cursor().filter(this::isFreed);
    if (lost.isPresent()) {
      forget(fresh, "records behind " + lost.get() + " are in the Log no more");
    }
    sinceUs = fresh.cover(rules.parts(), hasAll ? Long.MIN_VALUE : beginUs());
    keptUs = fresh.bound(KEPT);
    lostUs = fresh.bound(LOST);
    return progress.cursor();
  }

  private boolean isFreed(LogPosition cursor) {
    return freed.get().filter(first -> cursor.segment() < first.segment()).isPresent();
  }

  /** From now on all rules are new, and answers about the time before say that they lack some. */
  private void forget(RollupWriter open, String why) throws SQLException {
    LOG.warn("roll-ups begin anew in {}: {}", file.path(), why);
    open.bound(LOST, beginUs());
    open.forgetParts();
  }

  private long beginUs() {
    return minute(TimeUnit.MILLISECONDS.toMicros(nowMs.getAsLong()) + BEGIN_US);
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
    for (Placed placed : batch.records()) {
      if (!progress.has(placed.position())) {
        blocks.add(placed, open);
        progress.add(placed.position());
      }
    }
    hasWritten = true;
    pending.add(new Pending(answer, batch.records().size()));
    pendingBytes += batch.bytes();
    boolean isFull = pendingBytes >= MOST_PENDING_BYTES || blocks.heapBytes() >= config.heapBytes();
    if (isFull || isStopping) {
      flush();
    } else if (!isDue) {
      isDue = true;
      thread.schedule(this::flushInTime, config.flushMs(), TimeUnit.MILLISECONDS);
    }
    return true;
  }

  private RollupWriter open() throws Exception {
    RollupWriter open = writer;
    if (open == null) {
      throw RollupWriter.closed();
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
    checkInPlace();
    open().write(blocks.changes(), log, progress);
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
    return call(() -> save(upTo));
  }

  private @Nullable Void save(LogPosition upTo) throws Exception {
    RollupWriter open = open();
    boolean isBack = progress.isBeyond(upTo);
    if (isBack && hasWritten) {
      return null;
    }
    if (isBack) {
      open.empty();
      blocks.clear();
      forget(open, "an older copy of the Log was restored");
      sinceUs = open.cover(rules.parts(), beginUs());
      lostUs = open.bound(LOST);
      keptUs = Long.MIN_VALUE;
      progress = new LogProgress();
    }
    progress.moveTo(upTo);
    flush();
    return null;
  }

  /** Of a store that a failure has closed, it has the sink open it again: nothing else might. */
  @Override
  public Future<Boolean> trim(LongUnaryOperator clock) {
    return call(() -> trim(open(), clock));
  }

  private boolean trim(RollupWriter open, LongUnaryOperator clock) throws SQLException {
    long hourMs = TimeUnit.HOURS.toMillis(1);
    long keptMs = TimeUnit.HOURS.toMillis(config.retentionHours());
    long before = Long.MIN_VALUE;
    if (config.retentionHours() > 0) {
      before = Math.floorDiv(clock.applyAsLong(keptMs) - keptMs, hourMs);
    }
    OptionalLong first = open.firstHour();
    if (first.isEmpty()) {
      return false;
    }
    boolean isPast = first.getAsLong() < Math.floorDiv(nowMs.getAsLong(), hourMs);
    if (config.maxBytes() > 0 && isPast && open.usedBytes() > config.maxBytes()) {
      before = Math.max(before, first.getAsLong() + 1);
    }
    if (first.getAsLong() >= before) {
      return false;
    }
    keptUs = Math.max(keptUs, before * BlockKey.HOUR_US);
    open.bound(KEPT, keptUs); // first: what is deleted is made of records from here on
    return open.deleteBefore(before);
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
   * empty if they are not, or not now. From any thread.
   */
  OptionalLong since(TopicFilter filter, List<String> fields) {
    OptionalLong since = rules.since(filter, fields, sinceUs);
    return since.isEmpty() ? since : OptionalLong.of(Math.max(since.getAsLong(), keptUs));
  }

  /** Whether rules mean all of that, whatever is here now. From any thread. */
  boolean isMeant(TopicFilter filter, List<String> fields) {
    return rules.mean(filter, fields);
  }

  /** Before this some values were here and are no more; {@link Long#MIN_VALUE} if none were. */
  long lostUs() {
    return lostUs;
  }

  /** Another number whenever it was opened again: then memory has lost what the file lacked. */
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
