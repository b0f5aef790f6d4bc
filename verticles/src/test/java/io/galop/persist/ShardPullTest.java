package io.galop.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.persist.ram.RamTier;
import io.galop.persist.ram.ShardMemory;
import io.galop.persist.store.Backup;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the memory cannot take does not keep a shard from its next owner. */
@Timeout(180)
class ShardPullTest {
  private final Vertx vertx = Vertx.vertx();
  private final RamTier tier = new RamTier(1 << 20, 1);

  @AfterEach
  void close() {
    tier.close();
    vertx.close().await();
  }

  /** The second record meets a memory that can be given no slab. */
  private static final class One extends AbstractList<Placed> {
    @Override
    public Placed get(int index) {
      if (index > 0) {
        throw new IllegalStateException("no memory for the RAM tier");
      }
      return new Placed(new Position(0, 7, 1), new Record("t-1", "t", 1, new byte[] {'{', '}'}));
    }

    @Override
    public int size() {
      return 2;
    }
  }

  private static Backup holding(List<Placed> records) {
    return (Backup)
        Proxy.newProxyInstance(
            Backup.class.getClassLoader(),
            new Class<?>[] {Backup.class},
            (proxy, method, arguments) -> Future.succeededFuture(records));
  }

  @Test
  void theShardGoesOnWithoutWhatTheMemoryCannotTake() throws Exception {
    Promise<Position> last = Promise.promise();
    vertx.runOnContext(
        now -> {
          ShardMemory into = new ShardMemory(tier, 0, 16, 16, 1 << 20);
          ShardPull pull = new ShardPull(Loop.current(), into, 10_000, () -> true);
          pull.backup(holding(new One()), Position.none(0), 1 << 20).onComplete(last);
        });
    assertEquals(Position.none(0), last.future().await(60, TimeUnit.SECONDS));
  }
}
