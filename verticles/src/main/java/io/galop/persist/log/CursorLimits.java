package io.galop.persist.log;

import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.LogPosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far each reader can have come in this Log, as long as nobody has asked its store: that may be
 * away for several runs, in which a Log that was set back grows beyond what the store has of the
 * one that is no more. Each start lowers all limits to the end that it finds, and one is lifted
 * when its store was asked. In a file beside the segments, so that it is set back with them. Where
 * that cannot be written, as on a full disk, the node works all the same. Safe to call from any
 * thread; blocks.
 */
final class CursorLimits {
  private static final Logger LOG = LoggerFactory.getLogger(CursorLimits.class);
  private static final String FILE = "cursor-limits";
  private static final Pattern LINE = Pattern.compile("(\\d{1,18}):(\\d{1,18}) (.+)");
  private static final LogPosition NONE = new LogPosition(999_999_999_999_999_999L, 0);
  private final Map<String, LogPosition> limits = new TreeMap<>();
  private final Path directory;
  private final Disk disk;
  private final LogPosition end;
  private boolean isUnwritten;

  private CursorLimits(Path directory, Disk disk, LogPosition end) {
    this.directory = directory;
    this.disk = disk;
    this.end = end;
  }

  /**
   * Lowers the limits; before anything is written to the Log.
   *
   * @param end where it ends
   */
  static CursorLimits open(Path directory, Disk disk, LogPosition end) {
    CursorLimits all = new CursorLimits(directory, disk, end);
    all.lower();
    return all;
  }

  private void lower() {
    Path file = directory.resolve(FILE);
    try {
      if (Files.exists(file)) {
        Files.readAllLines(file).forEach(this::lower);
        write();
      }
    } catch (IOException e) {
      LOG.warn("cannot read {}: {}", file, e.getMessage());
    }
  }

  private void lower(String line) {
    Matcher known = LINE.matcher(line);
    if (known.matches()) {
      LogPosition limit =
          new LogPosition(Long.parseLong(known.group(1)), Long.parseLong(known.group(2)));
      limits.put(known.group(3), limit.compareTo(end) < 0 ? limit : end);
    }
  }

  /** Of a reader that was not known before: the end that this run has found. */
  synchronized LogPosition of(String name) {
    if (limits.putIfAbsent(name, end) == null) {
      write();
    }
    return limits.get(name);
  }

  /** The reader's store was asked: from now on it gets cursors of this run. */
  synchronized void lift(String name) {
    if (!NONE.equals(limits.put(name, NONE)) || isUnwritten) {
      write();
    }
  }

  private void write() {
    try {
      replace();
      isUnwritten = false;
    } catch (IOException e) {
      isUnwritten = true;
      LOG.warn("cannot write {}: {}", directory.resolve(FILE), e.getMessage());
    }
  }

  private void replace() throws IOException {
    String lines =
        limits.entrySet().stream()
            .map(limit -> limit.getValue() + " " + limit.getKey() + "\n")
            .collect(Collectors.joining());
    Path next = directory.resolve(FILE + ".new");
    try (Disk.SegmentFile file = disk.create(next)) {
      file.write(ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8)), 0);
      file.force();
    }
    Files.move(
        next,
        directory.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    disk.syncDirectory(directory);
  }
}
