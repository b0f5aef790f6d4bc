package io.galop.enrich.script.swap;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what scripts keep. Nothing tells how much of the heap a script holds, so it goes by the
 * other end: when a full collection leaves too much, the script that has allocated the most since
 * it was loaded, which is about what it can hold at most, begins anew, and then the next. One that
 * this frees next to nothing of is left alone for a while. While the heap looks full and is not it
 * costs a full collection, ever less often, or every 2 s where the collector would make one by
 * itself. Safe to call from any thread.
 */
final class ScriptMemory {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptMemory.class);
  private static final double FULL = 0.75;

  /** From there on a collector makes full collections by itself. */
  private static final double NO_ROOM = 0.9;

  /** Of the heap; who has allocated less cannot be what fills it, and frees too little. */
  private static final double NOTABLE = 0.05;

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long NO_ROOM_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LEFT_ALONE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final double MEGABYTE = 1 << 20;

  private final List<MemoryPoolMXBean> pools;
  private final Supplier<? extends Stream<? extends Keeper>> keepers;
  private final long maxBytes = Runtime.getRuntime().maxMemory();
  private long lookedNanos = System.nanoTime() - PAUSE_NANOS;
  private long pauseNanos;

  /** The one that was begun anew last, until it is known what came of it; null if it is. */
  private @Nullable Keeper last;

  private long usedBefore;
  private long allocated;

  /** Who keeps something: a script as one event loop has it. Safe to call from any thread. */
  interface Keeper {
    /** What it has allocated since the script was loaded; no more can be kept in it. */
    long allocatedBytes();

    /** Forgets what it keeps before the next call, or now if there is none. */
    void beginAnew();

    /** Whether it has, since it was asked to. */
    boolean hasBegunAnew();

    /** Nothing is looked for here until then. */
    void leaveAlone(long untilNanos);

    boolean isLeftAlone(long nowNanos);

    /** It has begun anew; each amount with its unit. */
    void onBegunAnew(String used, String allocated, String freed);
  }

  /**
   * @param keepers all there are by now
   */
  ScriptMemory(Supplier<? extends Stream<? extends Keeper>> keepers) {
    this.keepers = keepers;
    // Those of young objects know no threshold: they are full before each collection.
    this.pools =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
            .toList();
  }

  /** So much allocated is worth a look, even in the middle of a list. */
  long worthALookBytes() {
    return maxBytes / 64;
  }

  /** Whether the heap looks full, garbage included. */
  private boolean isFull(double share) {
    for (MemoryPoolMXBean pool : pools) {
      MemoryUsage usage = pool.getUsage();
      long most = usage.getMax() < 0 ? maxBytes : usage.getMax();
      if (usage.getUsed() > share * most) {
        return true;
      }
    }
    return false;
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /**
   * Looks whether a script has to begin anew. A script's own thread asks too, so that none can
   * outrun the looking.
   */
  synchronized void look() {
    long now = System.nanoTime();
    if (last != null && last.hasBegunAnew()) {
      settle(last, now);
    }
    if (last != null || !isDue(now)) {
      return;
    }
    lookedNanos = now;
    System.gc();
    if (!isFull(FULL)) {
      pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(PAUSE_NANOS, 2 * pauseNanos));
      return;
    }
    Optional<? extends Keeper> most =
        keepers
            .get()
            .filter(one -> one.allocatedBytes() > NOTABLE * maxBytes && !one.isLeftAlone(now))
            .max(Comparator.comparingLong(Keeper::allocatedBytes));
    most.ifPresentOrElse(this::beginAnew, () -> pauseNanos = PAUSE_NANOS);
  }

  private boolean isDue(long now) {
    long since = now - lookedNanos;
    return since >= pauseNanos ? isFull(FULL) : since > NO_ROOM_PAUSE_NANOS && isFull(NO_ROOM);
  }

  private void beginAnew(Keeper keeper) {
    pauseNanos = 0;
    last = keeper;
    usedBefore = used();
    allocated = keeper.allocatedBytes();
    keeper.beginAnew();
  }

  private void settle(Keeper begun, long now) {
    System.gc();
    long freed = usedBefore - used();
    begun.onBegunAnew(megabytes(usedBefore), megabytes(allocated), megabytes(freed));
    if (freed < NOTABLE * maxBytes) {
      begun.leaveAlone(now + LEFT_ALONE_NANOS);
    }
    last = null;
  }

  private static String megabytes(long bytes) {
    return "%.1f MB".formatted(bytes / MEGABYTE);
  }

  /** Looks now and then, also while no script is called. */
  void watch() {
    try {
      look();
    } catch (RuntimeException | OutOfMemoryError e) { // it is what this is about
      LOG.debug("the memory of scripts could not be looked at", e);
    }
  }
}
