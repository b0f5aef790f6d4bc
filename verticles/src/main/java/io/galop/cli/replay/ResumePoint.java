package io.galop.cli.replay;

import io.galop.cli.CliFailure;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Remembers in a file up to which line a replay was answered. */
final class ResumePoint {
  private static final int ENOUGH_OF_HASH = 32;

  /** What is replayed where; a resume point of something else is none. */
  record Subject(String fileHash, String idPrefix, String topic, String door) {}

  private final Path file;
  private final Subject subject;
  private long savedLine = -1;

  ResumePoint(Path file, Subject subject) {
    this.file = file;
    this.subject = subject;
  }

  /**
   * Where resume points are kept if the user does not say: the state directory of the XDG rules.
   */
  static Path usualFile(Subject subject, String stateHome, String userHome) {
    Path state = stateHome.isEmpty() ? Path.of(userHome, ".local", "state") : Path.of(stateHome);
    String all = String.join("\n", subject.fileHash, subject.idPrefix, subject.topic, subject.door);
    String name = FileHash.ofText(all).substring(0, ENOUGH_OF_HASH);
    return state.resolve("galop").resolve("replay").resolve(name + ".json");
  }

  /**
   * The line up to which everything was answered; 0 if nothing was, if the last replay came to its
   * end, or if the resume point is of another file or topic.
   */
  long load() throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    try {
      JsonObject saved = new JsonObject(Files.readString(file));
      boolean same =
          subject.fileHash.equals(saved.getString("sha256"))
              && subject.topic.equals(saved.getString("topic"))
              && subject.idPrefix.equals(saved.getString("idPrefix"));
      return same && !saved.getBoolean("complete", false) ? saved.getLong("line", 0L) : 0;
    } catch (DecodeException | ClassCastException e) {
      throw CliFailure.usage(
          "%s is no resume point of galop replay; remove it or name another --resume-file"
              .formatted(file));
    }
  }

  /** Writes the line down so that a crash leaves the old state or the new one, nothing between. */
  void save(long line, boolean complete) throws IOException {
    if (line == savedLine && !complete) {
      return;
    }
    String content =
        new JsonObject()
                .put("sha256", subject.fileHash)
                .put("idPrefix", subject.idPrefix)
                .put("topic", subject.topic)
                .put("door", subject.door)
                .put("line", line)
                .put("complete", complete)
                .encode()
            + "\n";
    Path absolute = file.toAbsolutePath();
    Files.createDirectories(absolute.getParent());
    Path next = absolute.resolveSibling(absolute.getFileName() + ".next");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      channel.write(StandardCharsets.UTF_8.encode(content));
      channel.force(true);
    }
    move(next, absolute);
    savedLine = line;
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
