package io.galop.persist.log.file;

import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of what follows a segment's header. Integers are big-endian.
 *
 * <pre>
 * entry:  u32 bytes after the checksum | u32 CRC32C of them | u8 type | payload
 * RECORD: u16 shard | i64 epoch | i64 offset | i64 timeUs | u16 id bytes | u16 topic bytes
 *         | id | topic | data
 * EPOCHS: u16 shard | u16 epochs | (i64 epoch | i64 last offset)…, oldest first
 * SEAL:   nothing; the segment ends here and another follows
 * </pre>
 *
 * Each record is an entry of its own and says where it belongs, so whatever happens to one costs no
 * other. Types are no letters of UTF-8 text, so hardly any byte of a damaged stretch looks like an
 * entry.
 */
public final class EntryFormat {
  public static final int HEAD_BYTES = 8;
  public static final byte RECORD = (byte) 0xE1;
  static final byte EPOCHS = (byte) 0xE2;
  public static final byte SEAL = (byte) 0xE3;
  public static final int SEAL_BYTES = HEAD_BYTES + 1;
  public static final int RECORD_FIXED_BYTES = HEAD_BYTES + 1 + 2 + 8 + 8 + 8 + 2 + 2;
  private static final int SHARD_AT = 1;
  private static final int EPOCH_AT = 3;
  private static final int OFFSET_AT = 11;
  private static final int TIME_AT = 19;
  private static final int ID_BYTES_AT = 27;
  private static final int ID_AT = 31;

  private EntryFormat() {}

  static boolean isType(byte type) {
    return type == RECORD || type == EPOCHS || type == SEAL;
  }

  public static int epochsBytes(int epochs) {
    return HEAD_BYTES + 1 + 2 + 2 + 16 * epochs;
  }

  /** The shard of a RECORD or EPOCHS whose type stands at {@code at}. */
  public static int shard(ByteBuffer from, int at) {
    return from.getShort(at + SHARD_AT) & 0xffff;
  }

  public static long epoch(ByteBuffer from, int at) {
    return from.getLong(at + EPOCH_AT);
  }

  public static long offset(ByteBuffer from, int at) {
    return from.getLong(at + OFFSET_AT);
  }

  public static long timeUs(ByteBuffer from, int at) {
    return from.getLong(at + TIME_AT);
  }

  public static Placed record(ByteBuffer from, int at, int length) {
    int topicAt = at + ID_AT + (from.getShort(at + ID_BYTES_AT) & 0xffff);
    int dataAt = topicAt + (from.getShort(at + ID_BYTES_AT + 2) & 0xffff);
    byte[] data = new byte[at + length - dataAt];
    from.get(dataAt, data);
    return new Placed(
        new Position(shard(from, at), epoch(from, at), offset(from, at)),
        new Record(
            text(from, at + ID_AT, topicAt), text(from, topicAt, dataAt), timeUs(from, at), data));
  }

  private static String text(ByteBuffer from, int start, int end) {
    byte[] bytes = new byte[end - start];
    from.get(start, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static List<EpochEnd> epochs(ByteBuffer from, int at) {
    int count = from.getShort(at + 3) & 0xffff;
    List<EpochEnd> epochs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int next = at + 5 + 16 * i;
      epochs.add(new EpochEnd(from.getLong(next), from.getLong(next + 8)));
    }
    return epochs;
  }
}
