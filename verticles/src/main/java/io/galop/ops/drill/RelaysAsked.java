package io.galop.ops.drill;

import io.galop.node.Node;
import io.galop.ops.cluster.DrilledRelays;
import io.galop.ops.drill.RelayOrder.Word;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the relays of the cluster say of a drill. Asked until each has said something, or its time
 * is over; who says nothing by then is not known. On one event loop.
 */
final class RelaysAsked {
  private static final long AGAIN_MS = 200;

  /** A relay is told by then that its time is over. */
  private static final long MORE_MS = 1_000;

  private final Loop loop;
  private final DrilledRelays relays;

  RelaysAsked(Node node, Loop loop) {
    this.loop = loop;
    this.relays = new DrilledRelays(node, loop);
  }

  /** Ends when the viewers of the relays are there, as far as can be known; never fails. */
  Future<List<RelaySaid>> watch(RelayOrder order) {
    long begunNanos = System.nanoTime();
    return ask(order, begunNanos)
        .compose(
            all -> {
              boolean isTold = all.stream().anyMatch(one -> one.state() == RelayState.TOLD);
              long leftMs = RelayRun.LEAD_MS - sinceMs(begunNanos);
              return isTold
                  ? after(Math.max(1, leftMs)).compose(over -> tellLast(order)).map(all)
                  : Future.succeededFuture(all);
            });
  }

  /** Who has viewers there by now is told so by the same word; others may miss what is sent. */
  private Future<?> tellLast(RelayOrder order) {
    return loop.bring(relays.tell(order.json()));
  }

  /** All records were acknowledged. Ends when what became of it is known; never fails. */
  Future<List<RelaySaid>> end(RelayOrder order) {
    return ask(order.with(Word.SENT), System.nanoTime()).map(RelaysAsked::atLast);
  }

  /**
   * They were not, so no relay concludes anything: nobody waits for an answer, which may take long
   * where a node stands still.
   *
   * @param before what the relays have said
   */
  List<RelaySaid> give(RelayOrder order, List<RelaySaid> before) {
    relays.tell(order.with(Word.NOTHING).json());
    return atLast(before);
  }

  private static List<RelaySaid> atLast(List<RelaySaid> all) {
    return all.stream().map(RelaySaid::atLast).toList();
  }

  private Future<List<RelaySaid>> ask(RelayOrder order, long begunNanos) {
    return loop.bring(relays.tell(order.json()))
        .map(answers -> RelaySaid.of(answers.values()))
        .compose(
            all -> {
              boolean isOpen = all.stream().anyMatch(one -> one.state() == RelayState.WAITING);
              return isOpen && sinceMs(begunNanos) < order.withinMs() + MORE_MS
                  ? after(AGAIN_MS).compose(again -> ask(order, begunNanos))
                  : Future.succeededFuture(all);
            });
  }

  private Future<Void> after(long ms) {
    Promise<Void> over = loop.promise();
    loop.vertx().setTimer(ms, due -> over.complete());
    return over.future();
  }

  private static long sinceMs(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
