package io.galop.broadcast.sockjs;

import io.galop.vertx.HttpChannels;
import io.galop.vertx.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for frames. It is made on the event loop of its connection; all else is
 * called on the event loop of its session, which may be another.
 */
abstract class HttpAnswer {
  private final Framing framing;
  private final HttpServerRequest request;
  private final Loop loop;

  /** Kept at hand: the way to it leads over many objects that no cache has. */
  private final ByteBufAllocator allocator;

  private volatile boolean isBroken;

  HttpAnswer(Framing framing, HttpServerRequest request, Loop loop) {
    this.framing = framing;
    this.request = request;
    this.loop = loop;
    this.allocator = channel().alloc();
  }

  /** What tells whether bytes have left this process. */
  interface Leaving {
    void then(Consumer<Boolean> isSent);
  }

  /**
   * Makes the answer ready to be written to.
   *
   * @param broken is called on the connection's event loop if it breaks before the answer's end
   */
  Future<Void> begin(Runnable broken) {
    response()
        .exceptionHandler(failure -> {})
        .closeHandler(
            closed -> {
              isBroken = true;
              broken.run();
            });
    return begin();
  }

  abstract Future<Void> begin();

  /**
   * Writes a frame; nothing may be written to an answer that {@link #isOver}.
   *
   * @param chunk as {@link Framing} makes it; stays the caller's
   * @return null if it has left
   */
  abstract @Nullable Leaving write(ByteBuf chunk);

  /**
   * Ends an answer that is not over.
   *
   * @return what tells when it has left
   */
  abstract Leaving end();

  /** Whether the browser has to ask again for the next frame. */
  abstract boolean isOver();

  /** Ends the connection, whatever waits: Vert.x would wait until that has left. */
  void cutOff() {
    loop.later(() -> channel().close());
  }

  /** Whether what is written now leaves at once, as far as is known here. */
  boolean isReady() {
    return true;
  }

  boolean isBroken() {
    return isBroken;
  }

  Framing framing() {
    return framing;
  }

  HttpServerRequest request() {
    return request;
  }

  HttpServerResponse response() {
    return request.response();
  }

  Loop loop() {
    return loop;
  }

  /** The way of the connection to the network. */
  ChannelHandlerContext channel() {
    return HttpChannels.of(request.connection());
  }

  ByteBufAllocator allocator() {
    return allocator;
  }
}
