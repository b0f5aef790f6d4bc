package io.galop.broadcast.sockjs;

import io.galop.vertx.Buffers;
import io.galop.vertx.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * One response carries frame after frame until it has had its limit, since browsers keep all of it
 * in memory. Head and end go through Vert.x; the chunks between them, which all Subscribers share,
 * straight to the connection, as those of a websocket.
 */
final class StreamAnswer extends HttpAnswer {
  private final String prelude;
  private final long limitBytes;
  private @Nullable SocketWriter wire;

  /** Null where the client of HTTP/1.0 gets no chunks. */
  private @Nullable ChannelHandlerContext out;

  private boolean isHere;
  private long sentBytes;
  private boolean isOver;

  /**
   * @param prelude what the response begins with, at least one character
   * @param limitBytes after how many the response ends
   */
  StreamAnswer(
      Framing framing, String prelude, HttpServerRequest request, Loop loop, long limitBytes) {
    super(framing, request, loop);
    this.prelude = prelude;
    this.limitBytes = limitBytes;
  }

  /** What Vert.x writes must have left before anything is written around it. */
  @Override
  Future<Void> begin() {
    boolean isChunked = request().version() == HttpVersion.HTTP_1_1;
    ChannelHandlerContext to =
        isChunked ? channel().pipeline().context(HttpResponseEncoder.class) : null;
    out = to;
    response().setChunked(true);
    return response()
        .write(prelude)
        .onSuccess(left -> wire = to == null ? null : new SocketWriter(to));
  }

  /**
   * @param sessionLoop may be the connection's own
   * @param socketBytes see {@link Transport#limitSocket}
   */
  void attach(Loop sessionLoop, int socketBytes) {
    isHere = sessionLoop.netty() == loop().netty();
    if (socketBytes > 0) {
      SendBuffer.limit(channel().channel(), socketBytes);
    }
  }

  @Override
  @Nullable Leaving write(ByteBuf chunk) {
    sentBytes += FrameEnvelope.contentBytes(chunk);
    if (out == null) {
      return writeUnchunked(chunk);
    }
    ChannelFuture left =
        isHere && wire != null ? wire.write(chunk) : out.writeAndFlush(chunk.retainedDuplicate());
    return left == null ? null : isSent -> left.addListener(d -> isSent.accept(d.isSuccess()));
  }

  /** To clients of HTTP/1.0, which end the response with the connection. */
  private Leaving writeUnchunked(ByteBuf chunk) {
    ByteBuf content = Unpooled.copiedBuffer(FrameEnvelope.content(chunk));
    Promise<Void> left = Promise.promise();
    loop().emit(() -> response().write(Buffers.of(content)).onComplete(left));
    return isSent -> left.future().onComplete(done -> isSent.accept(done.succeeded()));
  }

  @Override
  boolean isReady() {
    return !isHere || wire == null || wire.hasNothingWaiting();
  }

  boolean isFull() {
    return sentBytes >= limitBytes;
  }

  @Override
  Leaving end() {
    isOver = true;
    Promise<Void> left = Promise.promise();
    loop().emit(() -> end(left));
    return isSent -> left.future().onComplete(done -> isSent.accept(done.succeeded()));
  }

  private void end(Promise<Void> left) {
    Future<Void> ended = response().end().onComplete(left);
    if (out == null) {
      ended.onComplete(done -> request().connection().close());
    }
  }

  @Override
  boolean isOver() {
    return isOver;
  }
}
