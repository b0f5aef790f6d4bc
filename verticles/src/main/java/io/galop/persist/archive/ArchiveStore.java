package io.galop.persist.archive;

import io.galop.config.FileFault;
import io.galop.config.persist.ArchiveConfig;
import io.galop.jvm.ErrorText;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.BlockingStore;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.ReopenException;
import io.galop.persist.store.StoreBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that get each record of a Log once. Invariant: a record is in a file, or in what counts of
 * an unfinished one, if and only if the {@link ArchiveState} that was committed last knows it. So a
 * batch is appended and synced first, then the state is replaced at once; whatever fails in between
 * is cut off by whoever opens the store next, and the sink sends it again. Calls come one after the
 * other, except {@link #close}.
 */
final class ArchiveStore implements BlockingStore {
  private static final Logger LOG = LoggerFactory.getLogger(ArchiveStore.class);

  private final ArchiveConfig config;
  private final LongFunction<ArchiveFiles> filesOf;
  private final Clock clock;
  private final BatchAppender appender;
  private final OldFiles oldFiles;
  private final ReentrantLock lock = new ReentrantLock();

  /** What is open; null before that, and after a failure until it is opened again. */
  private @Nullable Session session;

  private record Session(ArchiveFiles files, ArchiveState state, boolean hasWritten) {}

  /** What is done to the state that was committed last. */
  private interface Step {
    Session from(Session now) throws IOException;
  }

  /**
   * Nothing is touched yet.
   *
   * @param filesOf the files of a Log
   */
  ArchiveStore(ArchiveConfig config, LongFunction<ArchiveFiles> filesOf, Clock clock) {
    this.config = config;
    this.filesOf = filesOf;
    this.clock = clock;
    this.appender = new BatchAppender(config);
    this.oldFiles =
        new OldFiles(Path.of(config.directory()), config.name(), config.retentionHours());
  }

  @Override
  public Optional<LogPosition> open(long log) throws IOException {
    lock.lock();
    try {
      session = null;
      ArchiveFiles files = filesOf.apply(log);
      Session opened = new Session(files, files.recover(), false);
      session = opened;
      return opened.state().progress().cursor();
    } catch (IOException e) {
      throw told(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean keepsCursor() {
    return true;
  }

  @Override
  public int write(StoreBatch parcel) throws IOException {
    AtomicInteger stored = new AtomicInteger();
    step(
        now -> {
          ArchiveState next = now.state().copy();
          long nowMs = clock.millis();
          stored.set(appender.append(parcel, next, now.files(), nowMs));
          next.finishDue(config, nowMs);
          now.files().commit(next);
          return new Session(now.files(), next, true);
        });
    return stored.get();
  }

  /**
   * A step back before the first batch says that an older copy of the Log was restored, whose
   * Positions mean other records from now on. Later it is only old: the batch before has said more.
   */
  @Override
  public void saveCursor(long log, LogPosition upTo) throws IOException {
    step(
        now -> {
          boolean isBack = now.state().progress().isBeyond(upTo);
          if (isBack && now.hasWritten()) {
            return now;
          }
          ArchiveState next = isBack ? now.state().withoutProgress() : now.state().copy();
          next.progress().moveTo(upTo);
          now.files().commit(next);
          return new Session(now.files(), next, now.hasWritten());
        });
  }

  /**
   * Finishes the files that are old enough, where no batch does; deletes those that are too old.
   */
  @Override
  public boolean trim(LongUnaryOperator clock) throws ReopenException, IOException {
    finishDue();
    return oldFiles.delete(clock);
  }

  private void finishDue() throws ReopenException {
    try {
      step(
          now -> {
            ArchiveState next = now.state().copy();
            if (!next.finishDue(config, clock.millis())) {
              return now;
            }
            now.files().commit(next);
            return new Session(now.files(), next, now.hasWritten());
          });
    } catch (IOException e) {
      throw new ReopenException(ErrorText.of(e), e);
    }
  }

  private IOException told(IOException e) {
    if (e instanceof UploadException) {
      return e;
    }
    return new IOException("the archive " + config.directory() + ": " + FileFault.of(e), e);
  }

  /** After a failure nobody knows what is on disk. */
  private void step(Step step) throws IOException {
    lock.lock();
    try {
      Session now = session;
      if (now == null) {
        throw new IOException("it is not open");
      }
      session = null;
      session = step.from(now);
    } catch (IOException e) {
      throw told(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isAsked() {
    return false;
  }

  /** Other tools read the archive: history is not asked of it. */
  @Override
  public ColdPage query(ColdQuery query) {
    return new ColdPage(List.of(), Optional.empty());
  }

  /** Finishes all files, so that others see them, unless the disk does not answer. */
  @Override
  public void close() {
    if (!lock.tryLock()) {
      return;
    }
    try {
      Session now = session;
      session = null;
      if (now != null && !now.state().open().isEmpty()) {
        ArchiveState next = now.state().copy();
        next.open().forEach(next::finish);
        now.files().commit(next);
      }
    } catch (IOException e) {
      LOG.warn("files of {} are finished after the next start: {}", config.name(), e.getMessage());
    } finally {
      lock.unlock();
    }
  }
}
