package io.galop.loadtest.latency;

import io.galop.loadtest.targets.Target;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Viewers with the Vert.x client, which looks at each frame as a browser would. */
final class VertxViewers implements LatencyViewers {
  private final Target target;
  private final Load load;
  private final List<ViewerLoop> loops = new ArrayList<>();
  private final int processors = Runtime.getRuntime().availableProcessors();
  private final Vertx vertx =
      Vertx.vertx(
          new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(processors));

  VertxViewers(Target target, Load load) {
    this.target = target;
    this.load = load;
  }

  @Override
  public void connect() {
    List<Future<String>> deployed = new ArrayList<>();
    int count = Math.min(processors, load.viewers());
    for (int i = 0; i < count; i++) {
      int share = load.viewers() / count + (i < load.viewers() % count ? 1 : 0);
      ViewerLoop loop = new ViewerLoop(target, load, share);
      loops.add(loop);
      deployed.add(vertx.deployVerticle(loop));
    }
    Future.all(deployed).await();
  }

  private <T> List<T> ask(Function<ViewerLoop, T> question) {
    return loops.stream().map(loop -> loop.ask(question).await()).toList();
  }

  @Override
  public boolean areWarm() {
    return ask(ViewerLoop::isWarm).stream().allMatch(warm -> warm);
  }

  @Override
  public void measureFrom(long number, long messages) {
    loops.forEach(loop -> loop.measureFrom(number).await());
  }

  @Override
  public Seen seen() {
    return Seen.sum(ask(ViewerLoop::seen));
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
