package io.galop.persist.archive;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of an archive for one Log. Unfinished ones lie in a directory that no reader of the
 * archive looks into until they are put on the {@link Shelf}, beside the {@link ArchiveState} that
 * says how much of each counts.
 */
final class ArchiveFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ArchiveFiles.class);
  private static final String STATE = "state.json";
  private static final String NEXT_STATE = "state.json.next";
  private static final String PART = ".part";

  private final ArchiveDisk disk;
  private final Path archive;
  private final Path work;
  private final Pattern ofStore;
  private final Shelf shelf;

  ArchiveFiles(ArchiveDisk disk, Shelf shelf, Path archive, String store, long log) {
    this.disk = disk;
    this.shelf = shelf;
    this.archive = archive;
    this.work = unfinished().resolve(String.format(Locale.ROOT, "%s-%016x", store, log));
    this.ofStore = Pattern.compile(Pattern.quote(store) + "-[0-9a-f]{16}");
  }

  /**
   * What was committed last. What came after is cut off and deleted, and what was finished gets its
   * final name. A state is there before the first file: where somebody has deleted it, files are
   * kept, since nobody knows how much of them counts.
   */
  ArchiveState recover() throws IOException {
    disk.makeDirectories(work);
    tellOfOthers();
    Optional<ArchiveState> found = read();
    ArchiveState state = found.orElseGet(ArchiveState::new);
    Set<Path> known =
        Stream.concat(state.open().stream(), state.finished().stream())
            .map(this::part)
            .collect(Collectors.toSet());
    known.add(work.resolve(STATE));
    for (Path file : disk.list(work)) {
      if (found.isEmpty() && isPart(file)) {
        LOG.error("nothing says how much of {} counts; it is kept as {}", file, setAside(file));
      } else if (!known.contains(file)) {
        disk.delete(file);
      }
    }
    for (ArchiveFile file : state.open()) {
      if (!cut(file)) {
        state.forget(file);
      }
    }
    if (found.isPresent()) {
      place(state);
    } else {
      commit(state);
    }
    return state;
  }

  private Path unfinished() {
    return archive.resolve(".galop");
  }

  /** Another Log's files are finished by the node that has it, and by nobody if it is gone. */
  private void tellOfOthers() throws IOException {
    for (Path other : disk.list(unfinished())) {
      boolean isOfStore = ofStore.matcher(other.getFileName().toString()).matches();
      if (isOfStore && !other.equals(work) && disk.list(other).stream().anyMatch(this::isPart)) {
        LOG.info(
            "{} has unfinished files of another Log; if no node has that Log any more, they stay"
                + " there, and are gzip",
            other);
      }
    }
  }

  private boolean isPart(Path file) {
    return file.getFileName().toString().endsWith(PART);
  }

  private Path setAside(Path part) throws IOException {
    String name = part.getFileName().toString();
    Path aside = archive.resolve(name.substring(0, name.length() - PART.length()) + ".damaged");
    disk.move(part, aside);
    return aside;
  }

  private Optional<ArchiveState> read() throws IOException {
    Path file = work.resolve(STATE);
    try {
      return disk.read(file).map(bytes -> ArchiveState.of(new JsonObject(Buffer.buffer(bytes))));
    } catch (DecodeException
        | IllegalArgumentException
        | NullPointerException
        | ClassCastException e) {
      throw new IOException(
          file
              + " is damaged; delete it, and the archive gets again what the Log has, beside the"
              + " files that are there; unfinished ones are kept as *.damaged",
          e);
    }
  }

  /** Whether all that counts of an open file is there, and then nothing else. */
  private boolean cut(ArchiveFile file) throws IOException {
    Path part = part(file);
    long size = disk.size(part);
    if (size > file.bytes()) {
      disk.append(part, file.bytes(), ByteBuffer.allocate(0));
    }
    if (size >= file.bytes()) {
      return true;
    }
    if (size < 0) {
      LOG.error("{} was deleted before it was finished; the archive lacks what it had", part);
    } else {
      Path damaged = setAside(part);
      LOG.error(
          "{} had lost some of its {} bytes; the {} that are left are in {}",
          part,
          file.bytes(),
          size,
          damaged);
    }
    return false;
  }

  /** Appends to what counts of a file; counts itself when it is committed. */
  void append(ArchiveFile file, ByteBuffer member) throws IOException {
    disk.append(part(file), file.bytes(), member);
  }

  /**
   * Makes a state that which is found after a crash, and gives what is finished its final name. If
   * this fails the state may be committed or not.
   */
  void commit(ArchiveState state) throws IOException {
    disk.syncDirectory(work); // before the state names a file that begins, its name must be durable
    ByteBuffer bytes = ByteBuffer.wrap(state.json().toBuffer().getBytes());
    disk.append(work.resolve(NEXT_STATE), 0, bytes);
    disk.move(work.resolve(NEXT_STATE), work.resolve(STATE));
    disk.syncDirectory(work);
    place(state);
  }

  /** One whose part is gone has got its place before, and may have been taken away since. */
  private void place(ArchiveState state) throws IOException {
    Map<Path, ArchiveFile> parts = new LinkedHashMap<>();
    for (ArchiveFile file : state.finished()) {
      Path part = part(file);
      if (disk.size(part) >= 0) {
        parts.put(part, file);
      }
    }
    shelf.place(parts);
    state.finished().forEach(state::placed);
  }

  private Path part(ArchiveFile file) {
    return work.resolve(file.name() + PART);
  }
}
