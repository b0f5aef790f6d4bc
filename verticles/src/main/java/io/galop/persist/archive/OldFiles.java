package io.galop.persist.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finished files of an archive, of whatever Log, that are older than they are kept, and the
 * directories that their end leaves empty. Looks for them now and then: that reads all directories.
 */
final class OldFiles {
  private static final long LOOK_EVERY_MS = TimeUnit.MINUTES.toMillis(10);
  private static final int MOST_AT_ONCE = 1_000;

  private final Path archive;
  private final Pattern names;
  private final long keptMs;
  private long nextLookMs = Long.MIN_VALUE;

  /**
   * Of a store.
   *
   * @param hours that they are kept since they were written last; 0 for ever
   */
  OldFiles(Path archive, String store, int hours) {
    this.archive = archive;
    this.names = Pattern.compile(Pattern.quote(store) + "-[0-9a-f]{16}-\\d+-\\d+\\.ndjson\\.gz");
    this.keptMs = TimeUnit.HOURS.toMillis(hours);
  }

  /** Deletes some if it is time to; whether there are more. */
  boolean delete(LongUnaryOperator clock) throws IOException {
    if (keptMs == 0) {
      return false;
    }
    long nowMs = clock.applyAsLong(keptMs);
    if (!isTime(nowMs)) {
      return false;
    }
    List<Path> old = old(nowMs - keptMs);
    for (Path file : old) {
      Files.deleteIfExists(file);
      deleteEmpty(file.getParent());
    }
    boolean isMore = old.size() == MOST_AT_ONCE;
    nextLookMs = isMore ? nowMs : nowMs + LOOK_EVERY_MS;
    return isMore;
  }

  /** Also after a clock that was ahead. */
  private boolean isTime(long nowMs) {
    return nowMs >= nextLookMs || nextLookMs - nowMs > LOOK_EVERY_MS;
  }

  private List<Path> old(long beforeMs) throws IOException {
    try (Stream<Path> files = Files.walk(archive)) {
      return files
          .filter(file -> names.matcher(file.getFileName().toString()).matches())
          .filter(file -> isOld(file, beforeMs))
          .limit(MOST_AT_ONCE)
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isOld(Path file, long beforeMs) {
    try {
      return Files.getLastModifiedTime(file).toMillis() < beforeMs;
    } catch (NoSuchFileException e) {
      return false; // somebody else was faster
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void deleteEmpty(@Nullable Path directory) throws IOException {
    @Nullable Path empty = directory;
    while (empty != null && !empty.equals(archive)) {
      try {
        Files.deleteIfExists(empty);
      } catch (DirectoryNotEmptyException e) {
        return;
      }
      empty = empty.getParent();
    }
  }
}
