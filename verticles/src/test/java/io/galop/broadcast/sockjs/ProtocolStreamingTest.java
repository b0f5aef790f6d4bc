package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What SockJS 0.3 says of xhr-streaming, eventsource and htmlfile. */
class ProtocolStreamingTest extends ProtocolFixture {
  private static final String PRELUDE = "h".repeat(2048) + "\n";
  private static final String GO_AWAY = "c[3000,\"Go away!\"]\n";

  private RawHttp stream(String url) throws IOException {
    RawHttp http = http();
    assertEquals(200, http.post(url + "/xhr_streaming", "").status());
    assertEquals(PRELUDE, http.chunk());
    return http;
  }

  @Test
  void xhrStreamsFrames() throws IOException {
    String url = session("/echo");
    RawHttp http = http();
    RawHttp.Answer head = http.post(url + "/xhr_streaming", "");
    assertEquals(200, head.status());
    assertEquals(SCRIPT, head.type());
    assertEquals("*", head.header("access-control-allow-origin"));
    assertEquals("", head.header("access-control-allow-credentials"));
    assertEquals(NEVER, head.header("cache-control"));
    assertEquals("chunked", head.header("transfer-encoding"));
    assertEquals("", head.header("content-length"));
    assertEquals(PRELUDE, http.chunk());
    assertEquals("o\n", http.chunk());
    assertEquals(204, post(url + "/xhr_send", "[\"x\"]").status());
    assertEquals("a[\"x\"]\n", http.chunk());
  }

  @Test
  void endsAResponseThatHasHadItsLimit() throws IOException {
    String url = session("/echo");
    RawHttp http = stream(url);
    assertEquals("o\n", http.chunk());
    String message = "\"" + "x".repeat(128) + "\"";
    for (int n = 0; n < 31; n++) {
      post(url + "/xhr_send", "[" + message + "]");
      assertEquals("a[" + message + "]\n", http.chunk());
    }
    assertEquals("", http.chunk());
    RawHttp.Answer again = http.post(url + "/xhr_streaming", "");
    assertEquals(200, again.status());
    assertEquals(PRELUDE, http.chunk());
    post(url + "/xhr_send", "[\"next\"]");
    assertEquals("a[\"next\"]\n", http.chunk());
  }

  @Test
  void eventsourceStreamsEvents() throws IOException {
    String url = session("/echo");
    RawHttp http = http();
    RawHttp.Answer head = http.get(url + "/eventsource");
    assertEquals(200, head.status());
    assertEquals("text/event-stream", head.type());
    assertEquals(NEVER, head.header("cache-control"));
    assertEquals("\r\n", http.chunk());
    assertEquals("data: o\r\n\r\n", http.chunk());
    post(url + "/xhr_send", "[\"  \\u0000\\n\\r \"]");
    assertEquals("data: a[\"  \\u0000\\n\\r \"]\r\n\r\n", http.chunk());
    String message = "\"" + "x".repeat(4096) + "\"";
    post(url + "/xhr_send", "[" + message + "]");
    assertEquals("data: a[" + message + "]\r\n\r\n", http.chunk());
    assertEquals("", http.chunk());
  }

  @Test
  void htmlfileStreamsScripts() throws IOException {
    String url = session("/echo");
    RawHttp http = http();
    RawHttp.Answer head = http.get(url + "/htmlfile?c=%63allback");
    assertEquals(200, head.status());
    assertEquals("text/html;charset=UTF-8", head.type());
    assertEquals(NEVER, head.header("cache-control"));
    String page = http.chunk();
    assertTrue(page.length() > 1024, page);
    assertTrue(page.startsWith("<!doctype html>\n<html><head>\n"), page);
    assertTrue(page.contains("    var c = parent.callback;\n    c.start();\n"), page);
    assertTrue(page.strip().endsWith("</script>"), page);
    assertEquals("<script>\np(\"o\");\n</script>\r\n", http.chunk());
    post(url + "/xhr_send", "[\"x</script>\"]");
    assertEquals("<script>\np(\"a[\\\"x\\u003c/script>\\\"]\");\n</script>\r\n", http.chunk());
    String message = "x".repeat(4096);
    post(url + "/xhr_send", "[\"" + message + "\"]");
    assertEquals("<script>\np(\"a[\\\"" + message + "\\\"]\");\n</script>\r\n", http.chunk());
    assertEquals("", http.chunk());
  }

  @Test
  void aSessionThatIsClosedLetsItsRequestGo() throws IOException {
    String url = session("/close");
    RawHttp first = stream(url);
    assertEquals("o\n", first.chunk());
    assertEquals(GO_AWAY, first.chunk());
    assertEquals("", first.chunk());
    RawHttp second = stream(url);
    assertEquals(GO_AWAY, second.chunk());
    assertEquals("", second.chunk());
  }

  @Test
  void onlyOneRequestMayWaitAndABrokenOneEndsTheSession() throws Exception {
    String url = session("/echo");
    RawHttp first = stream(url);
    assertEquals("o\n", first.chunk());
    RawHttp second = stream(url);
    assertEquals("c[2010,\"Another connection still open\"]\n", second.chunk());
    assertEquals("", second.chunk());
    first.reset();
    String next = "c[2010";
    while (next.startsWith("c[2010")) {
      next = stream(url).chunk();
    }
    assertEquals("c[1002,\"Connection interrupted\"]\n", next);
  }

  /** A response without a length ends with its connection. */
  @ParameterizedTest
  @ValueSource(strings = {"Connection: keep-alive", "Connection: close"})
  void streamsToOldClientsWithoutChunks(String connection) throws IOException {
    RawHttp http = http();
    http.send("POST " + session("/close") + "/xhr_streaming HTTP/1.0", "", connection);
    RawHttp.Answer head = http.answer();
    assertEquals(200, head.status());
    assertEquals("", head.header("transfer-encoding"));
    assertEquals("", head.header("content-length"));
    String all = PRELUDE + "o\n" + GO_AWAY;
    assertEquals(all, http.read(all.length()));
    assertTrue(http.isAtEnd());
  }

  @Test
  void greetsOldClientsToo() throws IOException {
    RawHttp http = http();
    for (int again = 0; again < 2; again++) {
      http.send("GET /echo HTTP/1.0", "", "Connection: Keep-Alive");
      RawHttp.Answer answer = http.answer();
      assertEquals("Welcome to SockJS!\n", answer.body());
      assertEquals("", answer.header("transfer-encoding"));
    }
  }

  /** Requests that follow each other on one connection, and come from several at once. */
  @ParameterizedTest
  @CsvSource({"300,3"})
  void messagesOfManyConnectionsStayInOrder(int messages, int connections) throws Exception {
    String url = session("/echo");
    RawHttp[] senders = new RawHttp[connections];
    for (int n = 0; n < connections; n++) {
      senders[n] = http();
    }
    RawHttp poller = http();
    poller.post(url + "/xhr", "");
    int seen = 0;
    for (int n = 0; n < messages; n++) {
      assertEquals(
          204, senders[n % connections].post(url + "/xhr_send", "[\"" + n + "\"]").status());
      if (n % 7 == 6) {
        seen = check(senders[n % 2].post(url + "/xhr", "").body(), seen);
      }
    }
    while (seen < messages) {
      seen = check(poller.post(url + "/xhr", "").body(), seen);
    }
  }

  private static int check(String frame, int from) {
    int next = from;
    for (Object each : new io.vertx.core.json.JsonArray(frame.substring(1))) {
      assertEquals(String.valueOf(next++), each);
    }
    return next;
  }
}
