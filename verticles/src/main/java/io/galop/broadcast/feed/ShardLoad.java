package io.galop.broadcast.feed;

import io.galop.broadcast.ring.Entry;
import io.galop.bus.Ask;
import io.galop.bus.FeedLane;
import io.galop.bus.Page;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Loads the latest record of each topic of a shard from its owner. */
final class ShardLoad {
  private static final int PAGE_BYTES = 512 * 1024;

  private final FeedLane lane;
  private final int shard;
  private final BooleanSupplier isWanted;

  /** Which topics; null: all. */
  private final @Nullable List<TopicFilter> filters;

  private final boolean keepsRecords;
  private final Promise<Loaded> result = Promise.promise();
  private final List<Entry> entries = new ArrayList<>();
  private final List<Placed> records = new ArrayList<>();
  private @Nullable Position head;
  private boolean complete = true;

  /**
   * What was loaded.
   *
   * @param head everything up to here is in {@code entries} or was replaced by something newer
   * @param entries in the order of their Positions, perhaps with some after {@code head}
   * @param records the same as they came, if they are kept
   * @param complete whether the owner knows the last values of all topics
   */
  record Loaded(Position head, List<Entry> entries, List<Placed> records, boolean complete) {
    /** Up to here a record may be in {@code entries}. */
    Position end() {
      Position last = entries.isEmpty() ? head : entries.get(entries.size() - 1).position();
      return last.compareTo(head) > 0 ? last : head;
    }

    /**
     * After the loss of an owner all that its successor has taken can still come one by one: then
     * this is cut off where the successor's epoch begins.
     *
     * @param heldAfter after which the owner has everything, if that is what is known
     */
    Loaded before(Position heldAfter) {
      boolean isBegin = heldAfter.offset() == 0 && heldAfter.epoch() == head.epoch();
      return isBegin && heldAfter.compareTo(head) < 0
          ? new Loaded(
              heldAfter,
              entries.stream().filter(e -> e.position().compareTo(heldAfter) <= 0).toList(),
              records.stream().filter(r -> r.position().compareTo(heldAfter) <= 0).toList(),
              complete)
          : this;
    }
  }

  private ShardLoad(
      FeedLane lane,
      int shard,
      @Nullable List<TopicFilter> filters,
      boolean keepsRecords,
      BooleanSupplier isWanted) {
    this.filters = filters;
    this.lane = lane;
    this.shard = shard;
    this.keepsRecords = keepsRecords;
    this.isWanted = isWanted;
  }

  /**
   * Asks page after page for as long as the answer is wanted.
   *
   * @param filters which topics are wanted; null: all
   * @param keepsRecords whether the records are wanted as they came, too
   */
  static Future<Loaded> start(
      FeedLane lane,
      int shard,
      @Nullable List<TopicFilter> filters,
      boolean keepsRecords,
      BooleanSupplier isWanted) {
    ShardLoad load = new ShardLoad(lane, shard, filters, keepsRecords, isWanted);
    load.ask("");
    return load.result.future();
  }

  private void ask(String next) {
    Ask ask = new Ask(shard, Position.none(shard), next, PAGE_BYTES);
    Future<Page> page =
        filters == null
            ? lane.latest(ask)
            : lane.values(ask, filters.stream().map(TopicFilter::toString).toList());
    page.onSuccess(this::take).onFailure(result::fail);
  }

  /** A node of an older version gives all. */
  private boolean isAskedFor(String topic) {
    return filters == null || filters.stream().anyMatch(filter -> filter.matches(topic));
  }

  private void take(Page page) {
    try {
      add(page);
    } catch (RuntimeException | OutOfMemoryError fault) {
      result.tryFail(fault);
    }
  }

  private void add(Page page) {
    if (!isWanted.getAsBoolean()) {
      result.fail("no longer wanted");
      return;
    }
    Position first = head == null ? page.upTo() : head;
    head = first;
    complete &= page.complete();
    page.records().stream()
        .filter(placed -> isAskedFor(placed.record().topic()))
        .forEach(this::add);
    if (!page.next().isEmpty()) {
      ask(page.next());
      return;
    }
    entries.sort(Comparator.comparing(Entry::position));
    records.sort(Comparator.comparing(Placed::position));
    result.complete(new Loaded(first, entries, records, complete));
  }

  private void add(Placed placed) {
    entries.add(Entry.of(placed.position(), placed.record()));
    if (keepsRecords) {
      records.add(placed);
    }
  }
}
