package io.galop.cli.live;

import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** A live feed that says what a test wants it to. */
final class FakeFeed implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final List<JsonObject> received = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  /**
   * @param onRegister is given each register message and its connection
   */
  FakeFeed(BiConsumer<JsonObject, ServerWebSocket> onRegister) {
    server =
        vertx
            .createHttpServer(Http1.options())
            .webSocketHandshakeHandler(
                handshake -> {
                  if (handshake.path().equals("/live/websocket")) {
                    handshake.accept();
                  } else {
                    handshake.reject(404);
                  }
                })
            .webSocketHandler(
                socket ->
                    socket.handler(
                        buffer -> {
                          JsonObject message = buffer.toJsonObject();
                          received.add(message);
                          if ("register".equals(message.getString("type"))) {
                            onRegister.accept(message, socket);
                          }
                        }))
            .listen(0, "127.0.0.1")
            .await();
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  List<JsonObject> received() {
    return List.copyOf(received);
  }

  /** A record as the feed sends it; the data keeps a number as it was written. */
  static Buffer record(String filter, String topic, String position) {
    return Buffer.buffer(
        ("{\"type\":\"rec\",\"address\":\"%s\",\"body\":{\"id\":\"i\",\"time\":5,\"data\":{\"x\":1.50}},"
                + "\"headers\":{\"topic\":\"%s\",\"pos\":\"%s\"}}")
            .formatted(filter, topic, position));
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
