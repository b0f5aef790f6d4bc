package io.galop.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.broadcast.sockjs.RawHttp;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Listener;
import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads that no server can read are answered, and say nothing in the log. */
@Timeout(180)
class RequestHeadsTest {
  private final Vertx vertx = Vertx.vertx();
  private RawHttp http;

  @BeforeEach
  void start() throws Exception {
    GalopConfig config = ConfigLoader.parse("{}", "test.yaml");
    HostNames hosts = HostNames.of(config, Listener.of(config, Listener.HTTP));
    Router router = Router.router(vertx);
    router.get("/here").handler(request -> request.end("yes"));
    router.get("/read/*").handler(request -> request.end("read"));
    HttpServer server =
        vertx
            .createHttpServer(Http1.options())
            .requestHandler(new RequestHeads(hosts, router)::handle)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
    http = new RawHttp(server.actualPort());
  }

  @AfterEach
  void stop() throws Exception {
    http.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @CsvSource({
    "GET /here HTTP/1.1, X: y, no Host header",
    "GET /here HTTP/1.1, Host: [::1, names no host",
    "OPTIONS * HTTP/1.1, Host: 127.0.0.1, has no path",
    "CONNECT x:1 HTTP/1.1, Host: x:1, has no path",
    "GET /a%FF HTTP/1.1, Host: 127.0.0.1, not percent-encoded UTF-8",
    "GET /%ED%A0%80 HTTP/1.1, Host: 127.0.0.1, not percent-encoded UTF-8",
    "GET /%C3 HTTP/1.1, Host: 127.0.0.1, not percent-encoded UTF-8",
    "GET /é HTTP/1.1, Host: 127.0.0.1, not percent-encoded UTF-8"
  })
  void whatNoServerCanReadIsRefused(String line, String header, String why) throws Exception {
    try (Logged log = new Logged("io.vertx")) {
      http.sendOnly(line, header);
      RawHttp.Answer answer = http.answer();
      assertEquals(400, answer.status());
      assertTrue(answer.body().contains(why), answer.body());
      assertEquals(List.of(), log.with(""));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/./here", "/read/../here", "/read/x/..", "/read/x/%2E%2e", "/%2e/here"})
  void aLevelOfDotsIsNothingThatIsHere(String path) throws Exception {
    http.sendOnly("GET " + path + " HTTP/1.1", "Host: 127.0.0.1");
    RawHttp.Answer answer = http.answer();
    assertEquals(404, answer.status());
    assertTrue(answer.body().contains("a level of dots"), answer.body());
  }

  @Test
  void dotsWithinALevelAreText() throws Exception {
    http.sendOnly("GET /read/..a/b../.c/... HTTP/1.1", "Host: 127.0.0.1");
    assertEquals(200, http.answer().status());
  }

  /** As the health checks of some balancers do. */
  @Test
  void aRequestOfHttp10NeedsNoHost() throws Exception {
    http.sendOnly("GET /here HTTP/1.0", "X: y");
    RawHttp.Answer answer = http.answer();
    assertEquals(200, answer.status());
    assertEquals("yes", answer.body());
  }

  @Test
  void aPathInUtf8IsServed() throws Exception {
    http.sendOnly("GET /read/%C3%A9/%F0%9F%92%A9%e2%82%ac?q=%FF HTTP/1.1", "Host: 127.0.0.1");
    RawHttp.Answer answer = http.answer();
    assertEquals(200, answer.status());
    assertEquals("read", answer.body());
  }

  @Test
  void aWholeAddressIsServed() throws Exception {
    http.sendOnly("GET http://127.0.0.1/here HTTP/1.1", "Host: 127.0.0.1");
    assertEquals(200, http.answer().status());
  }
}
