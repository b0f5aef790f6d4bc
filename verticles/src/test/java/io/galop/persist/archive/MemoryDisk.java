package io.galop.persist.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A disk that fails at a step, and that forgets at a power cut whatever was not synced: the bytes
 * of files, and the names in directories.
 */
final class MemoryDisk implements ArchiveDisk {
  private final Map<Path, Map<Path, Content>> directories = new HashMap<>();
  private final Map<Path, Map<Path, Content>> durable = new HashMap<>();
  private int step;
  private int failAt = Integer.MAX_VALUE;
  private Fault fault = Fault.BEFORE;

  /** What goes wrong. */
  enum Fault {
    /** Nothing is done. */
    BEFORE,
    /** Half of the bytes are written; nothing is done by what writes none. */
    TORN,
    /** All bytes are written, none for sure on disk. */
    NOT_SYNCED,
    /** All is done, and nobody is told. */
    AFTER
  }

  private static final class Content {
    byte[] bytes = {};
    byte[] durable = {};
  }

  /** A single operation. */
  interface Work {
    void run() throws IOException;
  }

  /** The operation with this number, from 0, fails; all others go well. */
  void failAt(int number, Fault how) {
    failAt = number;
    fault = how;
  }

  /** How many operations there were. */
  int steps() {
    return step;
  }

  /** Does something that may fail at this step. */
  void step(Work work) throws IOException {
    boolean fails = step++ == failAt;
    if (!fails || fault == Fault.AFTER) {
      work.run();
    }
    if (fails) {
      throw new IOException("planted: " + fault);
    }
  }

  /**
   * Only what was synced is left.
   *
   * @param replacedStay of the changes in a directory that was not synced those stay that gave a
   *     name to another file, as if they had come first
   */
  void cutPower(boolean replacedStay) {
    Map<Path, Map<Path, Content>> before = new HashMap<>(directories);
    directories.clear();
    durable.forEach((path, names) -> directories.put(path, new TreeMap<>(names)));
    if (replacedStay) {
      before.forEach(
          (path, names) ->
              directories.get(path).replaceAll((name, old) -> names.getOrDefault(name, old)));
      directories.forEach((path, names) -> durable.put(path, new TreeMap<>(names)));
    }
    for (Map<Path, Content> names : directories.values()) {
      names.values().forEach(content -> content.bytes = content.durable);
    }
  }

  /** All files whose name ends so. */
  Map<Path, byte[]> files(String end) {
    Map<Path, byte[]> files = new TreeMap<>();
    for (Map<Path, Content> names : directories.values()) {
      names.forEach(
          (path, content) -> {
            if (path.toString().endsWith(end)) {
              files.put(path, content.bytes);
            }
          });
    }
    return files;
  }

  private Map<Path, Content> names(Path file) throws NoSuchFileException {
    Map<Path, Content> names = directories.get(file.getParent());
    if (names == null) {
      throw new NoSuchFileException(file.toString());
    }
    return names;
  }

  @Override
  public void makeDirectories(Path directory) throws IOException {
    step(
        () -> {
          directories.putIfAbsent(directory, new TreeMap<>());
          durable.putIfAbsent(directory, new TreeMap<>());
        });
  }

  @Override
  public List<Path> list(Path directory) {
    return new ArrayList<>(directories.getOrDefault(directory, Map.of()).keySet());
  }

  @Override
  public Optional<byte[]> read(Path file) throws IOException {
    return Optional.ofNullable(names(file).get(file)).map(content -> content.bytes);
  }

  @Override
  public long size(Path file) throws IOException {
    return read(file).map(bytes -> bytes.length).orElse(-1);
  }

  @Override
  public void append(Path file, long at, ByteBuffer bytes) throws IOException {
    byte[] more = new byte[bytes.remaining()];
    bytes.get(more);
    boolean fails = step == failAt;
    if (fails && fault == Fault.TORN) {
      byte[] half = Arrays.copyOf(more, more.length / 2);
      put(file, at, half).durable = put(file, at, half).bytes; // the worst that a power cut leaves
    } else if (fails && fault == Fault.NOT_SYNCED) {
      put(file, at, more);
    }
    step(
        () -> {
          Content content = put(file, at, more);
          content.durable = content.bytes;
        });
  }

  private Content put(Path file, long at, byte[] more) throws IOException {
    Content content = names(file).computeIfAbsent(file, path -> new Content());
    if (content.bytes.length < at) {
      throw new IOException(file + " is too short");
    }
    byte[] all = Arrays.copyOf(content.bytes, (int) at + more.length);
    System.arraycopy(more, 0, all, (int) at, more.length);
    content.bytes = all;
    return content;
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    step(
        () -> {
          Content content = names(from).get(from);
          if (content == null) {
            throw new NoSuchFileException(from.toString());
          }
          names(to).put(to, content);
          names(from).remove(from);
        });
  }

  @Override
  public void delete(Path file) throws IOException {
    step(() -> names(file).remove(file));
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    step(() -> durable.put(directory, new TreeMap<>(directories.get(directory))));
  }
}
