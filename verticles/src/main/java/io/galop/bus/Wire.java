package io.galop.bus;

import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.RecordCodec;
import io.galop.record.TraceContext;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads the bus messages; integers are big-endian, texts carry a u16 length. */
final class Wire {
  /** A Position and a record with nothing in it: a count beyond what can be there is a lie. */
  private static final int LEAST_PLACED = 36;

  private Wire() {}

  /** A place in a buffer that moves as it reads. */
  static final class Reader {
    private final Buffer from;
    private int at;

    Reader(Buffer from, int at) {
      this.from = from;
      this.at = at;
    }

    /** Whether the sender, of another version perhaps, said more than has been read. */
    boolean hasMore() {
      return at < from.length();
    }

    boolean bool() {
      return from.getByte(at++) != 0;
    }

    int u8() {
      return from.getByte(at++) & 0xff;
    }

    int i32() {
      at += 4;
      return from.getInt(at - 4);
    }

    long i64() {
      at += 8;
      return from.getLong(at - 8);
    }

    String text() {
      int length = from.getUnsignedShort(at);
      at += 2 + length;
      return from.getString(at - length, at, StandardCharsets.UTF_8.name());
    }

    JsonObject json() {
      int length = i32();
      if (length < 0 || length > from.length() - at) {
        throw new IllegalArgumentException("JSON of " + length + " bytes");
      }
      at += length;
      try {
        return new JsonObject(from.getBuffer(at - length, at));
      } catch (DecodeException | ClassCastException e) {
        throw new IllegalArgumentException("no JSON object", e);
      }
    }

    Position position() {
      return new Position(i32(), i64(), i64());
    }

    List<Placed> placed() {
      int count = i32();
      List<Placed> records = new ArrayList<>(Math.min(count, from.length() / LEAST_PLACED));
      for (int i = 0; i < count; i++) {
        Position position = position();
        int length = RecordCodec.length(from, at);
        records.add(new Placed(position, RecordCodec.read(from, at)));
        at += length;
      }
      return records;
    }

    /** The last part of its message: behind it stands its stamp, or nothing. */
    Batch batch() {
      Batch batch = RecordCodec.readBatch(from, at);
      at += RecordCodec.batchLength(from, at);
      return hasMore() ? batch.stamped(stamp()) : batch;
    }

    /** Behind it stands its trace, or nothing. */
    private DoorStamp stamp() {
      DoorStamp stamp = new DoorStamp(text(), text(), i64());
      return hasMore() ? stamp.traced(new TraceContext(i64(), i64(), i64(), u8())) : stamp;
    }
  }

  static Buffer text(Buffer to, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return to.appendUnsignedShort(bytes.length).appendBytes(bytes);
  }

  static Buffer json(Buffer to, JsonObject json) {
    Buffer bytes = json.toBuffer();
    return to.appendInt(bytes.length()).appendBuffer(bytes);
  }

  static Buffer bool(Buffer to, boolean value) {
    return to.appendByte((byte) (value ? 1 : 0));
  }

  static Buffer position(Buffer to, Position position) {
    return to.appendInt(position.shard())
        .appendLong(position.epoch())
        .appendLong(position.offset());
  }

  /** A Batch as the last part of a message, with its stamp, which older versions do not read. */
  static void batch(Buffer to, Batch batch) {
    RecordCodec.write(batch, to);
    DoorStamp stamp = batch.stamp();
    TraceContext trace = stamp.trace();
    if (!stamp.isNone()) {
      text(text(to, stamp.node()), stamp.door()).appendLong(stamp.atUs());
    }
    if (!stamp.isNone() && trace != null) {
      to.appendLong(trace.traceHigh()).appendLong(trace.traceLow());
      to.appendLong(trace.parentId()).appendByte((byte) trace.flags());
    }
  }

  static void placed(Buffer to, List<Placed> records) {
    to.appendInt(records.size());
    for (Placed placed : records) {
      position(to, placed.position());
      RecordCodec.write(placed.record(), to);
    }
  }
}
