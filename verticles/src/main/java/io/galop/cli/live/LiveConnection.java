package io.galop.cli.live;

import io.galop.cli.TlsOptions;
import io.galop.jvm.ErrorText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** One raw websocket to a node's live feed; frames may be text or binary, both hold JSON. */
final class LiveConnection implements WebSocket.Listener, AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private static final int UNAUTHORIZED = 401;

  private final Consumer<byte[]> onFrame;
  private final ByteArrayOutputStream frame = new ByteArrayOutputStream();
  private final CompletableFuture<String> lost = new CompletableFuture<>();
  private volatile long lastFrameNanos = System.nanoTime();

  @SuppressWarnings("NullAway.Init") // open sets it, before anybody else has the connection
  private WebSocket socket;

  private LiveConnection(Consumer<byte[]> onFrame) {
    this.onFrame = onFrame;
  }

  /**
   * Connects.
   *
   * @param http makes the connection
   * @param node the node's URL for browsers
   * @param token shown to the node; empty: none
   * @param onFrame is given each frame, one after the other; while it runs nothing more is read
   */
  static LiveConnection open(HttpClient http, URI node, String token, Consumer<byte[]> onFrame)
      throws IOException {
    LiveConnection connection = new LiveConnection(onFrame);
    try {
      WebSocket.Builder builder = http.newWebSocketBuilder().connectTimeout(CONNECT_TIMEOUT);
      if (!token.isEmpty()) {
        builder.header("Authorization", "Bearer " + token);
      }
      connection.socket = builder.buildAsync(websocket(node), connection).join();
      return connection;
    } catch (CompletionException e) {
      if (e.getCause() instanceof WebSocketHandshakeException refused) {
        throw new IOException(said(refused.getResponse().statusCode()), refused);
      }
      if (e.getCause() instanceof SSLException refused) {
        throw new IOException(TlsOptions.reason(refused), refused);
      }
      throw e.getCause() instanceof IOException cause && cause.getMessage() == null
          ? new IOException("refused")
          : new IOException(ErrorText.ofCause(e));
    }
  }

  private static String said(int status) {
    return switch (status) {
      case UNAUTHORIZED -> "it asks for a token that is good; see --viewer-token";
      case 429, 503 -> "it accepts no more viewers (" + status + ")";
      default -> "it answered " + status;
    };
  }

  private static URI websocket(URI node) {
    String base = node.toString().replaceAll("/+$", "");
    return URI.create(base.replaceFirst("^http", "ws") + "/live/websocket");
  }

  /** Sends a message; one after the other. */
  void send(String message) {
    socket.sendText(message, true).join();
  }

  /** Completes with the reason when the connection is no more. */
  CompletableFuture<String> lost() {
    return lost;
  }

  /** How long nothing was received. */
  Duration silence() {
    return Duration.ofNanos(System.nanoTime() - lastFrameNanos);
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
    frame.writeBytes(part.toString().getBytes(StandardCharsets.UTF_8));
    return onPart(from, last);
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer part, boolean last) {
    byte[] bytes = new byte[part.remaining()];
    part.get(bytes);
    frame.writeBytes(bytes);
    return onPart(from, last);
  }

  private @Nullable CompletionStage<?> onPart(WebSocket from, boolean last) {
    lastFrameNanos = System.nanoTime();
    if (last) {
      byte[] whole = frame.toByteArray();
      frame.reset();
      onFrame.accept(whole);
    }
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    lost.complete("closed with %d%s".formatted(code, reason.isEmpty() ? "" : ": " + reason));
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    lost.complete(ErrorText.of(error));
  }

  @Override
  public void close() {
    socket.abort();
  }
}
