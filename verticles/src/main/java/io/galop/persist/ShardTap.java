package io.galop.persist;

import io.galop.node.Node;
import io.galop.node.OwnedShard;
import io.galop.node.OwnerTap;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.List;

/** Has whoever listens beside the way of a record hear of a shard. On the shard's loop. */
final class ShardTap {
  private final Loop loop = Loop.current();
  private final int shard;
  private final ShardOwner owner;
  private final LogAge logAge;
  private final Runnable noteTheTime;

  private ShardTap(int shard, ShardOwner owner, LogAge logAge, Runnable noteTheTime) {
    this.shard = shard;
    this.owner = owner;
    this.logAge = logAge;
    this.noteTheTime = noteTheTime;
  }

  /**
   * To be called before the shard is owned.
   *
   * @param noteTheTime is called before each request: what waits after a standstill is of before
   */
  static void listen(
      Node node, int shard, ShardOwner owner, PersistStorage storage, Runnable noteTheTime) {
    OwnerTap tap = node.owners().tap();
    LogAge logAge = LogAge.of(storage.log(), node.config().persist(), System.nanoTime());
    ShardTap from = new ShardTap(shard, owner, logAge, noteTheTime);
    owner.onLogged(
        tap::onLogged,
        owned ->
            owned.ifPresentOrElse(
                memory -> tap.onOwned(from.new InEpoch(memory)), () -> tap.onLost(shard)));
  }

  /** The shard in the epoch that begins. */
  private final class InEpoch implements OwnedShard {
    private final ShardMemory memory;
    private final long epoch;

    InEpoch(ShardMemory memory) {
      this.memory = memory;
      this.epoch = memory.tail().head().epoch();
    }

    @Override
    public int shard() {
      return shard;
    }

    @Override
    public List<Placed> latest() {
      loop.check();
      return memory.lastRecords();
    }

    @Override
    public Future<List<Placed>> latestNow() {
      return loop.call(() -> Future.succeededFuture(latest()));
    }

    @Override
    public long logAge() {
      return logAge.count(System.nanoTime());
    }

    @Override
    public Future<Void> write(List<Record> records) {
      Batch batch = Batch.unplaced(shard, records).inEpoch(epoch);
      return loop.call(
          () -> {
            noteTheTime.run();
            return owner.onPersist(batch);
          });
    }
  }
}
