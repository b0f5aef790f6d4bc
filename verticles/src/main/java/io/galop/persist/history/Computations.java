package io.galop.persist.history;

import io.galop.config.persist.HistoryConfig;
import io.galop.jvm.ErrorText;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Set;

/** Answers with rows, so many at a time: more are refused. On one event loop. */
final class Computations {
  private static final String BUSY =
      "persist.history.maxFolds answers are computed already; ask again";

  private final HistoryConfig config;
  private int underWay;

  Computations(HistoryConfig config) {
    this.config = config;
  }

  /**
   * Computes and answers.
   *
   * @param answers whose first pages are loaded
   * @param missing names of the nodes and stores that the answer is without
   */
  void run(
      HttpServerResponse response,
      HistoryRequest request,
      List<NodeAnswer> answers,
      Set<String> missing) {
    if (underWay == config.maxFolds()) {
      HistoryReply.busy(response, BUSY);
      return;
    }
    Computation computation =
        new Computation(
            request,
            answers,
            Vertx.currentContext(),
            config.maxFolded(),
            config.maxLimit(),
            response::closed);
    underWay++;
    computation
        .run()
        .onComplete(done -> underWay--)
        .onSuccess(answer -> HistoryReply.send(response, request.form(), missing, answer))
        .onFailure(
            failure -> {
              if (failure instanceof IllegalArgumentException) {
                HistoryReply.refuse(response, ErrorText.of(failure));
              } else {
                HistoryReply.unavailable(response, ErrorText.of(failure));
              }
            });
  }
}
