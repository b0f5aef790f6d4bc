package io.galop.ops.drill;

import io.galop.ops.drill.DrillRun.Way;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.parsetools.RecordParser;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A viewer with an EventSource on {@code /stream}. */
final class EventsViewer extends DrillViewer {
  private static final String DATA = "data:";

  private final HttpClient client;
  private final OwnPort port;
  private final String topic;
  private @Nullable HttpClientRequest request;

  EventsViewer(HttpClient client, OwnPort port, Way way, Consumer<DrillEvent.OfViewer> events) {
    super(DrillStage.EVENTS, way, events);
    this.client = client;
    this.port = port;
    this.topic = way.topic();
  }

  @Override
  Future<?> connect(String since, Consumer<String> messages, Runnable onEnd) {
    RequestOptions options =
        port.request("/stream/" + encoded(topic) + "?since=" + encoded(since))
            .putHeader("Accept", "text/event-stream");
    return client
        .request(options)
        .compose(
            asked -> {
              request = asked;
              return asked.send();
            })
        .compose(
            response -> {
              response.exceptionHandler(failure -> onEnd.run());
              return response.statusCode() == 200
                  ? read(response, messages, onEnd)
                  : Future.failedFuture("answered " + response.statusCode());
            });
  }

  private static Future<?> read(
      HttpClientResponse response, Consumer<String> messages, Runnable onEnd) {
    RecordParser lines =
        RecordParser.newDelimited(
            "\n",
            line -> {
              String text = line.toString();
              if (text.startsWith(DATA)) {
                messages.accept(text.substring(DATA.length()).strip());
              }
            });
    response.handler(lines).endHandler(ended -> onEnd.run());
    return Future.succeededFuture();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  void disconnect() {
    if (request != null) {
      request.reset();
    }
  }
}
