package io.galop.persist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which Log each node that stores has, as far as each shard has been told, in a file of the data
 * directory. A node that comes back with another one has lost what only the old one held, and
 * nobody but those who know of the old one can tell. May be called from any thread.
 */
final class StoringLogs {
  private static final Logger LOG = LoggerFactory.getLogger(StoringLogs.class);
  private static final String FILE = "storing-logs";
  private final Path file;
  private final int shards;

  /**
   * Name → identity of its Log by shard; 0 where none is known. At most as many as storing nodes.
   */
  private final Map<String, long[]> logs = new TreeMap<>();

  /** Name → identity of the Log that it told of last. */
  private final Map<String, Long> newest = new TreeMap<>();

  /** Whether there is something that is not in the file. */
  private boolean isUnsaved;

  /** Whether the operator has been told that it cannot be written; only in {@link #write}. */
  private boolean isFailing;

  private StoringLogs(Path file, int shards) {
    this.file = file;
    this.shards = shards;
  }

  /** Reads the file. Blocking. */
  static StoringLogs open(Path directory, int shards) {
    StoringLogs opened = new StoringLogs(directory.resolve(FILE), shards);
    try {
      if (Files.exists(opened.file)) {
        Files.readAllLines(opened.file).forEach(opened::read);
      }
    } catch (IOException e) {
      LOG.warn("cannot read {}: {}", opened.file, e.getMessage());
    }
    return opened;
  }

  /** A line: {@code <identity in hexadecimal> <shard>,<shard>… <name>}. */
  private void read(String line) {
    String[] parts = line.split(" ", 3);
    try {
      long log = Long.parseUnsignedLong(parts[0], 16);
      Arrays.stream(parts[1].split(","))
          .mapToInt(Integer::parseInt)
          .filter(shard -> shard < shards)
          .forEach(shard -> of(parts[2])[shard] = log);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      LOG.warn("{} has a line that is none of Galop's, and is not used: {}", file, line);
    }
  }

  private long[] of(String name) {
    return logs.computeIfAbsent(name, added -> new long[shards]);
  }

  /**
   * Whether a node had another Log when it last had to do with a shard. Notes which it has now.
   *
   * @param log that it has now; 0 if it did not tell
   */
  synchronized boolean isReplaced(int shard, String name, long log) {
    if (log != 0) {
      newest.put(name, log);
    }
    long before = logs.containsKey(name) ? logs.get(name)[shard] : 0;
    return log != 0 && before != 0 && before != log;
  }

  /** Learns which Logs all nodes have now: what the old ones held of a shard is known. */
  synchronized void learnAll(int shard) {
    newest.forEach((name, log) -> learn(shard, name, log));
  }

  /**
   * Learns which Log a node has: of a shard whatever was known there, of all others where nothing
   * was.
   *
   * @return whether that is news, which {@link #write} puts on the disk
   */
  synchronized boolean learn(int shard, String name, long log) {
    if (log == 0) {
      return false;
    }
    newest.put(name, log);
    long[] known = of(name);
    boolean isNews = false;
    for (int i = 0; i < shards; i++) {
      if (known[i] != log && (i == shard || known[i] == 0)) {
        known[i] = log;
        isNews = true;
      }
    }
    isUnsaved |= isNews;
    return isNews;
  }

  /** Puts on the disk what is not there yet. Blocking; loops that learn meanwhile do not wait. */
  void write() {
    synchronized (file) {
      Optional<String> text = takeNew();
      try {
        if (text.isPresent()) {
          NotedFile.replace(file, text.get());
          isFailing = false;
        }
      } catch (IOException e) {
        if (!isFailing) { // it is tried again each second
          LOG.warn("cannot write {}, trying again: {}", file, e.getMessage());
        }
        isFailing = true;
        again();
      }
    }
  }

  /** Whether there is something to {@link #write}. */
  synchronized boolean isUnsaved() {
    return isUnsaved;
  }

  private synchronized Optional<String> takeNew() {
    boolean isDue = isUnsaved;
    isUnsaved = false;
    return isDue ? Optional.of(text()) : Optional.empty();
  }

  private synchronized void again() {
    isUnsaved = true;
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    logs.forEach(
        (name, byShard) -> {
          for (long log : new TreeSet<>(Arrays.stream(byShard).boxed().toList())) {
            if (log != 0) {
              String all =
                  IntStream.range(0, shards)
                      .filter(shard -> byShard[shard] == log)
                      .mapToObj(Integer::toString)
                      .collect(Collectors.joining(","));
              text.append("%016x %s %s\n".formatted(log, all, name));
            }
          }
        });
    return text.toString();
  }
}
