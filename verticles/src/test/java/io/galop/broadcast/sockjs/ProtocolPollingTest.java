package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What SockJS 0.3 says of xhr-polling and jsonp. */
class ProtocolPollingTest extends ProtocolFixture {
  private static final String FORM = "Content-Type: application/x-www-form-urlencoded";

  @Test
  void xhrCarriesMessagesBothWays() throws IOException {
    String url = session("/echo");
    RawHttp.Answer open = post(url + "/xhr", "");
    assertEquals(200, open.status());
    assertEquals("o\n", open.body());
    assertEquals(SCRIPT, open.type());
    assertEquals("*", open.header("access-control-allow-origin"));
    assertEquals("", open.header("access-control-allow-credentials"));
    assertEquals(NEVER, open.header("cache-control"));
    assertEquals("", open.header("set-cookie"));
    RawHttp.Answer sent = post(url + "/xhr_send", "[\"x\"]");
    assertEquals(204, sent.status());
    assertEquals("", sent.body());
    assertEquals("text/plain;charset=UTF-8", sent.type());
    assertEquals("*", sent.header("access-control-allow-origin"));
    assertEquals(NEVER, sent.header("cache-control"));
    assertEquals("a[\"x\"]\n", post(url + "/xhr", "").body());
  }

  @Test
  void theServersIdInThePathMeansNothing() throws IOException {
    String id = session("").substring(5);
    post("/echo/000/" + id + "/xhr", "");
    assertEquals(204, post("/echo/111/" + id + "/xhr_send", "[\"a\"]").status());
    assertEquals("a[\"a\"]\n", post("/echo/999/" + id + "/xhr", "").body());
  }

  @Test
  void messagesForNobodyAreRefused() throws IOException {
    assertEquals(404, post(session("/echo") + "/xhr_send", "[\"x\"]").status());
    assertEquals(404, post(session("/echo") + "/jsonp_send", "[\"x\"]").status());
  }

  @Test
  void onlyOneRequestMayWait() throws Exception {
    String url = session("/echo");
    post(url + "/xhr", "");
    RawHttp[] both = twice("POST " + url + "/xhr HTTP/1.1");
    assertEquals("c[2010,\"Another connection still open\"]\n", both[1].answer().body());
    post(url + "/xhr_send", "[\"b\"]");
    assertEquals("a[\"b\"]\n", both[0].answer().body());
  }

  @Test
  void aClosedSessionSaysSoAgainAndAgain() throws IOException {
    String url = session("/close");
    assertEquals("o\n", post(url + "/xhr", "").body());
    for (int again = 0; again < 3; again++) {
      RawHttp.Answer answer = post(url + "/xhr", "");
      assertEquals(200, answer.status());
      assertEquals("c[3000,\"Go away!\"]\n", answer.body());
    }
  }

  @Test
  void aBrokenPollEndsTheSession() throws Exception {
    String url = session("/echo");
    post(url + "/xhr", "");
    twice("POST " + url + "/xhr HTTP/1.1")[0].reset();
    String answer = post(url + "/xhr", "").body();
    while (answer.startsWith("c[2010")) {
      answer = post(url + "/xhr", "").body();
    }
    assertEquals("c[1002,\"Connection interrupted\"]\n", answer);
  }

  @Test
  void saysWhatIsWrongWithMessages() throws IOException {
    String url = session("/echo");
    post(url + "/xhr", "");
    for (String broken : new String[] {"[\"x", "{}", "[1]", "nonsense"}) {
      RawHttp.Answer answer = post(url + "/xhr_send", broken);
      assertEquals(500, answer.status());
      assertTrue(answer.body().contains("Broken JSON encoding."), answer.body());
    }
    RawHttp.Answer empty = post(url + "/xhr_send", "");
    assertEquals(500, empty.status());
    assertTrue(empty.body().contains("Payload expected."), empty.body());
    assertEquals(204, post(url + "/xhr_send", "[]").status());
    assertEquals(204, post(url + "/xhr_send", "[\"a\"]").status());
    assertEquals("a[\"a\"]\n", post(url + "/xhr", "").body());
  }

  @Test
  void anyContentTypeWillDo() throws IOException {
    String url = session("/echo");
    post(url + "/xhr", "");
    String[] types = {
      "text/plain", "T", "application/json", "application/xml", "", "text/xml; charset=utf-8"
    };
    for (String type : types) {
      assertEquals(204, post(url + "/xhr_send", "[\"a\"]", "Content-Type: " + type).status());
    }
    String all = String.join(",", Collections.nCopies(types.length, "\"a\""));
    assertEquals("a[" + all + "]\n", post(url + "/xhr", "").body());
  }

  @Test
  void givesBackTheHeadersThatAPageWantsToSend() throws IOException {
    String name = "access-control-allow-headers";
    String asked = "Access-Control-Request-Headers: ";
    assertEquals("a, b, c", post(session("/echo") + "/xhr", "", asked + "a, b, c").header(name));
    assertEquals("", post(session("/echo") + "/xhr", "", asked).header(name));
    assertEquals("", post(session("/echo") + "/xhr", "").header(name));
  }

