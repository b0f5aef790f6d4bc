package io.galop.broadcast.sockjs;

import io.galop.vertx.Buffers;
import io.galop.vertx.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;

/** One frame is the whole answer; the connection stays open for the next request. */
final class PollingAnswer extends HttpAnswer {
  /** A comment first, so that nobody can make the answer begin with bytes of his choice. */
  private static final String JSONP_BEGIN = "/**/";

  private static final ByteBuf JSONP_END =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer(");\r\n", StandardCharsets.US_ASCII).asReadOnly());

  private boolean isOver;

  PollingAnswer(Receiving kind, HttpServerRequest request, Loop loop) {
    super(kind.framing(), request, loop);
  }

  @Override
  Future<Void> begin() {
    return Future.succeededFuture();
  }

  @Override
  Leaving write(ByteBuf chunk) {
    isOver = true;
    ByteBuf body = body(FrameEnvelope.content(chunk).retain());
    Promise<Void> left = Promise.promise();
    loop().emit(() -> end(body, left));
    return isSent -> left.future().onComplete(done -> isSent.accept(done.succeeded()));
  }

  private void end(ByteBuf body, Promise<Void> left) {
    Future<Void> ended;
    try {
      ended = response().end(Buffers.of(body));
    } catch (IllegalStateException broken) {
      ended = Future.failedFuture(broken);
    }
    ended.onComplete(
        done -> {
          body.release();
          left.handle(done);
        });
  }

  private ByteBuf body(ByteBuf content) {
    if (framing() != Framing.JSONP) {
      return content;
    }
    String begin = JSONP_BEGIN + Callback.of(request()) + "(";
    ByteBuf call = Unpooled.copiedBuffer(begin, StandardCharsets.US_ASCII);
    return Unpooled.wrappedBuffer(call, content, JSONP_END.duplicate());
  }

  @Override
  Leaving end() {
    throw new IllegalStateException("a poll ends with its frame");
  }

  @Override
  boolean isOver() {
    return isOver;
  }
}
