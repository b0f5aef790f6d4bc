package io.galop.persist.archive;

import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real file system. */
final class FileArchiveDisk implements ArchiveDisk {
  private final Disk disk = new FileDisk();
  private final Path archive;

  FileArchiveDisk(Path archive) {
    this.archive = archive.toAbsolutePath();
  }

  /**
   * Also the names of those that are there are synced, within the archive: whoever made them may
   * have been killed before.
   */
  @Override
  public void makeDirectories(Path directory) throws IOException {
    Path whole = directory.toAbsolutePath();
    @Nullable Path found = whole;
    while (found != null && !Files.exists(found)) {
      found = found.getParent();
    }
    Files.createDirectories(whole);
    @Nullable Path above = whole.getParent();
    while (above != null && (above.startsWith(archive) || isBelow(above, found))) {
      disk.syncDirectory(above);
      above = above.getParent();
    }
  }

  private static boolean isBelow(Path path, @Nullable Path above) {
    return above == null || path.startsWith(above);
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @Override
  public Optional<byte[]> read(Path file) throws IOException {
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  @Override
  public void append(Path file, long at, ByteBuffer bytes) throws IOException {
    Set<OpenOption> options =
        at == 0
            ? Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE)
            : Set.of(StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(file, options)) {
      if (channel.size() < at) {
        throw new IOException(file + " has lost what was written to it");
      }
      channel.truncate(at);
      channel.position(at);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    disk.syncDirectory(directory);
  }
}
