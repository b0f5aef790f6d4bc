package io.galop.persist.ram;

import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.galop.vertx.Buffers;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A piece of memory off the heap with consecutive records of one epoch of one shard. One event loop
 * writes; any thread may read between {@link #retain} and {@link #release}.
 */
public final class Slab {
  /** One index entry for so many records: 4 bytes of heap, and at most so many lengths to walk. */
  private static final int INDEX_EVERY = 16;

  /** Longest UTF-8 form of a Java char. */
  private static final int WIDEST_CHAR = 3;

  private final RamTier tier;
  private final ByteBuf memory;
  private final Buffer bytes;
  private final AtomicInteger references = new AtomicInteger(1);
  private final long epoch;
  private final long firstOffset;
  private int[] index = new int[INDEX_EVERY];
  private int count;
  private long oldestUs = Long.MAX_VALUE;
  private long newestUs = Long.MIN_VALUE;
  private long writtenMs;

  /** Count and bytes in one word, so that a reader on another thread sees both of one moment. */
  private volatile long published;

  private volatile boolean evicted;

  Slab(RamTier tier, ByteBuf memory, long epoch, long firstOffset) {
    this.tier = tier;
    this.memory = memory;
    this.bytes = Buffers.of(memory);
    this.epoch = epoch;
    this.firstOffset = firstOffset;
  }

  /** At most so many bytes does a record take; exact would cost a walk over its names. */
  static int mostBytes(Record record) {
    int names = record.id().length() + record.topic().length();
    return RecordCodec.approximateBytes(record) + (WIDEST_CHAR - 1) * names;
  }

  /** Writes a record unless there is no room for it; seen by readers after {@link #publish}. */
  boolean append(Record record) {
    if (mostBytes(record) > memory.capacity() - memory.writerIndex()) {
      return false;
    }
    if (count % INDEX_EVERY == 0) {
      int slot = count / INDEX_EVERY;
      index = slot < index.length ? index : Arrays.copyOf(index, slot * 2);
      index[slot] = memory.writerIndex();
    }
    RecordCodec.write(record, bytes);
    count++;
    oldestUs = Math.min(oldestUs, record.timeUs());
    newestUs = Math.max(newestUs, record.timeUs());
    return true;
  }

  void publish(long nowMs) {
    writtenMs = nowMs;
    published = (long) count << 32 | memory.writerIndex();
  }

  /** Where the record at an offset that is in here begins; for the writer's thread only. */
  int startOf(long offset) {
    int wanted = (int) (offset - firstOffset);
    int at = index[wanted / INDEX_EVERY];
    for (int i = wanted % INDEX_EVERY; i > 0; i--) {
      at += RecordCodec.length(bytes, at);
    }
    return at;
  }

  /** Keeps the memory until {@link #release}, unless it is gone already. */
  public boolean retain() {
    int seen = references.get();
    while (seen > 0) {
      if (references.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = references.get();
    }
    return false;
  }

  /** Ends what {@link #retain} began; the last one gives the memory back. */
  public void release() {
    if (references.decrementAndGet() == 0) {
      memory.release();
      tier.freed(memory.capacity());
    }
  }

  /** The tier lets go: no new reader, and the memory is freed once the present ones are done. */
  void evict() {
    if (!evicted) {
      evicted = true;
      release();
    }
  }

  boolean isEvicted() {
    return evicted;
  }

  /** The records in the format of {@link RecordCodec}, one after another; never written to. */
  public Buffer bytes() {
    return bytes;
  }

  /** Up to which byte the records may be read. */
  public int publishedBytes() {
    return (int) published;
  }

  int publishedCount() {
    return (int) (published >>> 32);
  }

  int capacity() {
    return memory.capacity();
  }

  /** The epoch of all records in here. */
  public long epoch() {
    return epoch;
  }

  /** The offset of the first record. */
  public long firstOffset() {
    return firstOffset;
  }

  long lastOffset() {
    return firstOffset + publishedCount() - 1;
  }

  /**
   * When the last record was written, in milliseconds since 1970; read {@link #publishedBytes}
   * first.
   */
  public long writtenMs() {
    return writtenMs;
  }

  /** The oldest event time in here; read {@link #publishedBytes} first. */
  public long oldestUs() {
    return oldestUs;
  }

  /** The newest event time in here; read {@link #publishedBytes} first. */
  public long newestUs() {
    return newestUs;
  }

  /**
   * Whether a record in here may have an event time between two, both included. Read {@link
   * #publishedBytes} first: what is published by then is covered.
   */
  public boolean mayHold(long fromUs, long toUs) {
    return oldestUs <= toUs && newestUs >= fromUs;
  }
}
