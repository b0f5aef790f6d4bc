package io.galop.broadcast.feed;

import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pushes that overtook the answer to the Follow they belong to. */
final class EarlyPushes {
  private static final Logger LOG = LoggerFactory.getLogger(EarlyPushes.class);

  /** More than an owner has in flight: it stops at its credit window, which is counted in bytes. */
  private static final int MAX = 4096;

  private List<Early> pushes = new ArrayList<>();

  private record Early(Push push, Promise<Void> taken) {}

  /** Keeps a push; beyond the bound it is refused. */
  Future<Void> add(Push push) {
    if (pushes.size() == MAX) {
      return Future.failedFuture(
          new Refusal(Refusal.Why.BUSY, "too many pushes before the answer to the follow"));
    }
    Promise<Void> taken = Promise.promise();
    pushes.add(new Early(push, taken));
    return taken.future();
  }

  /** Hands all of them over, in order; one that fails leaves no owner waiting for the others. */
  void deliver(Function<Push, Future<Void>> taker) {
    List<Early> delivered = pushes;
    pushes = new ArrayList<>();
    delivered.forEach(one -> taken(taker, one.push()).onComplete(one.taken()));
  }

  private static Future<Void> taken(Function<Push, Future<Void>> taker, Push push) {
    try {
      return taker.apply(push);
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("cannot take a push from a shard's owner", fault);
      return Future.failedFuture(fault);
    }
  }
}
