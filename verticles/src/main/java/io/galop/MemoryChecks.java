package io.galop;

import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.config.enrich.EnrichConfig;
import io.galop.config.enrich.ScriptConfig;
import io.galop.config.persist.PersistConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.StoreConfig;
import io.galop.yaml.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Whether what a node may hold at all of its bounds at once fits into the memory that its Java
 * machine may take. By default it does; what is configured may not, and would end the node when all
 * come together, in an hour of load.
 */
final class MemoryChecks {
  /** The rest is for objects that live for moments only, and for what has no bound of its own. */
  private static final double USABLE = 0.85;

  private static final int ID_OF_ENRICHMENT_BYTES = 36;
  private static final int ID_OF_OWNER_BYTES = 32;
  private static final int SHOWN = 5;
  private static final long MIB = 1 << 20;

  private final GalopConfig config;
  private final List<Bound> bounds = new ArrayList<>();

  private record Bound(String key, long bytes) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s %,d MiB", key, Math.max(1, bytes / MIB));
    }
  }

  private MemoryChecks(GalopConfig config) {
    this.config = config;
  }

  /** What is wrong, each a sentence that begins with a dotted path. */
  static List<String> problems(GalopConfig config) {
    MemoryChecks checks = new MemoryChecks(config);
    List<String> problems = new ArrayList<>();
    checks.collect();
    checks.heap(Share.Of.HEAP.bytes(), problems);
    long directBytes = Share.Of.DIRECT.bytes();
    if (config.runs(Role.PERSIST)) {
      outside("persist.ram.maxBytes", config.persist().ram().maxBytes(), directBytes, problems);
    }
    if (config.feedsRelaysAsRelay()) {
      long ringBytes = config.broadcast().ring().maxBytes();
      outside("broadcast.ring.maxBytes", ringBytes, directBytes, problems);
    }
    return problems;
  }

  private void collect() {
    long shards = config.node().shards();
    add("persist.history.answerBytes", config.persist().history().answerBytes());
    if (config.runs(Role.INGEST)) {
      add("ingest.maxInFlightBytes", config.ingest().maxInFlightBytes());
    }
    if (config.runs(Role.ENRICH)) {
      EnrichConfig enrich = config.enrich();
      add("enrich.maxPendingBytes", shards * enrich.maxPendingBytes());
      add("enrich.maxUnsettledBytes", shards * enrich.maxUnsettledBytes());
      if (enrich.chain().stream().anyMatch(ScriptConfig.class::isInstance)) {
        add("enrich.maxStateBytes", enrich.maxStateBytes());
      }
      add("enrich.rememberedIds", shards * enrich.rememberedIds() * ID_OF_ENRICHMENT_BYTES);
    }
    if (config.runs(Role.PERSIST)) {
      persist(config.persist(), shards);
    }
    if (config.runs(Role.BROADCAST)) {
      BroadcastConfig broadcast = config.broadcast();
      add("broadcast.latestMaxBytes", broadcast.latestMaxBytes());
      add("broadcast.ring.maxBytes", broadcast.ring().maxBytes());
      add("broadcast.resume.maxBytes", broadcast.resume().maxBytes());
      if (config.feedsRelaysAsRelay()) { // it keeps what it is sent a second time, as it came
        add("broadcast.latestMaxBytes for relays", broadcast.latestMaxBytes());
      }
    }
  }

  private void persist(PersistConfig persist, long shards) {
    add("persist.rememberedIds", shards * persist.rememberedIds() * ID_OF_OWNER_BYTES);
    add("persist.latestBytes", persist.latestBytes());
    add("persist.log.queueBytes", 2L * persist.log().queueBytes());
    add("persist.history.cacheBytes", 2 * persist.history().cacheBytes());
    if (!persist.rollups().rules().isEmpty()) {
      add("persist.rollups.heapBytes", persist.rollups().heapBytes());
    }
    persist.backup().ifPresent(backup -> sink("persist.backup", backup.sink()));
    for (StoreConfig store : persist.cold().stores()) {
      sink("persist.cold.stores " + store.name(), store.sink());
    }
  }

  private void sink(String path, SinkConfig sink) {
    add(path + " sink.inFlightBytes", sink.inFlightBytes());
  }

  private void add(String key, long bytes) {
    bounds.add(new Bound(key, bytes));
  }

  private void heap(long heapBytes, List<String> problems) {
    long all = bounds.stream().mapToLong(Bound::bytes).sum();
    if (all <= heapBytes * USABLE) {
      return;
    }
    bounds.sort(Comparator.comparingLong(Bound::bytes).reversed());
    String largest =
        bounds.stream().limit(SHOWN).map(Bound::toString).collect(Collectors.joining(", "));
    problems.add(
        String.format(
            Locale.ROOT,
            "%s: what this node may hold at its bounds, %,d MiB, does not fit into a heap of %,d"
                + " MiB; make the largest smaller (%s; all shards together), or give Java more"
                + " (-Xmx, or the container more memory)",
            bounds.get(0).key().replaceFirst(" .*", ""),
            all / MIB,
            heapBytes / MIB,
            largest));
  }

  private static void outside(String key, long ramBytes, long directBytes, List<String> problems) {
    if (ramBytes > directBytes / 4 * 3) {
      problems.add(
          String.format(
              Locale.ROOT,
              "%s: must be at most %,d MiB, three quarters of what Java may take"
                  + " outside the heap, not %,d MiB; make it smaller or give Java more"
                  + " (-XX:MaxDirectMemorySize)",
              key,
              directBytes / 4 * 3 / MIB,
              ramBytes / MIB));
    }
  }
}
