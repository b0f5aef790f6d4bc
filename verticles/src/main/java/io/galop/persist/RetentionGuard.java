package io.galop.persist;

import io.galop.jvm.Moment;
import io.galop.node.Readiness;
import io.galop.persist.retention.ClockTrust;
import io.galop.persist.retention.ClockTrust.Rise;
import io.galop.persist.retention.Noted;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the clocks of this machine for all that is deleted by age, tells when they disagree, and
 * keeps what it knows of them in a file of the data directory.
 */
final class RetentionGuard {
  static final String FILE = "retention-clock";
  static final String PART = "persist.retention";
  private static final Logger LOG = LoggerFactory.getLogger(RetentionGuard.class);
  private static final long SAVE_EVERY_MS = TimeUnit.MINUTES.toMillis(1);

  /** What the clock of a node that runs goes ahead by. */
  private static final long TOLD_MS = TimeUnit.HOURS.toMillis(1);

  /** A node that was off for less is no news. */
  private static final long TOLD_AT_START_MS = TimeUnit.DAYS.toMillis(1);

  private static final long TOLD_FOR_MS = TimeUnit.HOURS.toMillis(24);

  private final Path file;
  private final Readiness readiness;
  private final Supplier<Moment> clocks;
  private final Counter jumps;
  private final Object writing = new Object();
  private final long startedMs;
  private ClockTrust trust;
  private int toSave = 1;
  private long savedMs;
  private long longestKeptMs;
  private boolean isFailing;
  private boolean isClosed;

  private RetentionGuard(
      Path file,
      Readiness readiness,
      MeterRegistry meters,
      Supplier<Moment> clocks,
      ClockTrust trust) {
    this.file = file;
    this.readiness = readiness;
    this.clocks = clocks;
    this.trust = trust;
    this.startedMs = clocks.get().steadyMs();
    this.jumps =
        Counter.builder("galop.persist.retention.jumps")
            .description("Times that the clock went ahead, or was ahead at a start")
            .register(meters);
    Gauge.builder("galop.persist.retention.behind", this, RetentionGuard::behindSeconds)
        .baseUnit("seconds")
        .description("Seconds by which old records are deleted later than the clock says")
        .strongReference(true)
        .register(meters);
  }

  /**
   * Reads what the last run knew, before the Log is opened. Blocking.
   *
   * @param log its directory: without a file its youngest file says how late it was
   */
  static RetentionGuard open(Path directory, Path log, Readiness readiness, MeterRegistry meters) {
    return open(directory, log, readiness, meters, Moment::now);
  }

  static RetentionGuard open(
      Path directory,
      Path log,
      Readiness readiness,
      MeterRegistry meters,
      Supplier<Moment> clocks) {
    Path file = directory.resolve(FILE);
    Optional<Noted> noted = read(file);
    Moment now = clocks.get();
    Noted last = noted.orElse(new Noted(youngest(log).orElse(now.wallMs()), List.of()));
    ClockTrust found = ClockTrust.restored(last, now);
    RetentionGuard guard = new RetentionGuard(file, readiness, meters, clocks, found);
    found.newest().filter(rise -> rise.seenMs() == now.steadyMs()).ifPresent(guard::onRise);
    return guard;
  }

