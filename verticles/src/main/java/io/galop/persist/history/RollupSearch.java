package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.persist.ram.Slab;
import io.galop.persist.rollup.Rollups;
import io.galop.persist.store.Store;
import io.galop.record.RecordCodec;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.galop.record.View;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Finds what roll-ups tell of an answer: the buckets that are whole in them. A bucket of which the
 * memory has a record that is not stored yet is not, nor is what lies behind it; that is folded
 * from records. Safe to call from any thread.
 */
final class RollupSearch {
  /** Beyond all times of records, and far from where sums of times overflow. */
  private static final long FAR_US = 4_000_000_000_000_000_000L;

  private final Rollups rollups;
  private final int shards;
  private final IntFunction<Slab[]> slabs;
  private final Counter used;

  /** A slab, and which records of it were there when the question came. */
  private record Seen(Rollups.Run run, Slab slab, long lastOffset) {}

  private RollupSearch(
      Rollups rollups, int shards, IntFunction<Slab[]> slabs, MeterRegistry meters) {
    this.rollups = rollups;
    this.shards = shards;
    this.slabs = slabs;
    this.used =
        Counter.builder("galop.history.rolled")
            .description("Answers with rows that were made of roll-ups, in part at least")
            .register(meters);
  }

  /** The roll-ups of the only store that answers, which then has all that the memory lacks. */
  static Optional<RollupSearch> of(
      Collection<Store> stores, int shards, IntFunction<Slab[]> slabs, MeterRegistry meters) {
    List<Store> asked = stores.stream().filter(Store::isAsked).toList();
    Optional<Rollups> rollups = asked.size() == 1 ? asked.get(0).rollups() : Optional.empty();
    return rollups.map(one -> new RollupSearch(one, shards, slabs, meters));
  }

  /** Whether roll-ups can tell anything of an answer; a viewer who is shown less needs records. */
  boolean mayTell(HistoryRequest request) {
    AnswerShape shape = request.shape();
    return shape.everyUs() > 0
        && request.view().equals(View.WHOLE)
        && rollups.cover(filter(request), shape.fields(), shape.everyUs());
  }

  private static TopicFilter filter(HistoryRequest request) {
    return TopicFilter.parse(request.query().filter(), Integer.MAX_VALUE);
  }

  /**
   * Reads them. Blocking.
   *
   * @param maxFolded buckets of the store that are read at most
   */
  Rolled find(HistoryRequest request, int maxFolded) throws Exception {
    HistoryQuery asked = request.asked(maxFolded);
    AnswerShape shape = request.shape();
    TopicFilter filter = filter(request);
    List<Seen> seen = seen(filter);
    RolledRows rows =
        new RolledRows(
            shape.everyUs(),
            shape.fields().size(),
            asked.newestFirst(),
            request.query().limit(),
            maxFolded);
    Rollups.Range[] chosen = new Rollups.Range[1];
    rollups.read(
        filter,
        shape.fields(),
        extent -> chosen[0] = range(asked, shape.everyUs(), extent, seen),
        rows);
    used.increment(rows.buckets().isEmpty() ? 0 : 1);
    return rolled(asked, chosen[0], rows);
  }

  private static Rolled rolled(HistoryQuery asked, Rollups.Range range, RolledRows rows) {
    boolean isEmpty = range.fromUs() >= range.toUs();
    Optional<HistoryQuery> older =
        isEmpty ? Optional.of(asked) : part(asked, asked.fromUs(), range.fromUs() - 1);
    Optional<HistoryQuery> newer =
        isEmpty ? Optional.empty() : part(asked, range.toUs(), asked.toUs());
    boolean swap = asked.newestFirst();
    return new Rolled(swap ? newer : older, rows.buckets(), rows.cutUs(), swap ? older : newer);
  }

  private static Optional<HistoryQuery> part(HistoryQuery of, long fromUs, long toUs) {
    return fromUs > toUs
        ? Optional.empty()
        : Optional.of(
            new HistoryQuery(of.filter(), fromUs, toUs, of.limit(), of.newestFirst(), of.next()));
  }

  /** Whole buckets that the extent has, up to the first record that is in memory only. */
  private static Rollups.Range range(
      HistoryQuery asked, long everyUs, Rollups.Extent extent, List<Seen> seen) {
    long least = Math.max(-FAR_US, Math.max(asked.fromUs(), extent.fromUs()));
    long from = -Math.floorDiv(-Math.min(FAR_US, least), everyUs) * everyUs;
    long end = Math.max(-FAR_US, Math.min(FAR_US, asked.toUs()) + 1);
    for (Seen one : seen) {
      end = Math.min(end, oldestNotStored(one, from, extent));
    }
    long to = Math.floorDiv(end, everyUs) * everyUs;
    return new Rollups.Range(from, Math.max(from, to), asked.newestFirst());
  }

  private List<Seen> seen(TopicFilter filter) {
    List<Seen> seen = new ArrayList<>();
    int only = filter.isExact() ? Topic.shard(filter.toString(), shards) : -1;
    for (int shard = 0; shard < shards; shard++) {
      if (only < 0 || only == shard) {
        for (Slab slab : slabs.apply(shard)) {
          seen.add(new Seen(new Rollups.Run(shard, slab.epoch()), slab, slab.lastOffset()));
        }
      }
    }
    return seen;
  }

  /**
   * Not before a time, and of records that are not stored; the latest possible if there is none.
   */
  private static long oldestNotStored(Seen seen, long fromUs, Rollups.Extent extent) {
    Slab slab = seen.slab();
    long stored = extent.lastOffsets().getOrDefault(seen.run(), Long.MIN_VALUE);
    if (stored >= seen.lastOffset()) {
      return Long.MAX_VALUE;
    }
    int end = slab.publishedBytes();
    if (slab.newestUs() < fromUs) {
      return Long.MAX_VALUE;
    }
    if (!slab.retain()) {
      return slab.oldestUs(); // gone meanwhile, perhaps into the store
    }
    try {
      return oldest(slab, end, stored, fromUs);
    } finally {
      slab.release();
    }
  }

  private static long oldest(Slab slab, int end, long stored, long fromUs) {
    Buffer bytes = slab.bytes();
    long oldest = Long.MAX_VALUE;
    long offset = slab.firstOffset();
    for (int at = 0; at < end; at += RecordCodec.length(bytes, at), offset++) {
      long timeUs = offset > stored ? RecordCodec.timeUs(bytes, at) : Long.MAX_VALUE;
      oldest = timeUs < fromUs ? oldest : Math.min(oldest, timeUs);
    }
    return oldest;
  }
}
