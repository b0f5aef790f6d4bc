package io.galop.bus;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a handler with a Future into a consumer that replies. */
final class Replies {
  private static final Logger LOG = LoggerFactory.getLogger(Replies.class);

  private Replies() {}

  static <Q, A> MessageConsumer<Q> consume(
      Vertx vertx, String address, Function<Q, Future<A>> handler) {
    return consume(vertx.eventBus().consumer(address), handler);
  }

  static <Q, A> MessageConsumer<Q> consume(
      MessageConsumer<Q> consumer, Function<Q, Future<A>> handler) {
    return consumer.handler(message -> answer(message, handler));
  }

  private static <Q, A> void answer(Message<Q> message, Function<Q, Future<A>> handler) {
    Future<A> answer;
    try {
      answer = handler.apply(message.body());
    } catch (RuntimeException e) {
      answer = Future.failedFuture(e);
    }
    answer.onSuccess(message::reply).onFailure(failure -> refuse(message, failure));
  }

  private static void refuse(Message<?> message, Throwable failure) {
    if (failure instanceof Refusal refusal) {
      message.fail(refusal.failureCode(), refusal.getMessage());
      return;
    }
    Refusal refusal = new Refusal(Refusal.Why.BAD_REQUEST, String.valueOf(failure.getMessage()));
    LOG.error("a request to {} failed", message.address(), failure);
    message.fail(refusal.failureCode(), refusal.getMessage());
  }
}
