package io.galop.node;

import io.galop.record.Placed;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.List;

/** A shard that this node owns in an epoch, for whoever hears of it beside the way of a record. */
public interface OwnedShard {
  int shard();

  /** The last record of each topic, in a list of all; only on the loop of the shard. */
  List<Placed> latest();

  /**
   * The same from any thread.
   *
   * @return succeeds on the loop of the shard, between what was heard before and what is heard next
   */
  Future<List<Placed>> latestNow();

  /**
   * Grows by one as soon as what was written last before may come to be beyond what the next start
   * of this node finds in its Log, unless it is written again before it has grown once more. From
   * any thread.
   */
  long logAge();

  /**
   * Has records kept in this epoch. They never come to the shard later on: what somebody knew of it
   * before a change of the owner must not lie behind what the next one found out. From any thread.
   *
   * @return succeeds when they are acknowledged; fails with a {@link io.galop.bus.Refusal}, which
   *     says that the shard has another owner or epoch once that is so
   */
  Future<Void> write(List<Record> records);
}
