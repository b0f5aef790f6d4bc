package io.galop.persist.log;

import io.galop.persist.log.file.Disk.SegmentFile;
import io.galop.persist.log.file.DurableEpochs;
import io.galop.persist.log.file.EntryBuffer;
import io.galop.persist.log.file.EntryFormat;
import io.galop.persist.log.file.LogException;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.SegmentHeader;
import io.galop.persist.log.file.Segments;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes entries, and goes on in the next segment when one is full. For one thread. */
final class SegmentWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentWriter.class);
  private static final int BUFFER_BYTES = 1 << 20;
  private final Segments segments;
  private final Spare spare;
  private final SegmentHeader template;
  private final DurableEpochs[] tables;
  private final EntryBuffer buffer = new EntryBuffer(BUFFER_BYTES);
  private Segment active;
  private SegmentFile file;
  private long written;
  private long records;

  /** How much of {@link #records} is on disk, for the Ledger: only {@link #force} moves it. */
  private long forced;

  /**
   * @param template of the headers of new segments
   * @param tables of all shards, kept up to date with what is written
   * @param first the segment to go on in
   */
  private SegmentWriter(
      Segments segments, Spare spare, SegmentHeader template, DurableEpochs[] tables, Segment first)
      throws IOException {
    this.segments = segments;
    this.spare = spare;
    this.template = template;
    this.tables = tables;
    this.active = first;
    this.file = segments.disk().open(first.path());
    this.written = first.end();
  }

  /**
   * Goes on where the Log ends, with all that is known of the shards written down again. Blocking.
   *
   * @throws LogException if there is no room for a first segment
   */
  static SegmentWriter begin(
      Segments segments, Spare spare, SegmentHeader template, DurableEpochs[] tables)
      throws IOException {
    spare.prepare();
    Optional<Segment> newest = segments.newest();
    Optional<Segment> open = newest.filter(segment -> !segment.isSealed());
    if (open.isEmpty() && spare.isNoRoom()) {
      throw new LogException(
          "there is no room in "
              + segments.directory()
              + " for a segment of "
              + template.segmentBytes()
              + " bytes; free space, or change persist.log.quotaBytes or .minFreeBytes");
    }
    long next = newest.map(Segment::sequence).orElse(0L) + 1;
    Segment first = open.isPresent() ? open.get() : first(spare, template.withSequence(next));
    SegmentWriter out = new SegmentWriter(segments, spare, template, tables, first);
    try {
      first.written();
      out.writeTables();
      out.commit();
    } catch (IOException e) {
      out.close();
      throw e;
    }
    return out;
  }

  private static Segment first(Spare spare, SegmentHeader header) throws IOException {
    try {
      return spare.take(header);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  void batch(Batch batch) throws IOException {
    long offset = batch.firstOffset();
    for (Record record : batch.records()) {
      byte[] id = record.id().getBytes(StandardCharsets.UTF_8);
      byte[] topic = record.topic().getBytes(StandardCharsets.UTF_8);
      makeRoom(EntryFormat.RECORD_FIXED_BYTES + id.length + topic.length + record.data().length);
      buffer.record(batch.shard(), batch.epoch(), offset, record, id, topic);
      tables[batch.shard()].saw(batch.epoch(), offset);
      offset++;
      records++;
    }
  }

  /** How many records were written. */
  long records() {
    return records;
  }

  void epochBegins(int shard, long epoch, Position lastOfPrevious) throws IOException {
    tables[shard].begin(epoch, lastOfPrevious);
    writeTable(shard);
  }

  private void writeTable(int shard) throws IOException {
    makeRoom(DurableEpochs.MAX_ENTRY_BYTES);
    buffer.epochs(shard, tables[shard].oldestFirst());
  }

  private void writeTables() throws IOException {
    for (int shard = 0; shard < tables.length; shard++) {
      if (!tables[shard].isEmpty()) {
        writeTable(shard);
      }
    }
  }

  private void makeRoom(int bytes) throws IOException {
    if (written + buffer.size() + bytes + EntryFormat.SEAL_BYTES > active.diskBytes()) {
      roll();
    }
    if (!buffer.fits(bytes)) {
      flush();
      buffer.grow(bytes);
    }
  }

  private void roll() throws IOException {
    if (!buffer.fits(EntryFormat.SEAL_BYTES)) {
      flush();
    }
    buffer.seal();
    flush();
    putBackIfLost();
    file.force();
    file.truncate(written);
    file.close();
    active.seal(written, System.currentTimeMillis());
    try {
      next(active.sequence() + 1);
    } catch (InterruptedException e) {
      throw new IOException("interrupted while waiting for the next segment", e);
    }
  }

  private void next(long sequence) throws IOException, InterruptedException {
    active = spare.take(template.withSequence(sequence));
    file = segments.disk().open(active.path());
    active.written();
    written = active.end();
    writeTables();
  }

  /**
   * Where somebody has deleted the file or put another in its place: what is written is still there
   * for who has it open, and gets its name again.
   */
  void putBackIfLost() throws IOException {
    if (active.isInPlace()) {
      return;
    }
    flush();
    Path copy = segments.directory().resolve("put-back.tmp");
    try (SegmentFile target = segments.disk().create(copy)) {
      Quarantine.copy(file, 0, file.size(), target);
      target.force();
    }
    Files.move(
        copy, active.path(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    segments.disk().syncDirectory(segments.directory());
    file.close();
    file = segments.disk().open(active.path());
    active.written();
    LOG.error(
        "the segment {} was deleted or replaced while the node writes to it; it was put back, and"
            + " nothing is lost: stop whatever deletes files there",
        active.path());
  }

  private void flush() throws IOException {
    int size = buffer.size();
    file.write(buffer.gathered(), written);
    written += size;
    buffer.clear();
  }

  /** Makes all that was written durable. */
  void commit() throws IOException {
    flush();
    force();
    active.endsAt(written);
  }

  /** All before is in the file, or in one that was sealed. */
  private void force() throws IOException {
    file.force();
    forced = records;
  }

  /** Whether all records that were written are on disk. */
  boolean isForced() {
    return forced == records;
  }

  /** The end of what is durable, after {@link #commit}. */
  LogPosition position() {
    return new LogPosition(active.sequence(), written);
  }

  /** How much still fits into the segment. */
  long left() {
    return active.diskBytes() - written;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
