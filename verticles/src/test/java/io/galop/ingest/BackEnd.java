package io.galop.ingest;

import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A system that is polled: a real HTTP server that behaves as a test tells it. */
public final class BackEnd implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  public final AtomicInteger requests = new AtomicInteger();
  final AtomicInteger atOnce = new AtomicInteger();
  public final AtomicInteger mostAtOnce = new AtomicInteger();
  public final List<String> seen = new CopyOnWriteArrayList<>();
  private volatile Consumer<HttpServerRequest> answer = request -> json(request, "[]");
  private volatile long delayMs;

  public BackEnd() {
    server =
        vertx
            .createHttpServer(Http1.options().setCompressionSupported(true))
            .requestHandler(this::serve);
    server.listen(0, "127.0.0.1").await();
  }

  private void serve(HttpServerRequest request) {
    requests.incrementAndGet();
    mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    request
        .body()
        .onSuccess(
            body -> {
              seen.add(shown(request, body));
              if (delayMs == 0) {
                reply(request);
              } else {
                vertx.setTimer(delayMs, due -> reply(request));
              }
            });
  }

  private void reply(HttpServerRequest request) {
    atOnce.decrementAndGet();
    answer.accept(request);
  }

  private static String shown(HttpServerRequest request, Buffer body) {
    StringBuilder headers = new StringBuilder(request.method() + " " + request.uri());
    for (String name :
        List.of(
            "Content-Type",
            "SOAPAction",
            "Authorization",
            "X-Key",
            "If-None-Match",
            "If-Modified-Since")) {
      if (request.getHeader(name) != null) {
        headers.append(" ").append(name).append("=").append(request.getHeader(name));
      }
    }
    return headers + (body.length() == 0 ? "" : " " + body);
  }

  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  public int port() {
    return server.actualPort();
  }

  /** Answers so from now on. */
  public void answers(Consumer<HttpServerRequest> how) {
    answer = how;
  }

  /** Answers with this from now on. */
  public void gives(String body) {
    answer = request -> json(request, body);
  }

  public void delay(long ms) {
    delayMs = ms;
  }

  public static void json(HttpServerRequest request, String body) {
    HttpServerResponse response = request.response();
    response.putHeader("Content-Type", "application/json").end(body);
  }

  /** Waits for so many more requests. */
  public void awaitMore(int more) throws InterruptedException {
    int until = requests.get() + more;
    OpenDoors.await(() -> requests.get() >= until);
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