  private static Optional<Noted> read(Path file) {
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      Optional<Noted> noted = Noted.of(Files.readString(file));
      if (noted.isEmpty()) {
        LOG.warn("{} is damaged and is written anew; it says which clocks were believed", file);
      }
      return noted;
    } catch (IOException e) {
      LOG.warn("cannot read {}, so old records may be deleted late: {}", file, e.getMessage());
      return Optional.empty();
    }
  }

  /** When a file of the Log was written last. */
  private static OptionalLong youngest(Path log) {
    try (Stream<Path> files = Files.list(log)) {
      return files.mapToLong(each -> each.toFile().lastModified()).max();
    } catch (IOException | UncheckedIOException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * What time it is for those who delete by age: never later than the machine says, and as before
   * where its clock is suddenly ahead.
   *
   * @param keptMs for how long is kept what is to be deleted
   * @return milliseconds since 1970; what was stored that long before may go
   */
  synchronized long nowMs(long keptMs) {
    longestKeptMs = Math.max(longestKeptMs, keptMs);
    return trust.nowMs(keptMs, look());
  }

  private Moment look() {
    Moment now = clocks.get();
    ClockTrust before = trust;
    trust = before.next(now);
    trust.riseSince(before).ifPresent(this::onRise);
    return now;
  }

  /** A high one is told by {@link #tell}. */
  private void onRise(Rise rise) {
    jumps.increment();
    toSave++;
    if (!isHigh(rise)) {
      LOG.info(
          "the clock is suddenly ahead by {}: old records are deleted as if it were not, until the"
              + " node has run for their retention",
          span(trust.heightMs(rise)));
    }
  }

  /** Tells what there is to tell, and writes the file where it is due. Blocking. */
  void tend() {
    synchronized (writing) {
      if (!isClosed) {
        keep();
      }
    }
  }

  private void keep() {
    Optional<Noted> due;
    int asked;
    synchronized (this) {
      Moment now = look();
      tell(now);
      asked = toSave;
      boolean isDue = asked > 0 || now.steadyMs() - savedMs >= SAVE_EVERY_MS;
      due = isDue ? Optional.of(trust.noted(now)) : Optional.empty();
      savedMs = isDue ? now.steadyMs() : savedMs;
    }
    due.ifPresent(noted -> save(noted, asked));
  }

  private void save(Noted noted, int asked) {
    try {
      NotedFile.replace(file, noted.text());
      isFailing = false;
      synchronized (this) {
        toSave -= asked;
      }
    } catch (IOException e) {
      if (!isFailing) {
        LOG.warn(
            "cannot write {}, so the next start may delete old records late; it is tried again: {}",
            file,
            e.getMessage());
      }
      isFailing = true;
    }
  }

  private void tell(Moment now) {
    Optional<Rise> told =
        trust.newest().filter(rise -> isTold(rise, now)).filter(rise -> behindMs(now) > 0);
    if (told.isEmpty()) {
      readiness.calm(PART);
      return;
    }
    readiness.warn(
        PART,
        "the clock of this node went ahead by "
            + span(trust.heightMs(told.get()))
            + " and says "
            + Instant.ofEpochMilli(now.wallMs()).truncatedTo(ChronoUnit.SECONDS)
            + ": old records are deleted as if it had not, until the node has run for their"
            + " retention",
        "if the clock is wrong, set it right; if it is right, since the machine was off or asleep"
            + " or its clock was behind, do nothing");
  }

  private boolean isTold(Rise rise, Moment now) {
    return isHigh(rise) && now.steadyMs() - rise.seenMs() < TOLD_FOR_MS;
  }

  private boolean isHigh(Rise rise) {
    long leastMs = rise.seenMs() > startedMs ? TOLD_MS : TOLD_AT_START_MS;
    return trust.heightMs(rise) >= leastMs;
  }

  private long behindMs(Moment now) {
    return now.wallMs() - trust.nowMs(longestKeptMs, now);
  }

  private synchronized double behindSeconds() {
    return behindMs(clocks.get()) / 1_000.0;
  }

  private static String span(long ms) {
    long minutes = TimeUnit.MILLISECONDS.toMinutes(ms);
    return minutes < 120 ? minutes + " min" : Math.round(minutes / 60.0) + " h";
  }

  private synchronized void askToSave() {
    toSave++;
  }

  /** The directory may be another process's from now on. Blocking. */
  void close() {
    synchronized (writing) {
      askToSave();
      keep();
      isClosed = true;
    }
    readiness.calm(PART);
  }
}
