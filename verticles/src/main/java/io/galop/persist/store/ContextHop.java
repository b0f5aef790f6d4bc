package io.galop.persist.store;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** Where answers of stores go, which come on threads of their clients. */
public final class ContextHop {
  private ContextHop() {}

  /** The same answer, on the event loop of the caller if that is on one. */
  public static <T> Future<T> bring(Future<T> answer) {
    Context caller = Vertx.currentContext();
    if (caller == null) {
      return answer;
    }
    Promise<T> brought = Promise.promise();
    answer.onComplete(outcome -> caller.runOnContext(none -> brought.handle(outcome)));
    return brought.future();
  }
}
