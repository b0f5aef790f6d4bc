package io.galop.ops.drill;

import io.galop.ops.drill.DrillRun.Way;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A viewer behind a proxy that lets nothing through but short requests: SockJS's long polling. */
final class XhrViewer extends DrillViewer {
  private final HttpClient client;
  private final OwnPort port;
  private final String topic;

  /** Of the visit; a poll of another one is not repeated. */
  private String session = "";

  private @Nullable HttpClientRequest poll;

  XhrViewer(HttpClient client, OwnPort port, Way way, Consumer<DrillEvent.OfViewer> events) {
    super(DrillStage.XHR, way, events);
    this.client = client;
    this.port = port;
    this.topic = way.topic();
  }

  @Override
  Future<?> connect(String since, Consumer<String> messages, Runnable onEnd) {
    String mine = "/live/drill/" + UUID.randomUUID();
    session = mine;
    JsonObject headers = new JsonObject().put("since", since).put("words", true);
    JsonObject register =
        new JsonObject().put("type", "register").put("address", topic).put("headers", headers);
    Buffer sent = new JsonArray().add(register.encode()).toBuffer();
    return post(mine + "/xhr", Buffer.buffer())
        .compose(XhrViewer::body)
        .compose(XhrViewer::opened)
        .compose(open -> post(mine + "/xhr_send", sent))
        .compose(answer -> of(answer, 204))
        .onSuccess(registered -> poll(mine, messages, onEnd));
  }

  private static Future<?> opened(String frame) {
    return frame.startsWith("o")
        ? Future.succeededFuture()
        : Future.failedFuture("opened with " + frame.strip());
  }

  /** Asks again and again, as long as the session is that of the visit. */
  private void poll(String mine, Consumer<String> messages, Runnable onEnd) {
    if (!mine.equals(session)) {
      return;
    }
    post(mine + "/xhr", Buffer.buffer())
        .compose(XhrViewer::body)
        .onFailure(failure -> onEnd.run())
        .onSuccess(
            frame -> {
              if (isTaken(frame, messages)) {
                poll(mine, messages, onEnd);
              } else {
                onEnd.run();
              }
            });
  }

  /** False at the end of the session. What is no frame is handed on: no message either. */
  private static boolean isTaken(String frame, Consumer<String> messages) {
    if (frame.startsWith("a")) {
      try {
        new JsonArray(frame.substring(1)).forEach(text -> messages.accept(text.toString()));
      } catch (DecodeException wrong) {
        messages.accept(frame);
      }
    } else if (!frame.startsWith("h") && !frame.startsWith("c")) {
      messages.accept(frame);
    }
    return !frame.startsWith("c");
  }

  private Future<HttpClientResponse> post(String path, Buffer body) {
    return client
        .request(port.request(path).setMethod(HttpMethod.POST))
        .compose(
            asked -> {
              poll = asked;
              return asked.send(body);
            });
  }

  private static Future<String> body(HttpClientResponse answer) {
    return of(answer, 200).map(Buffer::toString);
  }

  private static Future<Buffer> of(HttpClientResponse answer, int status) {
    return answer.statusCode() == status
        ? answer.body()
        : Future.failedFuture("answered " + answer.statusCode());
  }

  @Override
  void disconnect() {
    session = "";
    if (poll != null) {
      poll.reset();
    }
  }
}
