package io.galop.ops.drill;

import io.galop.node.Node;
import io.galop.ops.cluster.LedgerEndpoint;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Looks whether the Ledger counts the dead letter of a drill, in the minutes that it tells
 * afterwards; of one drill at a time. What cannot be known is left. On one event loop.
 */
final class LedgerWatch {
  private static final int LOOKS_A_MINUTE = 4;
  private static final int MOST_MINUTES = CountedLetter.LATEST_TOLD + 3;

  private final Loop loop;
  private final LedgerEndpoint nodes;
  private final long minuteMs;
  private final Ended onEnd;
  private boolean isLooking;

  /** Is told when it is known. */
  interface Ended {
    /**
     * @param number of the drill
     */
    void ended(long number, boolean isCounted);
  }

  LedgerWatch(Node node, Loop loop, Ended onEnd) {
    this.loop = loop;
    this.nodes = new LedgerEndpoint(loop.vertx(), node, loop);
    this.minuteMs = node.ledger().lengthMs();
    this.onEnd = onEnd;
  }

  /**
   * Before a record is sent. Empty where a node would not refuse it, or says nothing that can be
   * read; never fails.
   */
  Future<Optional<CountedLetter>> before() {
    return loop.bring(nodes.ofEnriching())
        .map(
            told ->
                CountedLetter.isRefusedByAll(told)
                    ? Optional.of(CountedLetter.before(told))
                    : Optional.<CountedLetter>empty())
        .otherwise(Optional.empty());
  }

  /** After viewers were shown its dead letter. */
  void after(long number, CountedLetter before) {
    loop.check();
    if (!isLooking) {
      isLooking = true;
      loop.bring(nodes.ofEnriching())
          .map(told -> before.after(told, minuteMs))
          .otherwise(before)
          .onSuccess(letter -> look(number, letter, LOOKS_A_MINUTE * MOST_MINUTES));
    }
  }

  private void look(long number, CountedLetter letter, int more) {
    loop.bring(nodes.ofEnriching())
        .map(letter::look)
        .otherwise(CountedLetter.Found.UNKNOWN)
        .onSuccess(
            found -> {
              if (found == CountedLetter.Found.NOT_YET && more > 0) {
                long ms = minuteMs / LOOKS_A_MINUTE;
                loop.vertx().setTimer(ms, due -> look(number, letter, more - 1));
                return;
              }
              isLooking = false;
              switch (found) {
                case YES -> onEnd.ended(number, true);
                case NO -> onEnd.ended(number, false);
                case NOT_YET, UNKNOWN -> {}
              }
            });
  }
}
