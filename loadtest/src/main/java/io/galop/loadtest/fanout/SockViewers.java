package io.galop.loadtest.fanout;

import io.galop.loadtest.latency.Load;
import io.galop.loadtest.latency.Seen;
import io.galop.loadtest.latency.Viewers;
import io.galop.loadtest.targets.Target;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Very many viewers in this process, straight on epoll. */
final class SockViewers implements Viewers {
  private static final int CONNECTING_AT_ONCE = 256;
  private static final long PATIENCE_SECONDS = 30;

  private final Target target;
  private final Load load;
  private final EventLoopGroup group;
  private final Map<EventLoop, LoopFigures> loops = new LinkedHashMap<>();
  private long framesAtEnd;
  private final Semaphore connecting = new Semaphore(CONNECTING_AT_ONCE);

  SockViewers(Target target, Load load) {
    this.target = target;
    this.load = load;
    int processors = Runtime.getRuntime().availableProcessors();
    this.group = new MultiThreadIoEventLoopGroup(processors, EpollIoHandler.newFactory());
    for (int i = 0; i < processors; i++) {
      loops.put(group.next(), new LoopFigures(load, connecting::release));
    }
  }

  @Override
  public void connect() throws IOException, InterruptedException {
    List<EventLoop> all = List.copyOf(loops.keySet());
    for (int i = 0; i < load.viewers(); i++) {
      awaitConnecting(1);
      connect(all.get(i % all.size()));
    }
    awaitConnecting(CONNECTING_AT_ONCE);
  }

  private void awaitConnecting(int permits) throws IOException, InterruptedException {
    if (!connecting.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("some viewers could not connect to " + target.name());
    }
  }

  private void connect(EventLoop loop) {
    SockViewer viewer = ask(loop, LoopFigures::add);
    new Bootstrap()
        .group(loop)
        .channel(EpollSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(viewer)
        .connect(target.http());
  }

  private <T> T ask(EventLoop loop, Function<LoopFigures, T> question) {
    try {
      return loop.submit(() -> question.apply(loops.get(loop))).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("a loop of viewers does not answer", e);
    }
  }

  private <T> List<T> ask(Function<LoopFigures, T> question) {
    return loops.keySet().stream().map(loop -> ask(loop, question)).toList();
  }

  @Override
  public boolean areWarm() {
    return ask(LoopFigures::areWarm).stream().allMatch(warm -> warm);
  }

  @Override
  public void measureFrom(long number) {
    ask(
        figures -> {
          figures.measureFrom(number);
          return true;
        });
  }

  @Override
  public Seen seen() {
    return Seen.sum(ask(LoopFigures::seen));
  }

  private long frames() {
    return ask(LoopFigures::frames).stream().mapToLong(Long::longValue).sum();
  }

  /** How many websocket frames had come since it was measured when the viewers were closed. */
  long framesAtEnd() {
    return framesAtEnd;
  }

  @Override
  public void close() {
    framesAtEnd = frames();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
