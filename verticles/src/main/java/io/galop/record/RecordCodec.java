package io.galop.record;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The wire format of Records and Batches on the bus and in the Log. Integers are big-endian.
 *
 * <pre>
 * record: u32 bytes that follow | i64 timeUs | u16 id bytes | u16 topic bytes | id | topic | data
 * batch:  i32 shard | i64 epoch | i64 firstOffset | u32 records | record…
 * </pre>
 */
public final class RecordCodec {
  private static final int FIXED = 8 + 2 + 2;

  private RecordCodec() {}

  /** Appends a record. */
  public static void write(Record record, Buffer to) {
    byte[] id = record.id().getBytes(StandardCharsets.UTF_8);
    byte[] topic = record.topic().getBytes(StandardCharsets.UTF_8);
    byte[] data = record.data();
    to.appendInt(FIXED + id.length + topic.length + data.length);
    to.appendLong(record.timeUs());
    to.appendUnsignedShort(id.length);
    to.appendUnsignedShort(topic.length);
    to.appendBytes(id).appendBytes(topic).appendBytes(data);
  }

  /** How many bytes a record with its length takes at {@code at}. */
  public static int length(Buffer from, int at) {
    return 4 + from.getInt(at);
  }

  /** Reads the record at {@code at}. */
  public static Record read(Buffer from, int at) {
    int end = at + length(from, at);
    if (end > from.length()) { // before anybody makes room for it
      throw new IndexOutOfBoundsException("a record ends at " + end + " of " + from.length());
    }
    long timeUs = from.getLong(at + 4);
    int idEnd = at + 4 + FIXED + from.getUnsignedShort(at + 12);
    int topicEnd = idEnd + from.getUnsignedShort(at + 14);
    return new Record(
        text(from, at + 4 + FIXED, idEnd),
        text(from, idEnd, topicEnd),
        timeUs,
        from.getBytes(topicEnd, end));
  }

  /** The event time of the record at {@code at}. */
  public static long timeUs(Buffer from, int at) {
    return from.getLong(at + 4);
  }

  /** The topic of the record at {@code at}. */
  public static String topic(Buffer from, int at) {
    int start = topicStart(from, at);
    return text(from, start, start + from.getUnsignedShort(at + 14));
  }

  /** Whether the record at {@code at} is of a topic, given in UTF-8; reads no more than it must. */
  public static boolean hasTopic(Buffer from, int at, byte[] topic) {
    if (from.getUnsignedShort(at + 14) != topic.length) {
      return false;
    }
    int start = topicStart(from, at);
    for (int i = topic.length - 1; i >= 0; i--) {
      if (from.getByte(start + i) != topic[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the id of the record at {@code at} begins with some bytes. */
  public static boolean beginsWithId(Buffer from, int at, byte[] id) {
    if (from.getUnsignedShort(at + 12) < id.length) {
      return false;
    }
    int start = at + 4 + FIXED;
    for (int i = id.length - 1; i >= 0; i--) {
      if (from.getByte(start + i) != id[i]) {
        return false;
      }
    }
    return true;
  }

  private static int topicStart(Buffer from, int at) {
    return at + 4 + FIXED + from.getUnsignedShort(at + 12);
  }

  private static String text(Buffer from, int start, int end) {
    return new String(from.getBytes(start, end), StandardCharsets.UTF_8);
  }

  /** Appends a batch. */
  public static void write(Batch batch, Buffer to) {
    to.appendInt(batch.shard()).appendLong(batch.epoch()).appendLong(batch.firstOffset());
    to.appendInt(batch.records().size());
    for (Record record : batch.records()) {
      write(record, to);
    }
  }

  /** How many bytes the batch at {@code at} takes. */
  public static int batchLength(Buffer from, int at) {
    int next = at + 24;
    for (int left = from.getInt(at + 20); left > 0; left--) {
      next += length(from, next);
    }
    return next - at;
  }

  /** Reads the batch at {@code at}. */
  public static Batch readBatch(Buffer from, int at) {
    int count = from.getInt(at + 20);
    List<Record> records = new ArrayList<>(Math.min(count, from.length() / (4 + FIXED)));
    int next = at + 24;
    for (int i = 0; i < count; i++) {
      records.add(read(from, next));
      next += length(from, next);
    }
    return new Batch(from.getInt(at), from.getLong(at + 4), from.getLong(at + 12), records);
  }

  /** Roughly how many bytes records take in the wire format, all together. */
  public static long approximateBytes(List<Record> records) {
    long bytes = 0;
    for (Record record : records) {
      bytes += approximateBytes(record);
    }
    return bytes;
  }

  /** Roughly how many bytes a record takes in the wire format: exact where its names are ASCII. */
  public static int approximateBytes(Record record) {
    return 4 + FIXED + record.id().length() + record.topic().length() + record.data().length;
  }
}
