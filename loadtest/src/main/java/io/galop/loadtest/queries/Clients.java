package io.galop.loadtest.queries;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Clients that ask one server, all on one event loop. */
final class Clients {
  private static final int READ_BYTES = 256 * 1024;
  private static final int CONNECT_TIMEOUT_MS = 20_000;
  private static final long LONGEST_MINUTES = 5;

  private final EventLoop loop;
  private final Question question;
  private final Expected expected;
  private final int count;
  private final CountDownLatch left;
  private final QueryTally tally = new QueryTally();
  private long number;
  private long endNanos;

  Clients(EventLoop loop, Question question, Expected expected, int count) {
    this.loop = loop;
    this.question = question;
    this.expected = expected;
    this.count = count;
    this.left = new CountDownLatch(count);
  }

  /**
   * Each starts so long after the one before, connects, asks once and leaves. Latency runs from
   * when it was due to start until its answer's last byte.
   */
  QueryTally askOnce(long everyMs) throws IOException, InterruptedException {
    long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(everyMs);
    endNanos = start;
    for (int i = 0; i < count; i++) {
      long dueNanos = start + TimeUnit.MILLISECONDS.toNanos(everyMs) * i;
      long inNanos = dueNanos - System.nanoTime();
      loop.schedule(() -> connect(dueNanos), inNanos, TimeUnit.NANOSECONDS);
    }
    return await(everyMs * count);
  }

  /** All connect at once, and each asks again when it has its answer. */
  QueryTally askOn(long forMs) throws IOException, InterruptedException {
    loop.execute(
        () -> {
          endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(forMs);
          for (int i = 0; i < count; i++) {
            connect(System.nanoTime());
          }
        });
    return await(forMs);
  }

  private QueryTally await(long forMs) throws IOException, InterruptedException {
    long mostMs = forMs + TimeUnit.MINUTES.toMillis(LONGEST_MINUTES);
    if (!left.await(mostMs, TimeUnit.MILLISECONDS)) {
      throw new IOException(left.getCount() + " clients have no answer after " + mostMs + " ms");
    }
    return tally;
  }

  private void connect(long startedNanos) {
    new Bootstrap()
        .group(loop)
        .channel(EpollSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
        .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
        .handler(new Asker(this, startedNanos))
        .connect(question.server())
        .addListener(
            done -> {
              if (!done.isSuccess()) {
                tally.onWrong(done.cause().toString());
                onGone();
              }
            });
  }

  Question question() {
    return question;
  }

  Expected expected() {
    return expected;
  }

  QueryTally tally() {
    return tally;
  }

  long nextNumber() {
    return number++;
  }

  boolean goesOn(long nowNanos) {
    return nowNanos - endNanos < 0;
  }

  void onGone() {
    left.countDown();
  }
}
