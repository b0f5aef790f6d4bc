package io.galop.persist.ram;

import io.galop.vertx.DirectMemory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of a node's RAM tier: slabs off the Java heap, all shards together within a number of
 * bytes. When a new slab does not fit, the node's oldest full slabs are evicted whole. Safe to call
 * from any thread; it is called once per slab, not per record.
 *
 * <p>The slab that each shard is writing to cannot be evicted, which is why slabs are small against
 * the bound. What readers retain of evicted slabs comes on top: at most one slab for each reader.
 */
public final class RamTier implements AutoCloseable {
  private static final int SMALLEST_SLAB = 4 * 1024;
  private static final int LARGEST_SLAB = 4 * 1024 * 1024;
  private static final int SLABS_PER_SHARD = 8;

  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
  private final Set<Slab> full = new LinkedHashSet<>();
  private final AtomicLong allocatedBytes = new AtomicLong();
  private final AtomicLong evictions = new AtomicLong();
  private final long maxBytes;
  private final int slabBytes;
  private long heldBytes;

  /**
   * @param maxBytes of all slabs together
   * @param shards how many shards share them
   */
  public RamTier(long maxBytes, int shards) {
    this.maxBytes = maxBytes;
    long share = maxBytes / ((long) shards * SLABS_PER_SHARD);
    this.slabBytes = (int) Math.max(SMALLEST_SLAB, Math.min(LARGEST_SLAB, share));
  }

  /**
   * A new slab.
   *
   * @param wantedBytes its size, unless it is more than slabs here have
   * @param leastBytes what it must have room for, whatever the size of slabs is
   * @throws IllegalStateException if the Java machine has no memory for it, even without all others
   */
  Slab allocate(int wantedBytes, int leastBytes, long epoch, long firstOffset) {
    int size = Math.max(leastBytes, Math.min(wantedBytes, slabBytes));
    reserve(size, maxBytes);
    try {
      return slab(size, epoch, firstOffset);
    } catch (IllegalStateException e) {
      return lastResort(size, epoch, firstOffset);
    }
  }

  private Slab lastResort(int size, long epoch, long firstOffset) {
    reserve(0, 0);
    try {
      return slab(size, epoch, firstOffset);
    } catch (IllegalStateException e) {
      reserve(-size, maxBytes);
      throw new IllegalStateException("no memory for the RAM tier: " + e.getMessage(), e);
    }
  }

  private Slab slab(int size, long epoch, long firstOffset) {
    Slab slab = new Slab(this, DirectMemory.allocate(memory, size), epoch, firstOffset);
    allocatedBytes.addAndGet(size);
    return slab;
  }

  private synchronized void reserve(int size, long most) {
    var oldest = full.iterator();
    while (heldBytes + size > most && oldest.hasNext()) {
      Slab slab = oldest.next();
      oldest.remove();
      heldBytes -= slab.capacity();
      evictions.incrementAndGet();
      slab.evict();
    }
    heldBytes += size;
  }

  /** Nothing will be written to the slab any more: it may be evicted. */
  synchronized void onFull(Slab slab) {
    full.add(slab);
  }

  /** The shard itself lets go of a slab, because of its age or its own end. */
  synchronized void drop(Slab slab) {
    full.remove(slab);
    if (!slab.isEvicted()) {
      heldBytes -= slab.capacity();
      slab.evict();
    }
  }

  void freed(int size) {
    allocatedBytes.addAndGet(-size);
  }

  /** Shows how much of the tier is taken, and what it cost others. */
  public void register(MeterRegistry meters) {
    Gauge.builder("galop.persist.ram", this, RamTier::allocatedBytes)
        .baseUnit("bytes")
        .description("Bytes of the RAM tier that are taken")
        .strongReference(true)
        .register(meters);
    FunctionCounter.builder("galop.persist.ram.evictions", this, RamTier::evictions)
        .baseUnit("slabs")
        .description("Slabs that went because of persist.ram.maxBytes")
        .register(meters);
  }

  /** Bytes taken from the system at present, what readers still hold included. */
  public long allocatedBytes() {
    return allocatedBytes.get();
  }

  /** How many slabs went because of the bound in bytes. */
  public long evictions() {
    return evictions.get();
  }

  /** The size of a slab that a busy shard fills. */
  int slabBytes() {
    return slabBytes;
  }

  /** Lets go of all full slabs; the shards close theirs. */
  @Override
  public synchronized void close() {
    full.forEach(Slab::evict);
    full.clear();
  }
}
