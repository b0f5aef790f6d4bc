package io.galop.loadtest.queries;

import io.galop.loadtest.client.AnswerCheck;
import io.galop.loadtest.client.HttpReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Optional;

/** A client on one connection. */
final class Asker extends ChannelInboundHandlerAdapter implements HttpReader.Sink {
  private final Clients clients;
  private final HttpReader reader = new HttpReader(this);
  private final AnswerCheck answer = new AnswerCheck();

  @SuppressWarnings("NullAway.Init") // channelActive sets it, which comes first
  private Channel channel;

  private long number;
  private long startedNanos;
  private boolean isAsking;

  Asker(Clients clients, long startedNanos) {
    this.clients = clients;
    this.startedNanos = startedNanos;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    channel = context.channel();
    ask();
  }

  private void ask() {
    number = clients.nextNumber();
    answer.begin(number);
    isAsking = true;
    channel.writeAndFlush(Unpooled.wrappedBuffer(clients.question().request(number)));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      reader.read(in);
      if (in.isReadable()) {
        // A head in two pieces: nobody writes one that is longer than a packet.
        fail("an answer's head came in pieces");
      }
    } finally {
      in.release();
    }
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
    long now = System.nanoTime();
    Optional<String> wrong = answer.wrong(clients.expected().answer());
    if (wrong.isPresent()) {
      clients.tally().onWrong(wrong.get());
    } else {
      clients.tally().onAnswer(now - startedNanos, answer.length(), answer.isVerified());
    }
    if (clients.goesOn(now) && keepAlive) {
      startedNanos = now;
      ask();
    } else {
      channel.close();
    }
  }

  private void fail(String why) {
    clients.tally().onWrong(why);
    isAsking = false;
    channel.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (isAsking) {
      clients.tally().onWrong("the connection was closed before the answer's end");
    }
    clients.onGone();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    fail(failure.toString());
  }
}
