package io.galop.persist.log.file;

import io.galop.record.Record;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/** Gathers entries off the heap, as they will stand in the file. */
public final class EntryBuffer {
  private final CRC32C crc = new CRC32C();
  private ByteBuffer bytes;

  public EntryBuffer(int capacity) {
    bytes = ByteBuffer.allocateDirect(capacity);
  }

  public int size() {
    return bytes.position();
  }

  public boolean fits(int more) {
    return bytes.remaining() >= more;
  }

  /** Makes an empty buffer large enough for one entry. */
  public void grow(int capacity) {
    if (bytes.capacity() < capacity) {
      bytes = ByteBuffer.allocateDirect(capacity);
    }
  }

  public void record(int shard, long epoch, long offset, Record record, byte[] id, byte[] topic) {
    int start = begin(EntryFormat.RECORD);
    bytes.putShort((short) shard).putLong(epoch).putLong(offset).putLong(record.timeUs());
    bytes.putShort((short) id.length).putShort((short) topic.length);
    bytes.put(id).put(topic).put(record.data());
    end(start);
  }

  public void epochs(int shard, List<EpochEnd> oldestFirst) {
    int start = begin(EntryFormat.EPOCHS);
    bytes.putShort((short) shard).putShort((short) oldestFirst.size());
    for (EpochEnd end : oldestFirst) {
      bytes.putLong(end.epoch()).putLong(end.lastOffset());
    }
    end(start);
  }

  public void seal() {
    end(begin(EntryFormat.SEAL));
  }

  private int begin(byte type) {
    int start = bytes.position();
    bytes.position(start + EntryFormat.HEAD_BYTES).put(type);
    return start;
  }

  private void end(int start) {
    int end = bytes.position();
    int from = start + EntryFormat.HEAD_BYTES;
    crc.reset();
    crc.update(bytes.limit(end).position(from));
    bytes.limit(bytes.capacity()).position(end);
    bytes.putInt(start, end - from).putInt(start + 4, (int) crc.getValue());
  }

  /** What was gathered, ready to be written; call {@link #clear} afterwards. */
  public ByteBuffer gathered() {
    return bytes.flip();
  }

  public void clear() {
    bytes.clear();
  }
}
