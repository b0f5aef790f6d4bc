package io.galop.loadtest.queries;

import io.galop.loadtest.client.HttpReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A client on one connection. It counts an answer's bytes and of one in so many the sum as well,
 * with the processor's own instruction, so that it costs little more than the kernel's copying.
 */
final class Asker extends ChannelInboundHandlerAdapter implements HttpReader.Sink {
  private static final int OK = 200;

  /** One in so many answers is summed up. */
  private static final int VERIFY_EVERY = 10;

  private final Clients clients;
  private final HttpReader reader = new HttpReader(this);
  private final CRC32C sum = new CRC32C();
  private Channel channel;
  private long number;
  private long startedNanos;
  private long length;
  private int status;
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
    length = 0;
    sum.reset();
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
    status = code;
  }

  @Override
  public void onBody(ByteBuf in, int more) {
    length += more;
    if (isVerified()) {
      sum.update(in.nioBuffer(in.readerIndex(), more));
    }
  }

  private boolean isVerified() {
    return number % VERIFY_EVERY == 0;
  }

  @Override
  public void onEnd(boolean keepAlive) {
    isAsking = false;
    long now = System.nanoTime();
    Optional<String> wrong = wrong();
    if (wrong.isPresent()) {
      clients.tally().onWrong(wrong.get());
    } else {
      clients.tally().onAnswer(now - startedNanos, length, isVerified());
    }
    if (clients.goesOn(now) && keepAlive) {
      startedNanos = now;
      ask();
    } else {
      channel.close();
    }
  }

  private Optional<String> wrong() {
    if (status != OK || length != clients.expected().body().length) {
      return Optional.of("status " + status + ", " + length + " bytes");
    }
    boolean isBad = isVerified() && sum.getValue() != clients.expected().sum();
    return isBad ? Optional.of("other bytes than expected") : Optional.empty();
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