  @Test
  void jsonpCarriesMessagesBothWays() throws IOException {
    String url = session("/echo");
    RawHttp.Answer open = get(url + "/jsonp?c=%63allback");
    assertEquals(200, open.status());
    assertEquals(SCRIPT, open.type());
    assertEquals(NEVER, open.header("cache-control"));
    assertEquals("/**/callback(\"o\");\r\n", open.body());
    RawHttp.Answer sent = post(url + "/jsonp_send", "d=%5B%22x%22%5D", FORM);
    assertEquals("ok", sent.body());
    assertEquals(200, sent.status());
    assertEquals("text/plain;charset=UTF-8", sent.type());
    assertEquals(NEVER, sent.header("cache-control"));
    post(url + "/jsonp_send", "[\"%61</script>\"]", "Content-Type: text/plain");
    assertEquals(
        "/**/callback(\"a[\\\"x\\\",\\\"%61\\u003c/script>\\\"]\");\r\n",
        get(url + "/jsonp?c=%63allback").body());
  }

  @Test
  void jsonpSaysWhatIsWrongWithMessages() throws IOException {
    String url = session("/echo");
    assertEquals("/**/x(\"o\");\r\n", get(url + "/jsonp?callback=x").body());
    RawHttp.Answer broken = post(url + "/jsonp_send", "d=%5B%22x", FORM);
    assertEquals(500, broken.status());
    assertTrue(broken.body().contains("Broken JSON encoding."), broken.body());
    for (String nothing : new String[] {"", "d=", "p=p"}) {
      RawHttp.Answer answer = post(url + "/jsonp_send", nothing, FORM);
      assertEquals(500, answer.status());
      assertTrue(answer.body().contains("Payload expected."), answer.body());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jsonp", "htmlfile"})
  void callbacksAreNames(String transport) throws IOException {
    RawHttp.Answer none = get("/echo/a/a/" + transport);
    assertEquals(500, none.status());
    assertTrue(none.body().contains("\"callback\" parameter required"), none.body());
    for (String bad :
        new String[] {"%20", "*", "abc(", "abc%28", "a%3Cb", "%zz", "x".repeat(200)}) {
      RawHttp.Answer answer = get("/echo/a/a/" + transport + "?c=" + bad);
      assertEquals(500, answer.status());
      assertTrue(answer.body().contains("invalid \"callback\" parameter"), answer.body());
    }
  }

  @Test
  void jsonpEndsLikeTheOthers() throws IOException {
    String url = session("/close") + "/jsonp?c=x";
    assertEquals("/**/x(\"o\");\r\n", get(url).body());
    assertEquals("/**/x(\"c[3000,\\\"Go away!\\\"]\");\r\n", get(url).body());
    assertEquals("/**/x(\"c[3000,\\\"Go away!\\\"]\");\r\n", get(url).body());
  }

  private static String escapes(IntStream codes) {
    return codes.mapToObj("\\u%04x"::formatted).collect(Collectors.joining("", "\"", "\""));
  }

  @Test
  void escapesWhatBrowsersMangle() throws IOException {
    String url = session("/echo");
    post(url + "/xhr", "");
    String escaped =
        escapes(
            IntStream.range(0x100, 0x10000)
                .filter(
                    code ->
                        code >= 0x200c && code <= 0x200f
                            || code >= 0x2028 && code <= 0x202f
                            || code >= 0x2060 && code <= 0x206f
                            || code >= 0xfff0));
    String plain = new JsonArray("[" + escaped + "]").getString(0);
    assertEquals(204, post(url + "/xhr_send", "[\"" + plain + "\"]").status());
    assertEquals("a[" + escaped + "]\n", post(url + "/xhr", "").body());
  }

  @Test
  void anyTextComesBackAsItWas() throws IOException {
    String url = session("/echo");
    post(url + "/xhr", "");
    String all = escapes(IntStream.range(0, 0x10000).filter(c -> c < 0xd800 || c > 0xdfff));
    assertEquals(204, post(url + "/xhr_send", "[" + all + "]").status());
    String back = post(url + "/xhr", "").body();
    assertEquals(new JsonArray("[" + all + "]"), new JsonArray(back.substring(1)));
    String horse = "[\"\\u0007 \\n \\ud83d\\udc0e\"]";
    assertEquals(204, post(url + "/xhr_send", horse).status());
    assertEquals("a[\"\\u0007 \\n 🐎\"]\n", post(url + "/xhr", "").body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"xhr", "xhr_streaming", "eventsource", "htmlfile?c=x", "jsonp?c=x"})
  void givesCookiesWhereTheyAreNeeded(String transport) throws IOException {
    String method = transport.startsWith("xhr") ? "POST" : "GET";
    String service = "/cookie_needed_echo";
    RawHttp.Answer first = http().request(method, session(service) + "/" + transport, "");
    assertEquals("JSESSIONID=dummy;path=/", first.header("set-cookie"));
    RawHttp.Answer kept =
        http().request(method, session(service) + "/" + transport, "", "Cookie: JSESSIONID=abcdef");
    assertEquals("JSESSIONID=abcdef;path=/", kept.header("set-cookie"));
    RawHttp.Answer none = http().request(method, session("/echo") + "/" + transport, "");
    assertEquals("", none.header("set-cookie"));
  }
}
