package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.client.AnswerCheck;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one server, all on one event loop, that ask for one answer: in a closed loop, each
 * again when it has its answer, or at a rate, where each question has a time at which it is due and
 * goes out on the connection that has been idle longest, or on the first that gets free.
 */
final class Readers implements AutoCloseable {
  private static final int READ_BYTES = 256 * 1024;
  private static final int CONNECT_TIMEOUT_MS = 20_000;

  /** What has no answer so long after the last question was due counts as lost. */
  private static final long PATIENCE_SECONDS = 10;

  private final EventLoop loop;
  private final byte[] request;
  private final AnswerCheck.Expected expected;
  private final int connections;
  private final Set<Reader> open = new HashSet<>();
  private final ArrayDeque<Reader> idle = new ArrayDeque<>();
  private final SingleWriterRecorder recorder = new SingleWriterRecorder(3);

  @SuppressWarnings("NullAway.Init") // connect sets it, which comes first
  private InetSocketAddress server;

  private @Nullable CompletableFuture<Void> connected;
  private @Nullable CompletableFuture<Void> done;
  private ReadTally tally = new ReadTally();
  private Plan plan = new Plan(0, 0, 0, 1);
  private long next;
  private boolean isTicking;

  /** Questions and when they are due; where {@code everyNanos} is 0, as soon as there is room. */
  private record Plan(long startNanos, long endNanos, double everyNanos, long count) {
    boolean isClosed() {
      return everyNanos == 0;
    }

    long dueNanos(long number) {
      return startNanos + (long) (number * everyNanos);
    }
  }

  Readers(EventLoop loop, byte[] request, AnswerCheck.Expected expected, int connections) {
    this.loop = loop;
    this.request = request;
    this.expected = expected;
    this.connections = connections;
  }

  /** Connects all; blocks until they are. */
  void connect(InetSocketAddress to) throws IOException, InterruptedException {
    server = to;
    connect();
  }

  /** Who has to wait for others' turns may have been sent away as idle. */
  private void connect() throws IOException, InterruptedException {
    CompletableFuture<Void> all = new CompletableFuture<>();
    loop.execute(() -> connectMissing(all));
    await(all, 2 * CONNECT_TIMEOUT_MS);
  }

  private void connectMissing(CompletableFuture<Void> all) {
    connected = all;
    int missing = connections - open.size();
    if (missing == 0) {
      all.complete(null);
    }
    for (int i = 0; i < missing; i++) {
      new Bootstrap()
          .group(loop)
          .channel(EpollSocketChannel.class)
          .option(ChannelOption.TCP_NODELAY, true)
          .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
          .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
          .handler(new Reader(this))
          .connect(server)
          .addListener(
              tried -> {
                if (!tried.isSuccess()) {
                  all.completeExceptionally(tried.cause());
                }
              });
    }
  }

  void onConnected(Reader reader) {
    open.add(reader);
    idle.add(reader);
    if (open.size() == connections) {
      Objects.requireNonNull(connected, "asked for before any is").complete(null);
    }
  }

  /** Each asks, and again when it has its answer, for a time. */
  ReadTally askOn(double seconds) throws IOException, InterruptedException {
    return run(start -> new Plan(start, start + nanos(seconds), 0, Long.MAX_VALUE), seconds);
  }

  /** Asks at a rate, whatever became of the questions before. */
  ReadTally askAt(double ratePerSecond, double seconds) throws IOException, InterruptedException {
    long count = Math.max(1, Math.round(ratePerSecond * seconds));
    double everyNanos = 1e9 / ratePerSecond;
    return run(start -> new Plan(start, start + nanos(seconds), everyNanos, count), seconds);
  }

  private interface Begin {
    Plan at(long startNanos);
  }

