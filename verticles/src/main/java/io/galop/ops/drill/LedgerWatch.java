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

  /** Is told what is known, and when it is not going to be. */
  interface Ended {
    /**
     * @param number of the drill
     */
    void ended(long number, CountedLetter.Found found);
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

  /** After viewers were shown its dead letter; says whether that is looked for. */
  CountedLetter.Found after(long number, CountedLetter before) {
    loop.check();
    if (isLooking) {
      return CountedLetter.Found.UNKNOWN;
    }
    isLooking = true;
    loop.bring(nodes.ofEnriching())
        .map(told -> before.after(told, minuteMs))
        .otherwise(before)
        .onSuccess(letter -> look(number, letter, LOOKS_A_MINUTE * MOST_MINUTES));
    return CountedLetter.Found.NOT_YET;
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
              onEnd.ended(
                  number,
                  found == CountedLetter.Found.NOT_YET ? CountedLetter.Found.UNKNOWN : found);
            });
  }
}
