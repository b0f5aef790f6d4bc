package io.galop.loadtest.latency;

import io.galop.loadtest.targets.Target;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** The viewers of one event loop; everything here happens on it. */
final class ViewerLoop extends VerticleBase {
  private static final int CONNECTING_AT_ONCE = 64;
  private static final int MAX_FRAME_BYTES = 16 << 20;

  private final Target target;
  private final Load load;
  private final int count;
  private final Histogram latencies = Latencies.histogram();
  private final List<LatencyViewer> viewers = new ArrayList<>();
  private final List<WebSocket> sockets = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // start sets it, which comes first
  private WebSocketClient client;

  private int begun;

  ViewerLoop(Target target, Load load, int count) {
    this.target = target;
    this.load = load;
    this.count = count;
  }

  /** Connects and registers all viewers. */
  @Override
  public Future<?> start() {
    client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setMaxConnections(count)
                .setMaxFrameSize(MAX_FRAME_BYTES)
                .setMaxMessageSize(MAX_FRAME_BYTES)
                .setConnectTimeout((int) TimeUnit.SECONDS.toMillis(30)));
    if (load.pingSeconds() > 0) {
      vertx.setPeriodic(TimeUnit.SECONDS.toMillis(load.pingSeconds()), id -> ping());
    }
    List<Future<Void>> lanes = new ArrayList<>();
    for (int i = 0; i < Math.min(count, CONNECTING_AT_ONCE); i++) {
      lanes.add(connectNext());
    }
    return Future.all(lanes);
  }

  private Future<Void> connectNext() {
    if (begun == count) {
      return Future.succeededFuture();
    }
    begun++;
    WebSocketConnectOptions to =
        new WebSocketConnectOptions()
            .setHost(target.http().getHostString())
            .setPort(target.http().getPort())
            .setURI("/live/websocket");
    return client.connect(to).compose(this::register).compose(done -> connectNext());
  }

  private Future<Void> register(WebSocket socket) {
    LatencyViewer viewer = new LatencyViewer(load.messages(), latencies);
    viewers.add(viewer);
    sockets.add(socket);
    socket.handler(viewer::onFrame);
    socket.closeHandler(closed -> viewer.onLost());
    socket.exceptionHandler(failure -> viewer.onLost());
    Future<Void> registered = Future.succeededFuture();
    for (String address : target.addresses(load.topics())) {
      registered =
          socket.writeTextMessage("{\"type\":\"register\",\"address\":\"" + address + "\"}");
    }
    return registered;
  }

  private void ping() {
    for (WebSocket socket : sockets) {
      if (!socket.isClosed()) {
        socket.writeTextMessage("{\"type\":\"ping\"}");
      }
    }
  }

  /** Runs on the event loop. */
  <T> Future<T> ask(Function<ViewerLoop, T> question) {
    io.vertx.core.Promise<T> answer = io.vertx.core.Promise.promise();
    context.runOnContext(run -> answer.complete(question.apply(this)));
    return answer.future();
  }

  /** From this message on it counts. */
  Future<Void> measureFrom(long number) {
    return ask(
        self -> {
          viewers.forEach(viewer -> viewer.measureFrom(number));
          return null;
        });
  }

  boolean isWarm() {
    return viewers.stream().allMatch(viewer -> viewer.isWarm() || viewer.isLost());
  }

  /** What was seen so far. */
  Seen seen() {
    long received = 0;
    long duplicates = 0;
    long missing = 0;
    long lost = 0;
    for (LatencyViewer viewer : viewers) {
      received += viewer.received();
      duplicates += viewer.duplicates();
      missing += load.messages() - viewer.received();
      lost += viewer.isLost() ? 1 : 0;
    }
    Gap gap = Gap.around(viewers.stream().map(LatencyViewer::gap).toList());
    return new Seen(received, duplicates, missing, lost, gap, latencies.copy());
  }
}