  private ReadTally run(Begin wanted, double seconds) throws IOException, InterruptedException {
    connect();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    loop.execute(
        () -> {
          plan = wanted.at(System.nanoTime());
          tally = new ReadTally();
          tally.onStart(plan.startNanos());
          next = 0;
          done = ended;
          loop.schedule(
              () -> ended.complete(null), nanos(seconds + PATIENCE_SECONDS), TimeUnit.NANOSECONDS);
          pump(true);
        });
    await(ended, (long) (1_000 * (seconds + 2 * PATIENCE_SECONDS)));
    CompletableFuture<ReadTally> result = new CompletableFuture<>();
    loop.execute(() -> result.complete(end()));
    return await(result, CONNECT_TIMEOUT_MS);
  }

  /** What is still out has no answer. */
  private ReadTally end() {
    long unasked = plan.isClosed() ? 0 : plan.count() - next;
    long out = tally.asked() - tally.latencies().getTotalCount() - tally.wrong();
    for (long i = 0; i < out + unasked; i++) {
      tally.onWrong("no answer within " + PATIENCE_SECONDS + " s");
    }
    done = null;
    // A late answer is none to the questions that come.
    open.stream().filter(reader -> !idle.contains(reader)).toList().forEach(Reader::giveUp);
    return tally;
  }

  /**
   * Asks what is due.
   *
   * @param isOnTime whether it was waited for the time only, not for a connection
   */
  private void pump(boolean isOnTime) {
    long now = System.nanoTime();
    while (isDue(now) && !idle.isEmpty()) {
      long fromNanos = plan.isClosed() ? now : plan.dueNanos(next);
      if (isOnTime && !plan.isClosed()) {
        tally.onLag(now - fromNanos);
      }
      next++;
      tally.onAsked();
      idle.poll().ask(fromNanos);
    }
    if (hasMore(now) && !plan.isClosed() && !idle.isEmpty() && !isTicking) {
      isTicking = true;
      loop.schedule(this::tick, plan.dueNanos(next) - now, TimeUnit.NANOSECONDS);
    }
    if (!hasMore(now) && idle.size() == open.size() && done != null) {
      done.complete(null);
    }
  }

  private void tick() {
    isTicking = false;
    pump(true);
  }

  private boolean hasMore(long now) {
    return plan.isClosed() ? now - plan.endNanos() < 0 : next < plan.count();
  }

  private boolean isDue(long now) {
    return hasMore(now) && (plan.isClosed() || plan.dueNanos(next) <= now);
  }

  void onAnswer(Reader reader, long sinceNanos) {
    long now = System.nanoTime();
    tally.onAnswer(now - sinceNanos, now);
    recorder.recordValue(now - sinceNanos);
    onFree(reader);
  }

  void onWrong(Reader reader, String why) {
    tally.onWrong(why);
    onFree(reader);
  }

  private void onFree(Reader reader) {
    boolean wasWaitedFor = idle.isEmpty();
    idle.add(reader);
    if (done != null && (wasWaitedFor || !hasMore(System.nanoTime()))) {
      pump(false);
    }
  }

  void onGone(Reader reader, boolean wasAsking) {
    open.remove(reader);
    idle.remove(reader);
    if (wasAsking) {
      tally.onWrong("the connection was closed before the answer's end");
    }
    if (open.isEmpty() && done != null) {
      done.complete(null);
    }
  }

  /** How many are connected; blocks. */
  int open() throws IOException, InterruptedException {
    CompletableFuture<Integer> size = new CompletableFuture<>();
    loop.execute(() -> size.complete(open.size()));
    return await(size, CONNECT_TIMEOUT_MS);
  }

  byte[] request() {
    return request;
  }

  AnswerCheck.Expected expected() {
    return expected;
  }

  /** Latencies since this was asked last; from any thread. */
  Histogram takeLatencies() {
    return recorder.getIntervalHistogram();
  }

  private static long nanos(double seconds) {
    return (long) (1e9 * seconds);
  }

  private static <T> T await(CompletableFuture<T> future, long mostMs)
      throws IOException, InterruptedException {
    try {
      return future.get(mostMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new IOException("clients cannot connect: " + cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new IOException("clients have not ended after " + mostMs + " ms", e);
    }
  }

  @Override
  public void close() {
    loop.execute(() -> Set.copyOf(open).forEach(Reader::close));
  }
}
