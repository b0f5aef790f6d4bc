package io.galop.persist;

import io.galop.bus.Bus;
import io.galop.persist.sink.DeadLetters;
import io.galop.record.Batch;
import io.galop.record.DeadLetterData;
import io.galop.record.Placed;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a store calls bad as a record of its own on {@code $dead-letter/store/<name>}, in the
 * form of the other dead letters. Where that cannot be had, since the Log is full because of that
 * very store or the letter itself is what the store does not take, the letter is a line of {@code
 * dead-letters/<name>.ndjson} in the data directory, written to the disk before the sink goes on.
 */
final class StoreDeadLetters implements DeadLetters {
  private static final Logger LOG = LoggerFactory.getLogger(StoreDeadLetters.class);
  private static final String ROOT = DeadLetterData.ROOT + "/store/";

  /** Well before the sink takes it that there is no answer, and begins again with the record. */
  private static final long PATIENCE_MS = 10_000;

  private final Vertx vertx;
  private final Bus bus;
  private final Path directory;

  StoreDeadLetters(Vertx vertx, Bus bus, Path directory) {
    this.vertx = vertx;
    this.bus = bus;
    this.directory = directory;
  }

  @Override
  public Future<Void> send(Placed placed, String store, String why) {
    Record letter = letter(placed.record(), store, why);
    if (placed.record().topic().startsWith(ROOT)) {
      return write(letter, store);
    }
    int shard = Topic.shard(letter.topic(), bus.cluster().shards());
    return bus.persist()
        .send(Batch.unplaced(shard, List.of(letter)))
        .timeout(PATIENCE_MS, TimeUnit.MILLISECONDS)
        .recover(
            refused -> {
              LOG.warn("a dead letter of {} goes to a file: {}", store, refused.getMessage());
              return write(letter, store);
            });
  }

  private static Record letter(Record record, String store, String why) {
    byte[] data = DeadLetterData.of(record, Reason.STORE_REFUSED, why);
    return new Record(record.id() + "#" + store, ROOT + store, record.timeUs(), data);
  }

  private Future<Void> write(Record letter, String store) {
    return vertx.executeBlocking(
        () -> {
          append(letter.data(), directory.resolve(store + ".ndjson"));
          return null;
        });
  }

  private static void append(byte[] letter, Path path) throws IOException {
    ByteBuffer line = ByteBuffer.allocate(letter.length + 1).put(letter).put((byte) '\n').flip();
    Files.createDirectories(path.getParent());
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (line.hasRemaining()) {
        file.write(line);
      }
      file.force(true);
    }
  }
}
