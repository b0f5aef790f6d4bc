package io.galop.e2e;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What {@code src/test/c/disk-fault.c} has noted of a node's files, and what a power cut would have
 * left of them: bytes that an fsync has confirmed. After one that failed Linux takes the pages for
 * clean, so that no later fsync writes them unless something is written there again.
 */
final class DiskNotes {
  private static final int PAGE_BYTES = 4096;

  private final Map<Long, Written> byInode = new HashMap<>();

  /** Bytes of a file that are not on the disk. */
  private static final class Written {
    private final BitSet dirty = new BitSet();
    private final BitSet lost = new BitSet();

    void failed() {
      lost.or(dirty);
      dirty.clear();
    }

    /** Pages are written as a whole. */
    void synced() {
      for (int at = dirty.nextSetBit(0); at >= 0; ) {
        int page = at / PAGE_BYTES * PAGE_BYTES;
        lost.clear(page, page + PAGE_BYTES);
        at = dirty.nextSetBit(page + PAGE_BYTES);
      }
      dirty.clear();
    }
  }

  private DiskNotes() {}

  static DiskNotes read(Path notes) throws IOException {
    DiskNotes read = new DiskNotes();
    Files.readAllLines(notes).forEach(read::take);
    return read;
  }

  private void take(String line) {
    List<String> words = List.of(line.split(" "));
    Written file = byInode.computeIfAbsent(Long.parseLong(words.get(1)), inode -> new Written());
    switch (words.get(0)) {
      case "W" -> {
        int from = Integer.parseInt(words.get(2));
        file.dirty.set(from, from + Integer.parseInt(words.get(3)));
      }
      case "S" -> file.synced();
      case "F" -> file.failed();
      default -> throw new IllegalStateException(line);
    }
  }

  /** Takes from the files of a directory what the disk does not have; how many bytes that was. */
  int cutPower(Path directory) throws IOException {
    int cut = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path path : files.filter(Files::isRegularFile).toList()) {
        Written file = byInode.get((Long) Files.getAttribute(path, "unix:ino"));
        if (file != null) {
          BitSet gone = (BitSet) file.dirty.clone();
          gone.or(file.lost);
          cut += zero(path, gone);
        }
      }
    }
    return cut;
  }

  private static int zero(Path path, BitSet gone) throws IOException {
    int zeroed = 0;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      int from = gone.nextSetBit(0);
      while (from >= 0 && from < file.length()) {
        int to = (int) Math.min(gone.nextClearBit(from), file.length());
        file.seek(from);
        file.write(new byte[to - from]);
        zeroed += to - from;
        from = gone.nextSetBit(to);
      }
    }
    return zeroed;
  }
}
