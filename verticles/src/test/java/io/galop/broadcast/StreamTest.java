package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams that are refused, or end; StreamIT watches them go on. */
@Timeout(180)
class StreamTest extends FeedTest {
  private static final String EVENTS = "text/event-stream";
  private static final Pattern RETRY = Pattern.compile("\nretry: (\\d+)\n\n");
  private static final String ANY = "*/*";

  private HttpResponse<String> get(String path, String accept) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + feed.port() + path))
            .header("Accept", accept)
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  private double connections() {
    return feed.node.meters().get("galop.broadcast.connections").gauge().value();
  }

  /** At another status a browser would give its EventSource up. */
  @Test
  void anEventSourceIsToldToComeBackLater() throws Exception {
    start("broadcast.maxConnections=1");
    feed.connect().settle();
    assertEquals(503, get("/stream/a", ANY).statusCode());
    HttpResponse<String> events = get("/stream/a", EVENTS);
    assertEquals(200, events.statusCode());
    assertTrue(events.body().matches("(?s)retry: \\d+\n\ndata: \\{.*\\}\n\n"), events.body());
    assertTrue(events.body().contains("\"body\":\"full\""), events.body());
  }

  /** It would be there for ever, and hear nothing. */
  @Test
  void aStreamThatMayNotRegisterEnds() throws Exception {
    start("broadcast.limits.registrations=1");
    witness("a");
    for (String accept : new String[] {EVENTS, ANY}) {
      String body = get("/stream/b", accept).body();
      assertTrue(body.contains("\"body\":\"max_handlers_reached\""), body);
      assertTrue(body.contains("\"failureCode\":3009"), body);
      assertTrue(body.endsWith(accept.equals(ANY) ? "{\"type\":\"end\"}\n" : ": end\n\n"), body);
    }
    LiveClient.await("their places are given back", () -> connections() == 1);
  }

  @Test
  void aRequestForWhatThereIsNotSaysSo() throws Exception {
    start();
    assertRefused(400, "parameter sinc is unknown", "/stream/a?sinc=1", ANY);
    assertRefused(400, "parameter since is there twice", "/stream/a?since=&since=", ANY);
    assertRefused(400, "is no position", "/stream/a?since=4", ANY);
    assertRefused(400, "'sse' or 'ndjson'", "/stream/a?format=xml", ANY);
    assertRefused(400, "events always have them", "/stream/a?words=false", EVENTS);
    assertRefused(400, "must be the last level", "/stream/%23/a", ANY);
    assertRefused(403, "start with $", "/stream/$dead-letter/%23", ANY);
    assertRefused(404, "as it is", "/%73tream/a", ANY);
  }

  private void assertRefused(int status, String why, String path, String accept) throws Exception {
    HttpResponse<String> answer = get(path, accept);
    assertEquals(status, answer.statusCode(), path);
    assertTrue(answer.body().contains(why), answer.body());
  }

  /** It knows no chunks: the bytes between the events must be none of theirs. */
  @Test
  void aClientOfHttp10GetsTheSameEvents() throws Exception {
    start();
    try (Socket socket = new Socket("127.0.0.1", feed.port())) {
      socket.setSoTimeout(60_000);
      String request = "GET /stream/a?format=sse HTTP/1.0\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String body = readUntil(socket, "\n\nid: ");
      String events = body.substring(body.indexOf("\r\n\r\n") + 4);
      assertTrue(
          events.matches("(?s)(:\n\n)?retry: [1-3]\\d{3}\n\n(data: \\{[^\n]*\\}\n\n)+id: .*"),
          events);
    }
  }

  /** When a node ends, all of its EventSources come to another: not in the same moment. */
  @Test
  void eachEventSourceComesBackAfterATimeOfItsOwn() throws Exception {
    start();
    Set<Integer> pauses = new HashSet<>();
    for (int i = 0; i < 8; i++) {
      try (Socket socket = new Socket("127.0.0.1", feed.port())) {
        socket.setSoTimeout(60_000);
        String request = "GET /stream/a?format=sse HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        String body = readUntil(socket, "\n\nid: ");
        Matcher retry = RETRY.matcher(body);
        assertTrue(retry.find(), body);
        int pauseMs = Integer.parseInt(retry.group(1));
        assertTrue(pauseMs >= 1_000 && pauseMs <= 3_000, body);
        pauses.add(pauseMs);
      }
    }
    assertTrue(pauses.size() > 1, "all after " + pauses);
  }

  private static String readUntil(Socket socket, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int next = socket.getInputStream().read();
      assertTrue(next >= 0, "ended after " + text);
      text.append((char) next);
    }
    return text.toString();
  }
}
