package io.galop.persist.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Carries requests and answers. Between two processes messages keep their order, as on one TCP
 * connection; between connections they do not. Any may be lost, late or doubled.
 */
final class Network {
  private final Clockwork clock;
  private final Random random;
  private final Map<Integer, Long> lastArrivalMs = new HashMap<>();
  private final BitSet cuts = new BitSet();
  private double loss;
  private double doubling;
  private int slowest = 20;

  Network(Clockwork clock, Random random) {
    this.clock = clock;
    this.random = random;
  }

  private static int link(Endpoint from, Endpoint to) {
    return from.number * World.MAX_ENDPOINTS + to.number;
  }

  /** Nothing goes from one to the other any more; the other direction stays as it is. */
  void cut(Endpoint from, Endpoint to) {
    cuts.set(link(from, to));
  }

  void heal() {
    cuts.clear();
  }

  boolean isCut(Endpoint from, Endpoint to) {
    return cuts.get(link(from, to));
  }

  /** How bad it is from now on: shares of what is lost and doubled, and the longest way in ms. */
  void weather(double lost, double doubled, int slowestMs) {
    loss = lost;
    doubling = doubled;
    slowest = slowestMs;
  }

  void send(Endpoint from, Endpoint to, Runnable arrive) {
    if (isCut(from, to) || random.nextDouble() < loss) {
      return;
    }
    int link = link(from, to);
    long at = clock.nowMs() + 1 + random.nextInt(slowest);
    long arrival = Math.max(at, lastArrivalMs.getOrDefault(link, 0L));
    lastArrivalMs.put(link, arrival);
    clock.after(
        arrival - clock.nowMs(),
        () -> {
          if (!isCut(from, to)) {
            to.enter(arrive);
          }
        });
  }

  /** Asks; the answer comes on the asker's thread, or a failure when it does not come in time. */
  <T> Future<T> request(Endpoint from, Endpoint to, long timeoutMs, Supplier<Future<T>> handler) {
    Promise<T> answer = Promise.promise();
    from.later(timeoutMs, () -> answer.tryFail("no answer in time"));
    if (!to.isUp()) {
      from.later(1 + random.nextInt(slowest), () -> answer.tryFail("nobody is there"));
      return answer.future();
    }
    int copies = random.nextDouble() < doubling ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      send(
          from,
          to,
          () ->
              handler
                  .get()
                  .onSuccess(value -> send(to, from, () -> answer.tryComplete(value)))
                  .onFailure(failure -> send(to, from, () -> answer.tryFail(failure))));
    }
    return answer.future();
  }
}
