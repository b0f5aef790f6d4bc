package io.galop.node;

import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;

/**
 * So many questions of one kind at a port are answered at once; more get 503 and are counted.
 * Whoever does not read his answer keeps his place, since the answer is in memory until he does. On
 * the event loop of the port.
 */
public final class BoundedQuestions {
  private final int most;
  private final Counter refused;

  /** Those that were taken and whose answers have not left yet; at most {@link #most}. */
  private int underWay;

  /**
   * @param refused counts those that were not taken
   */
  public BoundedQuestions(int most, Counter refused) {
    this.most = most;
    this.refused = refused;
  }

  /**
   * Answers a request.
   *
   * @param question is put if there is a place; throws {@link IllegalArgumentException} if it
   *     cannot be, which gets 400
   */
  public void answer(RoutingContext request, Supplier<Future<Buffer>> question) {
    if (underWay >= most) {
      refused.increment();
      JsonAnswer.busy(request, most + " such questions are asked already");
      return;
    }
    Future<Buffer> answer;
    try {
      answer = question.get();
    } catch (IllegalArgumentException wrong) {
      JsonAnswer.invalid(request, wrong);
      return;
    }
    underWay++;
    answer
        .onFailure(request::fail)
        .compose(text -> JsonAnswer.send(request, text))
        .onComplete(over -> underWay--);
  }
}
