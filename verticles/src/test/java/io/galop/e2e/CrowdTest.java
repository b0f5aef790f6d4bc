package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The viewers with which other tests look at Galop behave as those of sockjs-client do. */
@Timeout(180)
class CrowdTest {
  private static final int WAIT_SECONDS = 120;
  private final Vertx vertx = Vertx.vertx();
  private final Set<String> sessions = ConcurrentHashMap.newKeySet();
  private final Queue<HttpServerResponse> waiting = new ConcurrentLinkedQueue<>();
  private String url;
  private Crowd crowd;

  @BeforeEach
  void start() throws Exception {
    HttpServer server =
        vertx
            .createHttpServer(Http1.options())
            .requestHandler(this::answer)
            .listen(0, "127.0.0.1")
            .await();
    url = "http://127.0.0.1:" + server.actualPort() + "/live";
    crowd = Crowd.inNode(null);
  }

  @AfterEach
  void stop() throws Exception {
    crowd.close();
    vertx.close().await(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  /** Begins sessions, lets their next polls wait, and knows no session that is sent to. */
  private void answer(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (request.path().endsWith("/jsonp_send")) {
      response.setStatusCode(404).end();
    } else if (sessions.add(session(request))) {
      say(response, "o");
    } else {
      waiting.add(response);
    }
  }

  private static String session(HttpServerRequest request) {
    return request.path().split("/")[3];
  }

  private static void say(HttpServerResponse response, String frame) {
    String call = "/**/got(" + Json.encode(frame) + ");\r\n";
    response.putHeader("Content-Type", "application/javascript").end(call);
  }

  private Watcher open(String name) {
    Watcher viewer = crowd.open(name, "jsonp-polling", List.of(url), Map.of());
    Await.until("open", WAIT_SECONDS, () -> viewer.has("open"));
    return viewer;
  }

  /** Else a viewer that comes back would see what it then asks for a second time. */
  @Test
  void nothingIsHeardOfASocketThatHasClosed() {
    Watcher viewer = open("one");
    Await.until("the second poll", WAIT_SECONDS, () -> waiting.size() == 1);
    crowd.say(viewer, new JsonObject().put("type", "ping"));
    Await.until("close", WAIT_SECONDS, () -> viewer.has("close"));
    HttpServerResponse late = waiting.remove();
    if (!late.closed()) {
      say(late, "a" + new JsonArray().add("{\"type\":\"rec\",\"headers\":{}}").encode());
    }
    open("two");
    assertEquals(List.of(), viewer.all("rec"));
  }

  /** Else a viewer whose node died between two polls would never learn that it had come back. */
  @Test
  void aSocketThatIsOpenedAgainHasLostItsSession() {
    Watcher viewer = open("one");
    Await.until("the second poll", WAIT_SECONDS, () -> waiting.size() == 1);
    say(waiting.remove(), "o");
    Await.until("close", WAIT_SECONDS, () -> viewer.has("close"));
    assertEquals(1, viewer.all("open").size());
  }
}
