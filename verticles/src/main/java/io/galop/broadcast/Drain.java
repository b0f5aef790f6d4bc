package io.galop.broadcast;

import io.galop.config.broadcast.BroadcastConfig;
import io.galop.node.Audience;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties a node of browsers without a rush on the others: unready, then some time for balancers to
 * notice, then browsers are told to go, evenly over a time, while no more are let in. One per node.
 */
public final class Drain {
  private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
  private static final String PART = "drain";

  private final Vertx vertx;
  private final Node node;
  private final Runnable closeDoor;
  private final List<Function<Long, Future<Void>>> loops = new CopyOnWriteArrayList<>();
  private final AtomicReference<Promise<Void>> begun = new AtomicReference<>();

  /**
   * @param closeDoor lets nobody in from then on
   */
  Drain(Vertx vertx, Node node, Runnable closeDoor) {
    this.vertx = vertx;
    this.node = node;
    this.closeDoor = closeDoor;
    node.readiness().onDrain(this::begin);
  }

  /** An event loop whose browsers are to be sent away over so many milliseconds. */
  public void add(Function<Long, Future<Void>> loop) {
    loops.add(loop);
  }

  /**
   * Begins, if it has not begun. From any thread.
   *
   * @return succeeds when all browsers were told to go
   */
  public Future<Void> begin() {
    Promise<Void> done = Promise.promise();
    Promise<Void> first = begun.updateAndGet(known -> known == null ? done : known);
    if (first == done) {
      BroadcastConfig config = node.config().broadcast();
      node.readiness().unready(PART, "browsers are sent to other nodes", Set.of(Audience.VIEWERS));
      long waitMs = TimeUnit.SECONDS.toMillis(config.drainWaitSeconds());
      Future<Void> waited = waitMs == 0 ? Future.succeededFuture() : vertx.timer(waitMs).mapEmpty();
      waited.compose(over -> sendAway(config)).onComplete(done);
    }
    return first.future();
  }

  private Future<Void> sendAway(BroadcastConfig config) {
    closeDoor.run();
    if (config.drainSeconds() > 0) {
      LOG.info("browsers are sent away within {} s", config.drainSeconds());
    }
    long overMs = TimeUnit.SECONDS.toMillis(config.drainSeconds());
    return Future.join(loops.stream().map(loop -> loop.apply(overMs)).toList()).mapEmpty();
  }
}
