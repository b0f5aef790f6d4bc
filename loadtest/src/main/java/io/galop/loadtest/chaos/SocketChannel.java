package io.galop.loadtest.chaos;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A plain websocket, one message a frame. */
final class SocketChannel implements Channel, WebSocket.Listener {
  private static final long SEND_SECONDS = 10;

  private final Received received = new Received();
  private final StringBuilder part = new StringBuilder();

  @SuppressWarnings("NullAway.Init") // open sets it, before anybody has this
  private WebSocket socket;

  private SocketChannel() {}

  static SocketChannel open(HttpClient client, String http)
      throws IOException, InterruptedException {
    SocketChannel channel = new SocketChannel();
    URI uri = URI.create(http.replace("http:", "ws:") + "/live/websocket");
    channel.socket =
        await(
            client
                .newWebSocketBuilder()
                .connectTimeout(Duration.ofSeconds(SEND_SECONDS))
                .buildAsync(uri, channel));
    return channel;
  }

  private static <T> T await(CompletionStage<T> stage) throws IOException, InterruptedException {
    try {
      return stage.toCompletableFuture().get(SEND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("websocket: " + e.getMessage(), e);
    }
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
    part.append(text);
    if (isLast) {
      received.add(part.toString());
      part.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    received.end("closed with " + code + " " + reason);
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable failure) {
    received.end(failure.toString());
  }

  @Override
  public void send(String message) throws IOException, InterruptedException {
    await(socket.sendText(message, true));
  }

  @Override
  public List<String> next() throws IOException, InterruptedException {
    return received.next();
  }

  @Override
  public void close() {
    socket.abort();
  }
}
