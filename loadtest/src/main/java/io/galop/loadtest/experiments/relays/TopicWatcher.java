package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Stamp;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A viewer of some filters that counts the records it is shown, and measures how late they are. */
final class TopicWatcher implements WebSocket.Listener, AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final AtomicLong shown = new AtomicLong();
  private final Histogram latencies = Latencies.histogram();

  /** Of what comes while it is false nobody asks how late it is. */
  private volatile boolean isMeasured;

  private final CountDownLatch live;
  private final StringBuilder part = new StringBuilder();
  private @Nullable WebSocket socket;

  private TopicWatcher(int filters) {
    this.live = new CountDownLatch(filters);
  }

  /** Connects, registers, and returns when all filters are live. */
  static TopicWatcher of(int httpPort, List<String> filters)
      throws IOException, InterruptedException {
    TopicWatcher watcher = new TopicWatcher(filters.size());
    URI uri = URI.create("ws://127.0.0.1:" + httpPort + "/live/websocket");
    WebSocket socket =
        await(HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(uri, watcher));
    watcher.socket = socket;
    for (String filter : filters) {
      JsonObject register = new JsonObject().put("type", "register").put("address", filter);
      register.put("headers", new JsonObject().put("snapshot", "true"));
      await(socket.sendText(register.encode(), true));
    }
    if (!watcher.live.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("a viewer of " + filters + " did not become live");
    }
    return watcher;
  }

  private static <T> T await(CompletableFuture<T> stage) throws IOException, InterruptedException {
    try {
      return stage.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("a viewer: " + e.getMessage(), e);
    }
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
    part.append(text);
    if (isLast) {
      long now = System.nanoTime();
      if (isMeasured) {
        Stamp.scan(Buffer.buffer(part.toString()), (number, due) -> note(now - due));
      }
      String type = new JsonObject(part.toString()).getString("type");
      if (type.equals("rec")) {
        shown.incrementAndGet();
      } else if (type.equals("live")) {
        live.countDown();
      }
      part.setLength(0);
    }
    from.request(1);
    return null;
  }

  private synchronized void note(long nanos) {
    Latencies.record(latencies, nanos);
  }

  /** Measures from now on. */
  void measure() {
    isMeasured = true;
  }

  /** How late records were, from when they were due to be sent, since it measures; it ends. */
  synchronized Histogram latencies() {
    isMeasured = false;
    return latencies.copy();
  }

  long shown() {
    return shown.get();
  }

  @Override
  public void close() {
    if (socket != null) {
      socket.abort();
    }
  }
}
