package io.galop.broadcast;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A browser on the plain websocket. */
public final class LiveClient {
  private static final long PATIENCE_MS = 60_000;

  /** What a client that stalls takes all the same, wherever the kernel would allow more. */
  private static final int SOCKET_BYTES = 64 * 1024;

  final List<JsonObject> messages = new CopyOnWriteArrayList<>();

  /** Held, since a client that is collected as garbage closes its connections. */
  private final WebSocketClient client;

  private final ClientWebSocket socket;

  private LiveClient(WebSocketClient client) {
    this.client = client;
    this.socket = client.webSocket();
    socket.textMessageHandler(text -> messages.add(new JsonObject(text)));
  }

  static LiveClient connect(Vertx vertx, int port) throws Exception {
    return connect(vertx, port, "/live/websocket");
  }

  static LiveClient connect(Vertx vertx, int port, String path) throws Exception {
    LiveClient client =
        new LiveClient(
            vertx.createWebSocketClient(
                new WebSocketClientOptions().setReceiveBufferSize(SOCKET_BYTES)));
    TestFeed.await(client.socket.connect(port, "127.0.0.1", path));
    return client;
  }

  /**
   * Connects where the server says farewell at once. The client may see that before it has told of
   * the connection; then it is tried again.
   */
  static LiveClient connectInVain(Vertx vertx, int port) throws Exception {
    for (int attempt = 0; attempt < 20; attempt++) {
      try {
        LiveClient client = connect(vertx, port);
        await("close", client::isClosed);
        return client;
      } catch (ExecutionException closedAtOnce) {
        Thread.sleep(10);
      }
    }
    throw new AssertionError("the farewell was never seen");
  }

  void send(String text) throws Exception {
    TestFeed.await(socket.writeTextMessage(text));
  }

  /** As a client of Galop's own does, which hears of the feed as well. */
  void register(String filter) throws Exception {
    register(filter, Map.of("words", "true"));
  }

  void register(String filter, Map<String, Object> headers) throws Exception {
    registerAll(List.of(filter), headers);
  }

  /** The same for many, without waiting for one to be sent before the next. */
  void registerAll(List<String> filters, Map<String, Object> headers) throws Exception {
    Future<?> sent = Future.succeededFuture();
    for (String filter : filters) {
      sent =
          socket.writeTextMessage(
              new JsonObject()
                  .put("type", "register")
                  .put("address", filter)
                  .put("headers", new JsonObject(headers))
                  .encode());
    }
    TestFeed.await(sent);
  }

  /** Comes back when everything sent before has been dealt with on this connection. */
  void settle() throws Exception {
    long pongs = count("pong");
    send("{\"type\":\"ping\"}");
    await("pong", () -> count("pong") > pongs);
  }

  /** Stops reading from the socket, as a browser behind a broken line. */
  void stall() {
    socket.pause();
  }

  /** Having stalled, takes so many messages more. */
  void take(int more) {
    socket.fetch(more);
  }

  void goOn() {
    socket.resume();
  }

  boolean isClosed() {
    return socket.isClosed();
  }

  Short closeCode() {
    return socket.closeStatusCode();
  }

  String closeReason() {
    return socket.closeReason();
  }

  void close() throws Exception {
    TestFeed.await(socket.close());
    TestFeed.await(client.close());
  }

  long count(String type) {
    return messages.stream().filter(message -> type.equals(message.getString("type"))).count();
  }

  List<JsonObject> all(String type) {
    return messages.stream().filter(message -> type.equals(message.getString("type"))).toList();
  }

  JsonObject awaitFirst(String type) throws Exception {
    await(type, () -> count(type) > 0);
    return all(type).get(0);
  }

  List<String> ids() {
    List<String> ids = new ArrayList<>();
    all("rec").forEach(message -> ids.add(message.getJsonObject("body").getString("id")));
    return ids;
  }

  /** Waits until so many records are there. */
  List<String> awaitIds(int count) throws Exception {
    await(count + " records", () -> ids().size() >= count);
    return ids();
  }

  /** The Position of the last record. */
  String lastPosition() {
    List<JsonObject> records = all("rec");
    return records.get(records.size() - 1).getJsonObject("headers").getString("pos");
  }

  public static void await(String what, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited in vain for: " + what);
      }
      Thread.sleep(5);
    }
  }
}
