package io.galop.loadtest.client;

import io.galop.loadtest.latency.LatencyViewers;
import io.galop.loadtest.latency.Seen;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** Very many viewers in this process, straight on epoll. Used by one thread. */
public final class Crowd implements LatencyViewers {
  private static final int CONNECTING_AT_ONCE = 256;
  private static final long PATIENCE_SECONDS = 60;
  private static final long DRAIN_SECONDS = 20;
  private static final long LOOK_EVERY_MS = 100;
  private static final int CLOSING_PATIENCE_SECONDS = 10;

  private final ViewerGroup audience;
  private final int count;
  private final EventLoopGroup group;
  private final Dialer dialer;
  private final Map<EventLoop, LoopFigures> loops = new LinkedHashMap<>();
  private final List<EventLoop> order;
  private final Deque<SimulatedViewer> present = new ArrayDeque<>();
  private final Semaphore connecting = new Semaphore(CONNECTING_AT_ONCE);
  private int started;

  /**
   * @param count how many viewers {@link #connect()} brings
   * @param dataBytes of each message
   */
  public Crowd(ViewerGroup audience, int count, int dataBytes) {
    this.audience = audience;
    this.count = count;
    this.dialer = new Dialer(audience);
    int processors = Runtime.getRuntime().availableProcessors();
    this.group = new MultiThreadIoEventLoopGroup(processors, EpollIoHandler.newFactory());
    for (int i = 0; i < processors; i++) {
      loops.put(group.next(), new LoopFigures(dataBytes, connecting::release));
    }
    this.order = List.copyOf(loops.keySet());
  }

  @Override
  public void connect() throws IOException, InterruptedException {
    connect(count, false);
    connect(audience.stalled(), true);
    awaitConnected();
  }

  private void connect(int viewers, boolean areStalled) throws IOException, InterruptedException {
    for (int i = 0; i < viewers; i++) {
      connectOne(areStalled);
    }
  }

  /** Begins to connect one more viewer, as soon as not too many are connecting. */
  public void connectOne() throws IOException, InterruptedException {
    connectOne(false);
  }

  private void connectOne(boolean isStalled) throws IOException, InterruptedException {
    acquire(1);
    int number = started++;
    EventLoop loop = order.get(number % order.size());
    SimulatedViewer viewer =
        ask(
            loop,
            figures -> {
              SimulatedViewer born =
                  SimulatedViewer.of(new Seat(loop, number, isStalled, audience, figures, dialer));
              born.start();
              return born;
            });
    present.add(viewer);
  }

  /** Waits until all have registered. */
  public void awaitConnected() throws IOException, InterruptedException {
    acquire(CONNECTING_AT_ONCE);
    connecting.release(CONNECTING_AT_ONCE);
    Map<String, Long> errors = report(0).errors();
    if (!errors.isEmpty()) {
      throw new IOException("some viewers could not connect: " + errors);
    }
  }

  private void acquire(int permits) throws IOException, InterruptedException {
    if (!connecting.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("some viewers could not connect to " + audience.addresses());
    }
  }

  /** Closes the viewer that has been there longest. */
  public void disconnectOne() {
    SimulatedViewer viewer = present.remove();
    viewer.loop().execute(viewer::leave);
  }

  /**
   * Brings another viewer for each that was lost, as a browser comes back. What the lost have seen,
   * and what was said of them, counts no more.
   *
   * @return how many there were
   */
  public int replaceLost() throws IOException, InterruptedException {
    int lost = 0;
    for (SimulatedViewer viewer : List.copyOf(present)) {
      if (ask(viewer.loop(), figures -> figures.forgetIfLost(viewer.tally()))) {
        present.remove(viewer);
        lost++;
      }
    }
    for (int i = 0; i < lost; i++) {
      connectOne();
    }
    awaitConnected();
    return lost;
  }

  /** How many viewers are there. */
  public int present() {
    return present.size();
  }

  private <T> T ask(EventLoop loop, Function<LoopFigures, T> question) {
    try {
      return loop.submit(() -> question.apply(loops.get(loop))).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("a loop of viewers does not answer", e);
    }
  }

  private <T> List<T> ask(Function<LoopFigures, T> question) {
    return order.stream().map(loop -> ask(loop, question)).toList();
  }

  private void tell(java.util.function.Consumer<LoopFigures> word) {
    ask(
        figures -> {
          word.accept(figures);
          return true;
        });
  }

  @Override
  public boolean areWarm() {
    return ask(LoopFigures::areWarm).stream().allMatch(warm -> warm);
  }

  @Override
  public void measureFrom(long number, long messages) {
    tell(figures -> figures.measure(number, messages));
  }

  /** Counts for each viewer all messages from the first that it sees. */
  public void follow() {
    tell(LoopFigures::follow);
  }

  @Override
  public Seen seen() {
    return report(Long.MAX_VALUE).seen();
  }

  /**
   * What they have seen so far.
   *
   * @param end the number after the last message published
   */
  public AudienceReport report(long end) {
    return AudienceReport.sum(ask(figures -> figures.report(end)));
  }

  /** The same, as soon as nothing is missing any more, or when that takes too long. */
  public AudienceReport drained(long end) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
    AudienceReport report = report(end);
    while (report.seen().missing() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      report = report(end);
    }
    return report;
  }

  /** The latencies since this was asked last. */
  public Histogram takeLatencies() {
    List<Histogram> taken = ask(LoopFigures::takeLatencies);
    Histogram all = taken.get(0);
    taken.subList(1, taken.size()).forEach(all::add);
    return all;
  }

  /** Who does not know that it leaves asks again when its loop closes its connection. */
  @Override
  public void close() {
    while (!present.isEmpty()) {
      disconnectOne();
    }
    tell(figures -> {});
    group.shutdownGracefully(0, CLOSING_PATIENCE_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
