package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What SockJS 0.3 says of the URLs that need no session, and of those that are none. */
class ProtocolPagesTest extends ProtocolFixture {
  /** The library first, then its call: clients from 1.0 on know no other order. */
  private static final String IFRAME =
      """
      <!DOCTYPE html>
      <html>
      <head>
        <meta http-equiv="X-UA-Compatible" content="IE=edge" />
        <meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
        <script src="/vendor/sockjs.min.js"></script>
        <script>
          document.domain = document.domain;
          SockJS.bootstrap_iframe();
        </script>
      </head>
      <body>
        <h2>Don't panic!</h2>
        <p>This is a SockJS hidden iframe. It's used for cross domain magic.</p>
      </body>
      </html>\
      """;

  @ParameterizedTest
  @ValueSource(strings = {"/echo", "/echo/"})
  void greets(String path) throws IOException {
    RawHttp http = http();
    for (int again = 0; again < 2; again++) {
      RawHttp.Answer answer = http.get(path);
      assertEquals(200, answer.status());
      assertEquals("text/plain;charset=UTF-8", answer.type());
      assertEquals("Welcome to SockJS!\n", answer.body());
      assertEquals("", answer.header("set-cookie"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a",
        "/a.html",
        "//",
        "///",
        "/a/a",
        "/a/a/",
        "/a/",
        "/iframe.htm",
        "/iframe",
        "/IFRAME.HTML",
        "/IFRAME",
        "/iframe.HTML",
        "/iframe.xml",
        "/iframe-/.html",
        "/a/a/nothing"
      })
  void knowsNoOtherPages(String path) throws IOException {
    assertEquals(404, get("/echo" + path).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"//", "/a./a", "/a/a.", "/./.", "/", "///", "/a/b/c", "/..%2f/a"})
  void idsAreNeitherEmptyNorHaveDots(String path) throws IOException {
    assertEquals(404, get("/echo" + path + "/xhr").status());
    assertEquals(404, post("/echo" + path + "/xhr", "").status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a/a", "/_/_", "/1/1", "/abcdefgh_i-j%20/abcdefg_i-j%20"})
  void anyOtherIdWillDo(String path) throws IOException {
    RawHttp.Answer answer = post("/echo" + path + "/xhr", "");
    assertEquals(200, answer.status());
    assertEquals("o\n", answer.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/iframe.html",
        "/iframe-a.html",
        "/iframe-.html",
        "/iframe-0.1.2.html",
        "/iframe-0.1.2abc-dirty.2144.html",
        "/iframe-a.html?t=1234",
        "/iframe-0.1.2abc-dirty.2144.html?t=qweqweq123"
      })
  void servesTheIframesPageForever(String path) throws IOException {
    RawHttp.Answer page = get("/echo" + path);
    assertEquals(200, page.status());
    assertEquals("text/html;charset=UTF-8", page.type());
    assertCachedForAYear(page);
    assertEquals("", page.header("last-modified"));
    assertEquals("", page.header("set-cookie"));
    assertEquals(IFRAME, page.body());
    RawHttp.Answer again = get("/echo" + path, "If-None-Match: " + page.header("etag"));
    assertEquals(304, again.status());
    assertEquals("", again.type());
    assertEquals("", again.body());
    assertEquals(page.header("etag"), get("/echo/iframe.html").header("etag"));
  }

  static void assertCachedForAYear(RawHttp.Answer answer) {
    assertTrue(answer.header("cache-control").contains("public"));
    assertTrue(answer.header("cache-control").contains("max-age=31536000"));
    assertFalse(answer.header("expires").isEmpty());
  }

  /** "*" and credentials exclude each other, so a page without an origin is named as well. */
  private static void assertCors(String origin, RawHttp.Answer answer) {
    String allowed = origin.isEmpty() ? "*" : origin;
    assertEquals(allowed, answer.header("access-control-allow-origin"));
    String credentials = origin.isEmpty() ? "" : "true";
    assertEquals(credentials, answer.header("access-control-allow-credentials"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"test", "null", "http://a.example:8080"})
  void showsItsAnswersToThePageThatAsks(String origin) throws IOException {
    String url = session("/echo");
    assertCors(origin, get("/echo/info", "Origin: " + origin));
    assertCors(origin, post(url + "/xhr", "", "Origin: " + origin));
    assertCors(origin, post(url + "/xhr_send", "[]", "Origin: " + origin));
    assertCors(origin, post("/echo/0/gone/xhr_send", "[]", "Origin: " + origin));
  }

  @Test
  void saysWhatItCan() throws IOException {
    RawHttp.Answer answer = get("/echo/info");
    assertEquals(200, answer.status());
    assertEquals("application/json;charset=UTF-8", answer.type());
    assertEquals(NEVER, answer.header("cache-control"));
    assertEquals("", answer.header("expires"));
    assertEquals("", answer.header("set-cookie"));
    assertCors("", answer);
    JsonObject info = new JsonObject(answer.body());
    assertTrue(info.getBoolean("websocket"));
    assertFalse(info.getBoolean("cookie_needed"));
    assertEquals(new JsonArray().add("*:*"), info.getJsonArray("origins"));
    long entropy = info.getLong("entropy");
    assertTrue(entropy >= 0 && entropy < 1L << 32);
    assertNotEquals(entropy, new JsonObject(get("/echo/info").body()).getLong("entropy"));
  }

  @Test
  void saysWhatItCannot() throws IOException {
    JsonObject info = new JsonObject(get("/disabled_websocket_echo/info").body());
    assertFalse(info.getBoolean("websocket"));
    assertTrue(new JsonObject(get("/cookie_needed_echo/info").body()).getBoolean("cookie_needed"));
  }

  @ParameterizedTest
  @CsvSource({
    "/echo/info,GET",
    "/echo/abc/abc/xhr,POST",
    "/echo/abc/abc/xhr_send,POST",
    "/echo/abc/abc/xhr_streaming,POST",
    "/echo/abc/abc/eventsource,GET",
    "/echo/abc/abc/jsonp_send,POST"
  })
  void answersPreflights(String path, String method) throws IOException {
    for (String origin : new String[] {"", "test", "null"}) {
      RawHttp.Answer answer =
          origin.isEmpty()
              ? http().request("OPTIONS", path, "")
              : http().request("OPTIONS", path, "", "Origin: " + origin);
      assertEquals(204, answer.status());
      assertEquals("", answer.body());
      assertCachedForAYear(answer);
      assertTrue(Integer.parseInt(answer.header("access-control-max-age")) > 1_000_000);
      assertEquals("OPTIONS, " + method, answer.header("access-control-allow-methods"));
      assertCors(origin, answer);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/echo/info,'OPTIONS, GET'",
    "POST,/echo,GET",
    "PUT,/echo/iframe.html,GET",
    "GET,/echo/0/0/xhr,'OPTIONS, POST'",
    "GET,/echo/0/0/xhr_send,'OPTIONS, POST'",
    "GET,/echo/0/0/jsonp_send,'OPTIONS, POST'",
    "PUT,/echo/0/0/xhr_streaming,'OPTIONS, POST'",
    "POST,/echo/0/0/eventsource,'OPTIONS, GET'",
    "POST,/echo/0/0/websocket,GET",
    "POST,/echo/websocket,GET"
  })
  void refusesOtherMethods(String method, String path, String allowed) throws IOException {
    RawHttp.Answer answer = http().request(method, path, "");
    assertEquals(405, answer.status());
    assertEquals(allowed, answer.header("allow"));
    assertEquals("", answer.type());
    assertEquals("", answer.body());
  }
}
