package io.galop.page;

import io.galop.servers.Http1;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.StaticHandler;
import io.vertx.ext.web.handler.sockjs.SockJSHandler;
import io.vertx.ext.web.handler.sockjs.SockJSSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that speaks what browsers hear of Galop, and says exactly what a test wants: also the
 * wrong thing, or nothing.
 */
final class FakeFeed implements AutoCloseable {
  private static final String ALARMS = "$alarm/#";

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final AtomicLong offset = new AtomicLong();
  private final List<SockJSSocket> sockets = new CopyOnWriteArrayList<>();
  private final Map<String, JsonObject> latest = new ConcurrentHashMap<>();
  private final BlockingQueue<JsonObject> registrations = new LinkedBlockingQueue<>();
  private final BlockingQueue<JsonObject> answeredOfAlarms = new LinkedBlockingQueue<>();
  private volatile JsonArray history = new JsonArray();
  private final List<String> rowsAsked = new CopyOnWriteArrayList<>();
  private volatile String lacks = "";
  private volatile boolean isSilent;
  private volatile boolean isComplete = true;
  private volatile boolean isLate;
  private volatile boolean isStale;

  /** By topic; null where topics with $ are not shown. */
  private volatile Map<String, JsonObject> alarms;

  FakeFeed() throws Exception {
    Router router = Router.router(vertx);
    router
        .route("/live*")
        .handler(BodyHandler.create())
        .subRouter(SockJSHandler.create(vertx).socketHandler(this::onConnection));
    router.get("/history/*").handler(this::onHistory);
    router
        .route()
        .handler(
            StaticHandler.create(FileSystemAccess.ROOT, Webroot.DIRECTORY.toRealPath().toString()));
    server =
        await(
            vertx.createHttpServer(Http1.options()).requestHandler(router).listen(0, "127.0.0.1"));
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  String address(String rest) {
    return "http://127.0.0.1:" + server.actualPort() + "/" + rest;
  }

  private void onConnection(SockJSSocket socket) {
    sockets.add(socket);
    socket.handler(text -> onMessage(socket, text));
    socket.closeHandler(ended -> sockets.remove(socket));
    socket.exceptionHandler(failure -> sockets.remove(socket));
  }

  private void onMessage(SockJSSocket socket, Buffer text) {
    JsonObject message = text.toJsonObject();
    if (isSilent) {
      return;
    }
    if (message.getString("type").equals("ping")) {
      socket.write("{\"type\":\"pong\"}");
    } else if (message.getString("address", "").equals(ALARMS)) {
      onAlarms(socket, message.getJsonObject("headers"));
    } else if (message.getString("type").equals("register")) {
      registrations.add(message);
      onRegister(socket, message.getString("address"), message.getJsonObject("headers"));
    }
  }

  private void onAlarms(SockJSSocket socket, JsonObject headers) {
    if (alarms == null) {
      say(socket, "err", ALARMS, new JsonObject().put("body", "access_denied").put("message", ""));
      return;
    }
    if (headers.containsKey("since")) {
      say(socket, "resumed", ALARMS, new JsonObject().put("complete", isComplete));
    }
    if (!headers.containsKey("since") || !isComplete) {
      alarms.values().forEach(alarm -> socket.write(alarm.encode()));
    }
    if (!isLate) {
      say(socket, "live", ALARMS, new JsonObject().put("pos", "4.7-" + offset.get()));
    }
    answeredOfAlarms.add(headers);
  }

  private void onRegister(SockJSSocket socket, String address, JsonObject headers) {
    boolean isResume = headers.containsKey("since");
    if (isResume) {
      say(socket, "resumed", address, new JsonObject().put("complete", isComplete));
    }
    if (!isResume || !isComplete) {
      latest.values().forEach(record -> socket.write(aged(record).encode()));
    }
    if (!isLate) {
      say(socket, "live", address, new JsonObject().put("pos", "3.7-" + offset.get()));
    }
  }

  private JsonObject aged(JsonObject record) {
    JsonObject headers = record.getJsonObject("headers").copy().put("age", 3_000);
    return record.copy().put("headers", isStale ? headers.put("stale", true) : headers);
  }

  private static void say(SockJSSocket socket, String type, String address, JsonObject more) {
    socket.write(more.put("type", type).put("address", address).encode());
  }

  private void onHistory(RoutingContext request) {
    String every = request.request().getParam("every");
    JsonArray answer = every == null ? history : rows(Long.parseLong(every.replace("s", "")));
    if (every != null) {
      rowsAsked.add(request.request().uri());
      if (!lacks.isEmpty()) {
        request.response().putHeader("X-Galop-Incomplete", lacks);
      }
    }
    request.response().putHeader("Content-Type", "application/json").end(answer.encode());
  }

  /** What the field value of the history is in buckets of so many seconds. */
  private JsonArray rows(long seconds) {
    Map<Long, List<Double>> buckets = new TreeMap<>();
    for (Object one : history) {
      JsonObject record = (JsonObject) one;
      long begin = record.getLong("time") / (seconds * 1_000_000) * seconds * 1_000_000;
      double value = record.getJsonObject("data").getDouble("value");
      buckets.computeIfAbsent(begin, none -> new ArrayList<>()).add(value);
    }
    JsonArray rows = new JsonArray();
    buckets.forEach(
        (begin, values) -> {
          JsonObject of =
              new JsonObject()
                  .put("min", Collections.min(values))
                  .put("max", Collections.max(values))
                  .put("count", values.size());
          rows.add(
              new JsonObject()
                  .put("topic", "t")
                  .put("time", begin)
                  .put("data", new JsonObject().put("value", of)));
        });
    return rows;
  }

  /** What an answer of rows says that it is without. */
  void lacks(String names) {
    lacks = names;
  }

  /** The requests for rows. */
  List<String> rowsAsked() {
    return rowsAsked;
  }

  /** Publishes a record of now to everyone, as one of the filter {@code #}. */
  void publish(String topic, JsonObject data) {
    record(topic, data, System.currentTimeMillis() * 1000, offset.incrementAndGet());
  }

  /** Publishes a record with a given event time in microseconds and a given offset. */
  void record(String topic, JsonObject data, long timeUs, long at) {
    JsonObject body =
        new JsonObject().put("id", topic + "@" + at).put("time", timeUs).put("data", data);
    JsonObject headers = new JsonObject().put("topic", topic).put("pos", "3.7-" + at);
    JsonObject message =
        new JsonObject()
            .put("type", "rec")
            .put("address", "#")
            .put("body", body)
            .put("headers", headers);
    latest.put(topic, message);
    if (!isSilent) {
      sockets.forEach(socket -> socket.write(message.encode()));
    }
  }

  /** From now on alarms may be seen. */
  void showAlarms() {
    alarms = new ConcurrentHashMap<>();
  }

  /** Publishes the state of an alarm. */
  void alarm(JsonObject state) {
    String topic = "$alarm/" + state.getString("id");
    long at = offset.incrementAndGet();
    JsonObject message =
        new JsonObject()
            .put("type", "rec")
            .put("address", ALARMS)
            .put("body", new JsonObject().put("id", "a" + at).put("time", 1).put("data", state))
            .put("headers", new JsonObject().put("topic", topic).put("pos", "4.7-" + at));
    alarms.put(topic, message);
    sockets.forEach(socket -> socket.write(message.encode()));
  }

  /** Tells everyone a word about all alarms. */
  void tellOfAlarms(String type, JsonObject more) {
    sockets.forEach(socket -> say(socket, type, ALARMS, more.copy()));
  }

  /** An alarm of which nothing is known any more. */
  void forgetAlarm(String id) {
    alarms.remove("$alarm/" + id);
  }

  /** Sends everyone a text that need not be a message. */
  void send(String text) {
    sockets.forEach(socket -> socket.write(text));
  }

  /** Tells everyone a word about the filter {@code #}. */
  void tell(String type) {
    sockets.forEach(socket -> say(socket, type, "#", new JsonObject()));
  }

  /** Tells everyone that a topic is silent for too long, or is back. */
  void tell(String type, String topic) {
    JsonObject headers = new JsonObject().put("topic", topic).put("age", 5000);
    sockets.forEach(socket -> say(socket, type, "#", new JsonObject().put("headers", headers)));
  }

  /** Whether snapshots call every topic silent for too long. */
  void stale(boolean stale) {
    isStale = stale;
  }

  /** Tells everyone that a request was refused. */
  void refuse(String message) {
    JsonObject words = new JsonObject().put("type", "err").put("body", "refused");
    sockets.forEach(socket -> socket.write(words.put("message", message).encode()));
  }

  /** Ends every connection, as a server does that goes down. */
  void drop() {
    List.copyOf(sockets).forEach(SockJSSocket::close);
  }

  void silent(boolean silent) {
    isSilent = silent;
  }

  void complete(boolean complete) {
    isComplete = complete;
  }

  /** Whether the end of snapshots is held back. */
  void late(boolean late) {
    isLate = late;
  }

  /** What every history request is answered. */
  void history(JsonArray records) {
    history = records;
  }

  /** The next registration that a browser sends. */
  JsonObject registration() throws InterruptedException {
    return next(registrations);
  }

  /** The headers of the next registration of alarms, which was answered. */
  JsonObject answeredOfAlarms() throws InterruptedException {
    return next(answeredOfAlarms);
  }

  private static JsonObject next(BlockingQueue<JsonObject> from) throws InterruptedException {
    JsonObject next = from.poll(60, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no browser has registered");
    }
    return next;
  }

  @Override
  public void close() throws Exception {
    await(vertx.close());
  }
}
