package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.broadcast.sockjs.RawHttp;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a browser may see with its token, and for how long. */
@Tag("slow")
@Timeout(180)
class LiveTokenTest extends FeedTest {
  /** Long enough for what is done with it on a machine that stands still for some seconds. */
  private static final int SHORT_SECONDS = 8;

  /** "Within two seconds", on such a machine. */
  private static final long SOON_MS = 15_000;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir private Path directory;
  private TestTokens issuer;

  @BeforeEach
  void startFeed() throws Exception {
    issuer = TestTokens.of("ES256", directory);
    List<String> settings = new ArrayList<>(issuer.settings());
    settings.add("broadcast.disconnectDelayMs=60000"); // tokens end sooner than sessions
    start(settings.toArray(String[]::new));
  }

  private LiveClient connect(String token) throws Exception {
    return LiveClient.connect(feed.vertx, feed.port(), "/live/websocket?token=" + token);
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + feed.port() + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static void say(LiveClient client, String token) throws Exception {
    JsonObject headers = new JsonObject().put("token", token);
    client.send(new JsonObject().put("type", "token").put("headers", headers).encode());
    client.settle();
  }

  private static List<String> refusals(LiveClient client) {
    return client.all("err").stream().map(error -> error.getString("body")).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/live/info",
    "GET,/live/1/s/eventsource",
    "GET,/live/1/s/htmlfile?c=f",
    "GET,/live/1/s/jsonp?c=f",
    "POST,/live/1/s/xhr",
    "POST,/live/1/s/xhr_streaming",
    "POST,/live/1/s/xhr_send",
    "POST,/live/1/s/jsonp_send"
  })
  void nothingIsServedWithoutAToken(String method, String path) throws Exception {
    String with = path + (path.contains("?") ? "&" : "?") + "token=";
    String late = issuer.token("anna", -1, "#");
    for (String asked : List.of(path, with, with + "x.y.z", with + late)) {
      HttpResponse<String> answer = send(to(asked).method(method, BodyPublishers.noBody()));
      if (!asked.endsWith(late) || path.equals("/live/info")) {
        assertEquals(401, answer.statusCode(), asked);
        assertEquals("Bearer", answer.headers().firstValue("WWW-Authenticate").get());
        String reason = new JsonObject(answer.body()).getString("reason");
        String expected =
            asked.endsWith("x.y.z")
                ? "token_invalid"
                : asked.endsWith(late) ? "token_expired" : "token_missing";
        assertEquals(expected, reason);
        assertFalse(answer.body().contains(late));
      }
    }
  }

  @Test
  void aBadlyEncodedAddressIsTheBrowsersFault() throws Exception {
    try (RawHttp raw = new RawHttp(feed.port())) {
      for (String query : List.of("?token=%zz", "?a=%&token=x.y.z")) {
        RawHttp.Answer answer = raw.get("/live/info" + query);
        assertEquals(401, answer.status(), query);
        assertEquals("token_invalid", new JsonObject(answer.body()).getString("reason"));
      }
    }
  }

  @Test
  void aTokenComesAsParameterOrHeader() throws Exception {
    String token = issuer.token("anna", 60, "#");
    assertEquals(200, send(to("/live/info?token=" + token)).statusCode());
    HttpRequest.Builder header = to("/live/info").header("Authorization", "Bearer " + token);
    assertEquals(200, send(header).statusCode());
    HttpRequest.Builder both =
        to("/live/info?token=" + token).header("Authorization", "Bearer a.b.c");
    assertEquals(401, send(both).statusCode());
    assertEquals(200, send(to("/live/iframe.html")).statusCode());
  }

  @Test
  void websocketsWithoutAGoodTokenAreRefused() throws Exception {
    for (String token : List.of("", "a.b.c", issuer.token("anna", -1, "#"))) {
      for (String path : List.of("/live/websocket", "/live/0/s/websocket")) {
        String asked = path + "?token=" + token;
        ExecutionException refused =
            assertThrows(
                ExecutionException.class, () -> LiveClient.connect(feed.vertx, feed.port(), asked));
        assertEquals(401, ((UpgradeRejectedException) refused.getCause()).getStatus());
      }
    }
  }

  @Test
  void registersOnlyWhatTheTokenAllows() throws Exception {
    LiveClient client = connect(issuer.token("anna", 60, "race/#", "plant/+"));
    client.register("race/1");
    client.register("#");
    client.register("plant/1/x");
    client.register("plant/#");
    client.register("$dead-letter/x");
    client.register("plant/+");
    client.settle();
    assertEquals("access_denied", refusals(client).get(0));
    assertEquals(4, refusals(client).size());
    assertEquals("the token does not allow '#'", client.all("err").get(0).getString("message"));
    feed.publish("race/1", 1);
    feed.publish("plant/1", 1);
    client.awaitIds(2);
  }

