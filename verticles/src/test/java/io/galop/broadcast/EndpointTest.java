package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.yaml.ConfigException;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketConnectOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the routes at {@code /live} do below the level of messages. */
@Timeout(180)
class EndpointTest extends FeedTest {
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + feed.port() + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder post(HttpRequest.Builder request, String body) {
    return request.POST(BodyPublishers.ofString(body));
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/live/info,Origin,https://elsewhere.example",
    "GET,/live/info,Origin,null",
    "GET,/live/1/s/eventsource,Origin,https://elsewhere.example",
    "GET,/live/1/s/jsonp?c=f,Referer,https://elsewhere.example/page",
    "GET,/live/iframe.html,Referer,https://elsewhere.example/page",
    "POST,/live/1/s/xhr,Origin,https://elsewhere.example",
    "POST,/live/1/s/xhr_streaming,Origin,http://127.0.0.1",
    "POST,/live/1/s/xhr_send,Origin,https://elsewhere.example"
  })
  void refusesPagesFromElsewhere(String method, String path, String header, String value)
      throws Exception {
    start();
    HttpResponse<String> answer =
        send(to(path).method(method, BodyPublishers.noBody()).header(header, value));
    assertEquals(403, answer.statusCode());
    assertTrue(answer.body().contains("may not connect; see broadcast.origins"), answer.body());
    assertFalse(answer.headers().firstValue("Access-Control-Allow-Origin").isPresent());
  }

  @Test
  void refusesWebsocketsOfPagesFromElsewhere() throws Exception {
    start();
    for (String path : List.of("/live/websocket", "/live/1/s/websocket")) {
      WebSocketConnectOptions options =
          new WebSocketConnectOptions()
              .setPort(feed.port())
              .setURI(path)
              .addHeader("Origin", "https://elsewhere.example");
      ExecutionException refused =
          assertThrows(
              ExecutionException.class,
              () -> TestFeed.await(feed.vertx.createWebSocketClient().connect(options)));
      assertEquals(403, ((UpgradeRejectedException) refused.getCause()).getStatus());
    }
  }

  @Test
  void letsPagesOfTheSameHostAndConfiguredOnesIn() throws Exception {
    start("broadcast.origins=[https://Board.example, https://*.live.example:8443]");
    String same = "https://127.0.0.1:" + feed.port();
    for (String origin : List.of(same, "https://board.example", "https://a.live.example:8443")) {
      for (String path : List.of("/live/info", "/live/iframe.html", "/live/1/s/eventsource/no")) {
        HttpResponse<String> answer = send(to(path).header("Origin", origin));
        assertEquals(path.endsWith("no") ? 404 : 200, answer.statusCode());
        assertEquals(List.of(origin), answer.headers().allValues("Access-Control-Allow-Origin"));
        assertTrue(answer.headers().allValues("Vary").contains("origin"), "no Vary: Origin");
      }
    }
    assertEquals(200, send(to("/live/info")).statusCode());
  }

  /** A page that keeps its Referer back is told by what browsers add, and programs do not. */
  @ParameterizedTest
  @CsvSource({"cross-site,403", "same-site,403", "same-origin,200", "none,200"})
  void aPageThatHidesItsOriginIsFoundOut(String site, int status) throws Exception {
    start();
    assertEquals(status, send(to("/live/info").header("Sec-Fetch-Site", site)).statusCode());
  }

  @Test
  void originsAreCheckedAtTheStart() {
    ConfigException wrong =
        assertThrows(
            ConfigException.class, () -> TestFeed.start("broadcast.origins=[board.example/x]"));
    assertTrue(
        wrong
            .getMessage()
            .contains(
                "broadcast.origins[0]: must be * or scheme://host[:port] without a path, where *"
                    + " may stand for one label but the last, not 'board.example/x'"),
        wrong.getMessage());
  }

  @Test
  void pollsOneAfterTheOther() throws Exception {
    start();
    for (int round = 0; round < 300; round++) {
      String session = "/live/1/session" + round;
      HttpResponse<String> open = send(post(to(session + "/xhr"), ""));
      assertEquals("o\n", open.body());
      assertEquals(
          204,
          send(post(to(session + "/xhr_send"), "[\"{\\\"type\\\":\\\"ping\\\"}\"]")).statusCode());
      assertEquals(
          "a[\"{\\\"type\\\":\\\"pong\\\",\\\"address\\\":\\\"toString\\\"}\"]\n",
          send(post(to(session + "/xhr"), "")).body());
    }
  }

  @Test
  void bodiesAreLimited() throws Exception {
    start("broadcast.maxMessageBytes=256");
    send(post(to("/live/1/big/xhr"), ""));
    HttpResponse<String> answer =
        send(post(to("/live/1/big/xhr_send"), "[\"" + "x".repeat(300) + "\"]"));
    assertEquals(413, answer.statusCode());
    assertEquals("{\"error\":\"messages may have 256 bytes\"}", answer.body());
  }

  @Test
  void framesLoadTheLibraryFromHere() throws Exception {
    start();
    String frame = send(to("/live/iframe-1.1.5.html")).body();
    assertTrue(frame.contains("<script src=\"../vendor/sockjs.min.js\">"), frame);
  }

  @Test
  void shutdownTellsEveryBrowserAndTakesNoMore() throws Exception {
    start();
    LiveClient client = feed.connect();
    client.register("a");
    client.settle();
    for (LiveEndpoint endpoint : feed.endpoints) {
      TestFeed.await(endpoint.close());
    }
    LiveClient.await("close", client::isClosed);
    assertEquals((short) 3001, client.closeCode());
    LiveClient late = LiveClient.connectInVain(feed.vertx, feed.port());
    assertEquals("shutdown", late.awaitFirst("err").getString("body"));
  }
}
