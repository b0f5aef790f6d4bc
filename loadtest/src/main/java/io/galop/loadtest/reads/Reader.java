package io.galop.loadtest.reads;

import io.galop.loadtest.client.HttpReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * One connection that asks for the same answer again and again. Of each answer it looks at status
 * and length, of one in ten at every byte.
 */
final class Reader extends ByteToMessageDecoder implements HttpReader.Sink {
  private static final int OK = 200;
  private static final int VERIFY_EVERY = 10;

  private final Readers all;
  private final HttpReader http = new HttpReader(this);
  private final CRC32C sum = new CRC32C();
  private ChannelHandlerContext context;
  private long number;
  private long sinceNanos;
  private long length;
  private int status;
  private boolean isAsking;

  Reader(Readers all) {
    this.all = all;
  }

  @Override
  public void channelActive(ChannelHandlerContext opened) {
    context = opened;
    all.onConnected(this);
  }

  /** Asks; latency counts from a moment of {@link System#nanoTime}. */
  void ask(long fromNanos) {
    number++;
    sinceNanos = fromNanos;
    length = 0;
    isAsking = true;
    sum.reset();
    context.writeAndFlush(Unpooled.wrappedBuffer(all.request()));
  }

  @Override
  protected void decode(ChannelHandlerContext from, ByteBuf in, List<Object> out) {
    http.read(in);
  }

  @Override
  public void onHead(int code) {
    status = code;
  }

  @Override
  public void onBody(ByteBuf in, int more) {
    length += more;
    if (number % VERIFY_EVERY == 0) {
      sum.update(in.nioBuffer(in.readerIndex(), more));
    }
  }

  @Override
  public void onEnd(boolean keepAlive) {
    isAsking = false;
    if (!keepAlive) {
      all.onWrong(this, "the server closes the connection after an answer");
      context.close();
    } else if (status != OK || length != all.expected().length()) {
      all.onWrong(this, "status " + status + ", " + length + " bytes");
    } else if (number % VERIFY_EVERY == 0 && sum.getValue() != all.expected().sum()) {
      all.onWrong(this, "other bytes than at first");
    } else {
      all.onAnswer(this, sinceNanos);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext closed) throws Exception {
    super.channelInactive(closed);
    all.onGone(this, isAsking);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable failure) {
    System.err.println("galop-loadtest: a connection failed: " + failure);
    failed.close();
  }

  /** Its answer is not waited for any more. */
  void giveUp() {
    isAsking = false;
    close();
  }

  void close() {
    context.close();
  }
}
