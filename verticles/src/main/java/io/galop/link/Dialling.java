package io.galop.link;

import io.galop.config.RelayConfig;
import io.galop.socket.LinkKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to a relay, one at a time. Each reads the keys anew, so renewed ones are shown
 * without a restart. On one event loop.
 */
final class Dialling {
  private static final int CONNECT_MS = 2_000;
  private static final int HANDSHAKE_MS = 5_000;
  private static final int CLOSING_SECONDS = 1;

  private final Vertx vertx;
  private final int number;
  private final RelayConfig relay;
  private @Nullable WebSocketClient client;

  Dialling(Vertx vertx, int number, RelayConfig relay) {
    this.vertx = vertx;
    this.number = number;
    this.relay = relay;
  }

  /** Dials once; {@link #close} must have ended what was dialled before. */
  Future<WebSocket> dial() {
    return vertx
        .executeBlocking(() -> LinkKeys.put(number, relay, options()), false)
        .compose(this::connect);
  }

  private static WebSocketClientOptions options() {
    WebSocketClientOptions options =
        new WebSocketClientOptions()
            .setMaxFrameSize(LinkChannel.FRAME_BYTES)
            .setMaxMessageSize(LinkChannel.MOST_SAID_BYTES)
            .setClosingTimeout(CLOSING_SECONDS);
    options.setConnectTimeout(CONNECT_MS);
    return options;
  }

  private Future<WebSocket> connect(WebSocketClientOptions options) {
    WebSocketClient dialler = vertx.createWebSocketClient(options);
    client = dialler;
    WebSocketConnectOptions to =
        new WebSocketConnectOptions()
            .setHost(relay.host())
            .setPort(relay.port())
            .setURI(LinkChannel.PATH)
            .setAllowOriginHeader(false)
            .setSsl(relay.tls().isGiven());
    to.setTimeout(HANDSHAKE_MS);
    return dialler.connect(to);
  }

  void close() {
    WebSocketClient dialled = client;
    client = null;
    if (dialled != null) {
      dialled.close();
    }
  }
}
