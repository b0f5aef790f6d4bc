package io.galop.persist;

import io.galop.persist.ram.ShardMemory;
import io.galop.record.Position;
import io.vertx.core.Future;

/**
 * Learns of what another node has placed beside this one, in an epoch that came in between: the
 * last values of topics that are newer there, and the ids. The records stay where they are, in that
 * node's Log and stores.
 */
record TailMerge(TailPages pages, ShardMemory into) {
  /** Reads the epoch that ends with a Position; as much of it as the node has in memory. */
  Future<Void> run(Position last) {
    Position begin = new Position(last.shard(), last.epoch(), 0);
    return pages.each(() -> begin, page -> page.records().forEach(into::merge));
  }
}
