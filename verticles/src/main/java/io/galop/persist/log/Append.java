package io.galop.persist.log;

import io.galop.ledger.Book;
import io.galop.persist.log.file.DurableEpochs;
import io.galop.persist.log.file.EntryFormat;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.galop.vertx.Loop;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Something that waits to be logged.
 *
 * @param content writes its entries
 * @param bytes about how many
 * @param records how many records
 * @param context where its future completes; null: on the thread that writes
 */
record Append(
    Content content, long bytes, int records, Promise<Void> done, @Nullable Context context) {
  /** A placed Batch of about so many bytes. Completes on the caller's context, if it has one. */
  static Append ofBatch(Batch placed, long bytes) {
    return of(out -> out.batch(placed), bytes, placed.records().size());
  }

  /**
   * The same, counted.
   *
   * @param minute in which it was placed
   * @param written where is counted what is written
   * @param onDisk by shard, how many records are on disk
   */
  static Append ofBatch(
      Batch placed, long bytes, long minute, Book written, AtomicLongArray onDisk) {
    return of(new Counted(placed, minute, written, onDisk), bytes, placed.records().size());
  }

  private record Counted(Batch placed, long minute, Book written, AtomicLongArray onDisk)
      implements Content {
    @Override
    public void writeTo(SegmentWriter out) throws IOException {
      long before = out.records();
      out.batch(placed);
      int logged = written.column("logged");
      written.addAt(minute, placed.shard(), logged, out.records() - before);
    }

    @Override
    public void forced() {
      onDisk.addAndGet(placed.shard(), placed.records().size());
    }
  }

  /** The start of an epoch. Completes on the caller's context, if it has one. */
  static Append ofEpoch(int shard, long epoch, Position lastOfPrevious) {
    long bytes = DurableEpochs.MAX_ENTRY_BYTES;
    return of(out -> out.epochBegins(shard, epoch, lastOfPrevious), bytes, 0);
  }

  private static Append of(Content content, long bytes, int records) {
    return new Append(content, bytes, records, Promise.promise(), Loop.contextOfCaller());
  }

  /** About how many bytes a record takes. */
  static int bytes(Record record) {
    return EntryFormat.RECORD_FIXED_BYTES + RecordCodec.approximateBytes(record);
  }

  /** About how many bytes a Batch takes. */
  static long bytes(Batch placed) {
    return placed.records().stream().mapToLong(Append::bytes).sum();
  }

  /** The id of a record that takes more than so many bytes. */
  static Optional<String> tooLarge(Batch placed, int bytes) {
    return placed.records().stream()
        .filter(record -> bytes(record) > bytes)
        .findFirst()
        .map(Record::id);
  }

  /** Writes entries. */
  interface Content {
    void writeTo(SegmentWriter out) throws IOException;

    /** They are on disk; whoever waits for it is told afterwards. */
    default void forced() {}
  }
}
