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

/**
 * One response carries frame after frame until it has had its limit, since browsers keep all of it
 * in memory. Head and end go through Vert.x; the chunks between them, which all Subscribers share,
 * straight to the connection, as those of a websocket.
 */
final class StreamAnswer extends HttpAnswer {
  private final int limitBytes;
  private SocketWriter wire;
  private ChannelHandlerContext out;
  private boolean isHere;
  private int sentBytes;
  private boolean isOver;

  StreamAnswer(Receiving kind, HttpServerRequest request, Loop loop, int limitBytes) {
    super(kind, request, loop);
    this.limitBytes = limitBytes;
  }

  /** What Vert.x writes must have left before anything is written around it. */
  @Override
  Future<Void> begin() {
    boolean isChunked = request().version() == HttpVersion.HTTP_1_1;
    out = isChunked ? channel().pipeline().context(HttpResponseEncoder.class) : null;
    response().setChunked(true);
    return response()
        .write(kind().prelude(request()))
        .onSuccess(left -> wire = out == null ? null : new SocketWriter(out));
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
  Leaving write(ByteBuf chunk) {
    sentBytes += FrameEnvelope.contentBytes(chunk);
    if (out == null) {
      return writeUnchunked(chunk);
    }
    ChannelFuture left = isHere ? wire.write(chunk) : out.writeAndFlush(chunk.retainedDuplicate());
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
