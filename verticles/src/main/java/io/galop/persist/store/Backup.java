package io.galop.persist.store;

import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;

/** A store that holds every record for a while, so that another node can go on with a shard. */
public interface Backup extends Store {

  /**
   * What is held of a shard behind a Position.
   *
   * @param since the last Position that is known; {@link Position#none} for all
   * @param maxBytes about how much: the newest records come first into it
   * @return in the order of their Positions, each id of a topic once; there may be gaps where
   *     records were trimmed
   */
  Future<List<Placed>> range(int shard, Position since, long maxBytes);
}
