package io.galop.persist.history;

import io.galop.config.persist.HistoryConfig;
import io.galop.jvm.ErrorText;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.function.Consumer;

/** Answers with rows, so many at a time: more are refused. On one event loop. */
final class Computations {
  static final String BUSY = "persist.history.maxFolds answers are computed already; ask again";

  private final HistoryConfig config;
  private int underWay;

  Computations(HistoryConfig config) {
    this.config = config;
  }

  /** Whether there is room for one more; then {@link #end} must follow. */
  boolean begin() {
    boolean begins = underWay < config.maxFolds();
    underWay += begins ? 1 : 0;
    return begins;
  }

  /** One that has begun is over. */
  void end() {
    underWay--;
  }

  /**
   * Computes and answers one that has begun.
   *
   * @param parts in the order of the answer; the first pages of the first are loaded
   * @param onAnswer gets the rows; not called where the answer is another
   * @param onNone is told instead, when that has been answered
   */
  void run(
      HttpServerResponse response,
      HistoryRequest request,
      List<PartAnswers> parts,
      Consumer<Computation.Answer> onAnswer,
      Runnable onNone) {
    Computation computation =
        new Computation(
            request,
            parts,
            Vertx.currentContext(),
            config.maxFolded(),
            config.maxLimit(),
            response::closed);
    computation
        .run()
        .onSuccess(onAnswer::accept)
        .onFailure(
            failure -> {
              if (failure instanceof IllegalArgumentException) {
                HistoryReply.refuse(response, ErrorText.of(failure));
              } else {
                HistoryReply.unavailable(response, ErrorText.of(failure));
              }
              onNone.run();
            });
  }
}
