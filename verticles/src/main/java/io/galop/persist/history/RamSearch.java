package io.galop.persist.history;

import io.galop.persist.ram.Slab;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.RecordCodec;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the first records of an answer in slabs of the RAM tier. Their records are in no order of
 * event time, so each slab is walked once; slabs that cannot hold anything better than what has
 * been found are passed over. Blocking, on whatever thread.
 */
final class RamSearch {
  private final ColdQuery query;
  private final Order order;
  private final byte[] topic;
  private final Comparator<Placed> byKey;
  private final List<Placed> found = new ArrayList<>();
  private long foundBytes;

  /** Whether there are as many as wanted, and of those known as such the last one's time. */
  private boolean isFull;

  private long lastUs;

  /** Of those left out for want of room, the one that comes first: nothing behind it is taken. */
  private Optional<ColdKey> end = Optional.empty();

  RamSearch(ColdQuery query) {
    this.query = query;
    this.order = new Order(query.newestFirst());
    this.topic = query.filter().toString().getBytes(StandardCharsets.UTF_8);
    this.byKey = this::compare;
  }

  /**
   * A slab and the shard it belongs to.
   *
   * @param firstUs the event time in it that comes first in the order, of this moment
   */
  record Place(int shard, Slab slab, long firstUs) {}

  /** Searches; retains one slab at a time. */
  Part run(List<Place> places) {
    List<Place> best = new ArrayList<>(places);
    best.sort(
        query.newestFirst()
            ? Comparator.comparingLong(Place::firstUs).reversed()
            : Comparator.comparingLong(Place::firstUs));
    for (Place place : best) {
      if (place.slab().retain()) {
        try {
          search(place.shard(), place.slab());
        } finally {
          place.slab().release();
        }
      }
    }
    return part();
  }

  private void search(int shard, Slab slab) {
    if (found.size() >= query.limit()) {
      cut();
    }
    int end = slab.publishedBytes();
    long bestUs = query.newestFirst() ? slab.newestUs() : slab.oldestUs();
    if (!slab.mayHold(query.fromUs(), query.toUs()) || isTooLate(bestUs)) {
      return;
    }
    Buffer bytes = slab.bytes();
    long offset = slab.firstOffset();
    for (int at = 0; at < end; at += RecordCodec.length(bytes, at), offset++) {
      if (mayMatch(bytes, at)) {
        Position position = new Position(shard, slab.epoch(), offset);
        take(new Placed(position, RecordCodec.read(bytes, at)));
      }
    }
  }

  private boolean mayMatch(Buffer bytes, int at) {
    long timeUs = RecordCodec.timeUs(bytes, at);
    if (timeUs < query.fromUs() || timeUs > query.toUs() || isTooLate(timeUs)) {
      return false;
    }
    if (query.after().filter(key -> order.isBehind(key.timeUs(), timeUs)).isPresent()) {
      return false;
    }
    return query.filter().isExact()
        ? RecordCodec.hasTopic(bytes, at, topic)
        : query.filter().matches(RecordCodec.topic(bytes, at));
  }

  /** Most differ in time, which is looked at without making a key. */
  private int compare(Placed a, Placed b) {
    long aUs = a.record().timeUs();
    long bUs = b.record().timeUs();
    if (aUs != bUs) {
      return order.isBehind(aUs, bUs) ? 1 : -1;
    }
    return order.compare(Order.key(a), Order.key(b));
  }

  /** Whether as many as wanted were found that all come before a time. */
  private boolean isTooLate(long timeUs) {
    return isFull && order.isBehind(timeUs, lastUs);
  }

  private void take(Placed placed) {
    ColdKey key = Order.key(placed);
    if (query.after().filter(after -> order.compare(key, after) <= 0).isPresent()) {
      return;
    }
    if (end.filter(last -> order.compare(key, last) >= 0).isPresent()) {
      return;
    }
    found.add(placed);
    foundBytes += RecordCodec.approximateBytes(placed.record());
    if (found.size() >= 2L * query.limit() || foundBytes >= 2L * query.maxBytes()) {
      cut();
    }
  }

  /** Records mostly come in order, so that sorting many at once is little more than a walk. */
  private void cut() {
    found.sort(byKey);
    int size = found.size();
    while (size > query.limit() || size > 1 && foundBytes > query.maxBytes()) {
      size--;
      foundBytes -= RecordCodec.approximateBytes(found.get(size).record());
    }
    if (size < found.size()) {
      end = Optional.of(Order.key(found.get(size)));
      found.subList(size, found.size()).clear();
    }
    isFull = end.isPresent() || size == query.limit();
    if (isFull) {
      lastUs = found.get(size - 1).record().timeUs();
    }
  }

  private Part part() {
    cut();
    List<Placed> records = new ArrayList<>(found.size());
    Placed before = null;
    for (Placed placed : found) {
      if (before == null || byKey.compare(before, placed) != 0) {
        records.add(placed);
      }
      before = placed;
    }
    return new Part(
        records,
        isFull ? Optional.of(Order.key(records.get(records.size() - 1))) : Optional.empty());
  }
}
