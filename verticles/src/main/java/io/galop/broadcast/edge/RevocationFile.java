package io.galop.broadcast.edge;

import io.galop.jvm.Moment;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * Where a node keeps its {@link Revocations} over a restart: {@code {"subject":moment,…}} in its
 * directory, written as a whole. All blocks, one thread at a time.
 */
final class RevocationFile {
  private static final String NAME = "disconnected-subjects.json";

  private final Path file;

  RevocationFile(String dataDir) {
    this.file = Path.of(dataDir, NAME);
  }

  /**
   * What was saved last; nothing where there is no file.
   *
   * @throws IllegalArgumentException if it cannot be read: without it revoked tokens were good
   *     again
   */
  void readInto(Revocations revocations, Moment at) {
    try {
      if (!Files.exists(file)) {
        return;
      }
      JsonObject saved = new JsonObject(Buffer.buffer(Files.readAllBytes(file)));
      for (String subject : saved.fieldNames()) {
        revocations.restore(subject, saved.getLong(subject), at);
      }
    } catch (IOException | DecodeException | ClassCastException | NullPointerException e) {
      throw new IllegalArgumentException(
          "node.dataDir holds '%s', which cannot be read (%s): restore it, or move it away, and tokens that were revoked are good again"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /** Comes back when it is on disk. */
  void write(Map<String, Long> all) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    JsonObject json = new JsonObject();
    all.forEach(json::put);
    Path next = file.resolveSibling(NAME + ".new");
    try (FileChannel to =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(json.toBuffer().getBytes());
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
      to.force(true);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel directory =
        FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }
}
