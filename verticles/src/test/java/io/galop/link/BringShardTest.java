package io.galop.link;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Errand;
import io.galop.bus.Errand.Kind;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shard is brought anew after whatever a relay could not use. */
@Timeout(60)
class BringShardTest {
  private static final int SHARD = 3;
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BlockingQueue<Follow> follows = new LinkedBlockingQueue<>();
  private volatile boolean isRefusing;

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private <T> T onLoop(Supplier<Future<T>> task) throws Exception {
    Promise<T> done = Promise.promise();
    loop.runOnContext(now -> task.get().onComplete(done));
    return await(done.future());
  }

  private static Position at(long offset) {
    return new Position(SHARD, 5, offset);
  }

  private Future<?> owner(Errand asked) {
    if (asked.message() instanceof Follow follow) {
      follows.add(follow);
      return Future.succeededFuture(new Followed(follow.since(), true));
    }
    return Future.succeededFuture(new Page(true, at(10), "", List.of()));
  }

  private Future<?> relay(Errand told) {
    return isRefusing && told.kind() == Kind.PUSH
        ? Future.failedFuture(new Refusal(Refusal.Why.NOT_CONTINUOUS, "by the test"))
        : Future.succeededFuture();
  }

  private static Push push(Follow follow) {
    Position since = follow.since();
    Record record = new Record("r", "a", 1, "{}".getBytes());
    Batch batch = new Batch(SHARD, since.epoch(), since.offset() + 1, List.of(record));
    return new Push(follow.session(), since, batch.position(0), batch);
  }

  private Follow next() throws Exception {
    Follow next = follows.poll(20, TimeUnit.SECONDS);
    assertNotNull(next, "it is not followed again");
    return next;
  }

  @Test
  void aRefusedPushBeginsItAnew() throws Exception {
    BringShard shard =
        onLoop(
            () -> Future.succeededFuture(new BringShard(SHARD, 5_000, this::owner, this::relay)));
    onLoop(
        () -> {
          shard.want(true);
          return Future.succeededFuture();
        });
    Follow first = next();
    onLoop(() -> shard.onPush(push(first)));
    isRefusing = true;
    assertThrows(Exception.class, () -> onLoop(() -> shard.onPush(push(first))));
    isRefusing = false;
    Follow second = next();
    assertTrue(second.session() > first.session());
    onLoop(() -> shard.onPush(push(second)));
  }
}