  @Test
  void anExpiredTokenEndsTheConnectionSoon() throws Exception {
    long expiresMs = System.currentTimeMillis() + SHORT_SECONDS * 1_000;
    LiveClient client = connect(issuer.token("anna", SHORT_SECONDS, "#"));
    client.register("race/1");
    LiveClient.await("end", client::isClosed);
    assertTrue(System.currentTimeMillis() - expiresMs <= SOON_MS);
    assertEquals((short) 3501, client.closeCode());
    assertEquals("token_expired", client.awaitFirst("err").getString("body"));
  }

  @Test
  void aRenewedTokenKeepsItAndChangesItsRights() throws Exception {
    final long begunMs = System.currentTimeMillis();
    LiveClient client = connect(issuer.token("anna", SHORT_SECONDS, "race/#", "plant/#"));
    client.register("race/#");
    client.register("plant/1");
    client.settle();
    String longer = issuer.token("anna", 600, "race/#");
    say(client, longer);
    JsonObject taken = client.awaitFirst("token");
    long expires = taken.getJsonObject("body").getLong("expires");
    assertTrue(expires > System.currentTimeMillis() / 1000 + 500, taken.encode());
    JsonObject ended = client.awaitFirst("err");
    assertEquals("plant/1", ended.getString("address"));
    assertEquals("access_denied", ended.getString("body"));
    feed.publish("plant/1", 1);
    // Past the end of the first token and the watch for it.
    Thread.sleep(Math.max(0, begunMs + SHORT_SECONDS * 1_000 + 3_000 - System.currentTimeMillis()));
    feed.publish("race/1", 1);
    client.awaitIds(1);
    assertEquals(List.of("race/1:1"), client.ids());
    assertFalse(client.isClosed());
  }

  @Test
  void aTokenIsRenewedOnlyByOneOfTheSameSubject() throws Exception {
    LiveClient client = connect(issuer.token("anna", 60, "race/#"));
    client.register("race/1");
    say(client, issuer.token("eve", 600, "#"));
    say(client, issuer.token("anna", -1, "#"));
    say(client, "nonsense");
    client.send("{\"type\":\"token\"}");
    client.send("{\"type\":\"token\",\"headers\":null}");
    client.settle();
    assertEquals(
        List.of(
            "token_other_subject",
            "token_expired",
            "token_invalid",
            "invalid_header",
            "invalid_header"),
        refusals(client));
    client.register("#");
    client.settle();
    assertEquals("access_denied", refusals(client).get(5));
    assertFalse(client.isClosed());
  }

  private HttpResponse<String> post(String path, String token, String body) throws Exception {
    String query = token.isEmpty() ? "" : "?token=" + token;
    return send(to(path + query).POST(BodyPublishers.ofString(body)));
  }

  @Test
  void aSessionIsServedOnlyToTheTokenThatOpenedIt() throws Exception {
    String token = issuer.token("anna", 60, "race/#");
    String other = issuer.token("anna", 61, "#");
    String session = "/live/1/bound";
    assertEquals("o\n", post(session + "/xhr", token, "").body());
    String register = "[\"{\\\"type\\\":\\\"register\\\",\\\"address\\\":\\\"race/1\\\"}\"]";
    assertEquals(404, post(session + "/xhr_send", other, register).statusCode());
    assertEquals(401, post(session + "/xhr_send", "", register).statusCode());
    assertEquals(204, post(session + "/xhr_send", token, register).statusCode());
    feed.publish("race/1", 1);
    HttpResponse<String> stolen = post(session + "/xhr", other, "");
    assertFalse(stolen.body().contains("race/1"), stolen.body());
    assertEquals(401, post(session + "/xhr", "", "").statusCode());
    assertTrue(post(session + "/xhr", token, "").body().contains("race/1"));
  }

  /** Its client goes on with the token that stands in the address, as sockjs-client does. */
  @Test
  void aPollingSessionWhoseTokenWasRenewedGoesOn() throws Exception {
    String token = issuer.token("anna", SHORT_SECONDS, "race/#");
    String session = "/live/1/renewed";
    post(session + "/xhr", token, "");
    JsonObject renewal =
        new JsonObject()
            .put("type", "token")
            .put("headers", new JsonObject().put("token", issuer.token("anna", 600, "race/#")));
    String body = new io.vertx.core.json.JsonArray().add(renewal.encode()).encode();
    assertEquals(204, post(session + "/xhr_send", token, body).statusCode());
    assertTrue(post(session + "/xhr", token, "").body().contains("expires"));
    LiveClient.await("the end of the first", () -> status("/live/info?token=" + token) == 401);
    String ping = "[\"{\\\"type\\\":\\\"ping\\\"}\"]";
    assertEquals(204, post(session + "/xhr_send", token, ping).statusCode());
    assertTrue(post(session + "/xhr", token, "").body().contains("pong"));
    assertEquals(401, post("/live/1/new/xhr", token, "").statusCode());
  }

  private int status(String path) {
    try {
      return send(to(path)).statusCode();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
