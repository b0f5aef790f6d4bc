package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.client.AnswerCheck;
import io.galop.loadtest.client.HttpReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.Optional;

/** One connection that asks for the same answer again and again. */
final class Reader extends ByteToMessageDecoder implements HttpReader.Sink {
  private final Readers all;
  private final HttpReader http = new HttpReader(this);
  private final AnswerCheck answer = new AnswerCheck();

  @SuppressWarnings("NullAway.Init") // channelActive sets it, which comes first
  private ChannelHandlerContext context;

  private long number;
  private long sinceNanos;
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
    sinceNanos = fromNanos;
    isAsking = true;
    answer.begin(++number);
    context.writeAndFlush(Unpooled.wrappedBuffer(all.request()));
  }

  @Override
  protected void decode(ChannelHandlerContext from, ByteBuf in, List<Object> out) {
    http.read(in);
  }

  @Override
  public void onHead(int code) {
    answer.onHead(code);
  }

  @Override
  public void onBody(ByteBuf in, int more) {
    answer.onBody(in, more);
  }

  @Override
  public void onEnd(boolean keepAlive) {
    isAsking = false;
    Optional<String> wrong = answer.wrong(all.expected());
    if (!keepAlive) {
      all.onWrong(this, "the server closes the connection after an answer");
      context.close();
    } else if (wrong.isPresent()) {
      all.onWrong(this, wrong.get());
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
