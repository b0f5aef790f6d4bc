package io.galop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who reaches the HTTP port, by real sockets from several addresses of this machine. */
@Tag("slow")
@Timeout(180)
class FrontTest {
  private static final String CLOSED = "closed without an answer";
  private static final String PROXY_1 = "PROXY TCP4 203.0.113.9 127.0.0.1 4711 8080\r\n";

  /** The same in version 2: signature, PROXY, TCP4, 12 bytes, addresses and ports. */
  private static final String PROXY_2 =
      new String(
          HexFormat.of()
              .parseHex("0d0a0d0a000d0a515549540a" + "2111000c" + "cb0071097f000001" + "12671f90"),
          StandardCharsets.ISO_8859_1);

  @TempDir private Path directory;
  private GalopNode node;
  private final List<Socket> sockets = new ArrayList<>();

  private void start(String... settings) {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory));
    sets.addAll(List.of("http.port=0", "management.port=0", "node.roles=[persist, broadcast]"));
    sets.addAll(List.of(settings));
    node = GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    node.close();
  }

  private Socket connect(int from) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0." + from), 0));
    int port = Integer.parseInt(node.listeners().get("http").split(":")[1]);
    socket.connect(new InetSocketAddress("127.0.0.1", port), 10_000);
    socket.setSoTimeout(60_000);
    return socket;
  }

  /** Sends a request after something else, and gives the head of the answer. */
  private static String ask(Socket socket, String first, String... headers) throws IOException {
    StringBuilder request = new StringBuilder(first);
    request.append("GET /live/websocket HTTP/1.1\r\nHost: galop\r\n");
    List.of(headers).forEach(header -> request.append(header).append("\r\n"));
    request.append(
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try {
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
      while (!answer.toString(StandardCharsets.ISO_8859_1).contains("\r\n\r\n")) {
        int next = socket.getInputStream().read();
        if (next < 0) {
          return CLOSED;
        }
        answer.write(next);
      }
    } catch (IOException reset) {
      return CLOSED;
    }
    return answer.toString(StandardCharsets.ISO_8859_1);
  }

  private static void assertStatus(int status, String answer) {
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
  }

  private void await(String what, String line) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + "/metrics");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    String metrics = "";
    while (!metrics.contains(line)) {
      assertTrue(System.nanoTime() < deadline, "waited in vain for: " + what + "\n" + metrics);
      HttpRequest request = HttpRequest.newBuilder(uri).build();
      metrics = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
      Thread.sleep(20);
    }
  }

  @Test
  void whatIsNotThereHasAWordForPrograms() throws Exception {
    start();
    URI none = URI.create("http://" + node.listeners().get("http") + "/nothing");
    HttpRequest request = HttpRequest.newBuilder(none).build();
    String body = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    assertEquals(
        "{\"error\":\"there is nothing at GET /nothing\",\"reason\":\"unknown_path\"}", body);
  }

  /** Each viewer of a compressed websocket would cost some hundred kilobytes, and time. */
  @Test
  void websocketsAreNotCompressed() throws Exception {
    start();
    String offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits";
    String answer = ask(connect(2), "", offer);
    assertStatus(101, answer);
    assertFalse(answer.toLowerCase(Locale.ROOT).contains("extensions"), answer);
  }

  @Test
  void anAddressHasSoManyConnections() throws Exception {
    start("http.maxConnectionsPerAddress=2");
    Socket first = connect(2);
    connect(2);
    await("two connections", "galop_http_connections 2");
    String refused = ask(connect(2), "");
    assertStatus(429, refused);
    assertTrue(refused.contains("Retry-After: 5\r\n"), refused);
    assertStatus(101, ask(connect(3), ""));
    await("the refusal", "galop_http_refused_total{reason=\"address_full\"} 1.0");
    first.close();
    await("the end of the first and the refused", "galop_http_connections 2");
    assertStatus(101, ask(connect(2), ""));
  }

  @Test
  void thePortHasSoManyConnections() throws Exception {
    start("http.maxConnections=2");
    assertStatus(101, ask(connect(2), ""));
    assertStatus(101, ask(connect(3), ""));
    assertStatus(503, ask(connect(4), ""));
  }

  @Test
  void whoIsRefusedAndAsksNothingIsCutOff() throws Exception {
    start("http.maxConnections=1");
    connect(2);
    await("the first", "galop_http_connections 1");
    assertEquals(-1, connect(3).getInputStream().read());
  }

  @Test
  void whoNeverEndsItsFirstHeaderIsCutOff() throws Exception {
    start("http.firstRequestTimeoutSeconds=4");
    Socket viewer = connect(2);
    assertStatus(101, ask(viewer, ""));
    Socket slow = connect(3);
    slow.getOutputStream().write("GET / HTTP/1.1\r\nX-Slow: ".getBytes(US_ASCII));
    assertEquals(-1, slow.getInputStream().read());
    await("the viewer alone", "galop_http_connections 1");
  }

  @Test
  void whoNeverEndsALaterHeaderIsCutOff() throws Exception {
    start("http.firstRequestTimeoutSeconds=4");
    Socket idle = connect(2);
    Socket slow = connect(3);
    for (Socket socket : List.of(idle, slow)) {
      assertStatus(200, plain(socket, "GET /live/info HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
    }
    long begun = System.nanoTime();
    send(slow, "GET /live/info HTTP/1.1\r\nX-Slow: ");
    try {
      while (System.nanoTime() - begun < 30_000_000_000L) {
        Thread.sleep(50);
        send(slow, "x");
      }
    } catch (IOException closed) {
      // As it should be.
    }
    assertTrue(System.nanoTime() - begun < 25_000_000_000L, "a byte now and then bought time");
    await("its count", "galop_http_refused_total{reason=\"late\"} 1.0");
    assertStatus(200, plain(idle, "GET /live/info HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
  }

  /** Empty lines are no request, and an idle connection may send none for ever. */
  @Test
  void whoSendsEmptyLinesOnlyIsCutOff() throws Exception {
    start("http.firstRequestTimeoutSeconds=4");
    Socket blank = connect(2);
    long begun = System.nanoTime();
    try {
      while (System.nanoTime() - begun < 30_000_000_000L) {
        send(blank, "\r\n\r\n");
        Thread.sleep(50);
      }
    } catch (IOException closed) {
      // As it should be.
    }
    assertTrue(System.nanoTime() - begun < 25_000_000_000L, "empty lines bought time");
  }

  private String statusFor(String host, String more) throws IOException {
    String request = "GET /history/a HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n";
    return plain(connect(2), request);
  }

  /** A site may make its own name mean 127.0.0.1, and read what its reader's browser can reach. */
  @Test
  void onLoopbackANameOfAnotherSiteIsRefused() throws Exception {
    start("http.allowedHosts=[feed.example.com, '*.galop.example']");
    List<String> known =
        List.of("127.0.0.1:8080", "[::1]:8080", "localhost", "feed.example.com", "a.galop.example");
    for (String host : known) {
      assertStatus(200, statusFor(host, ""));
    }
    for (String host : List.of("rebound.example", "evil.com:8080", "galop.example.", "1.2.3.4.a")) {
      assertStatus(403, statusFor(host, ""));
    }
  }

  @Test
  void withoutAnySettingTheSameHoldsOnBothPorts() throws Exception {
    start();
    assertStatus(403, statusFor("rebound.example", ""));
    assertStatus(200, statusFor("localhost:8080", ""));
    URI management = URI.create("http://" + node.listeners().get("management"));
    try (Socket socket = new Socket("127.0.0.1", management.getPort())) {
      String drain = "POST /drain HTTP/1.1\r\nHost: rebound.example\r\nContent-Length: 0\r\n\r\n";
      assertStatus(403, plain(socket, drain));
    }
  }

  @Test
  void pagesThatMayConnectMayReadTheHistory() throws Exception {
    start("broadcast.origins=['https://shown.example']");
    String allowed = statusFor("127.0.0.1", "Origin: https://shown.example\r\n");
    assertTrue(allowed.toLowerCase(Locale.ROOT).contains("nosniff"), allowed);
    String header = "access-control-allow-origin: https://shown.example\r\n";
    assertTrue(allowed.toLowerCase(Locale.ROOT).contains(header), allowed);
    String exposed = "access-control-expose-headers: x-galop-incomplete, x-galop-next";
    assertTrue(allowed.toLowerCase(Locale.ROOT).contains(exposed), allowed);
    String other = statusFor("127.0.0.1", "Origin: https://a.shown.example\r\n");
    assertFalse(other.toLowerCase(Locale.ROOT).contains("access-control-"), other);
    String preflight =
        plain(
            connect(2),
            "OPTIONS /history/a HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://shown.example\r\n"
                + "Access-Control-Request-Method: GET\r\n\r\n");
    assertStatus(204, preflight);
    assertTrue(preflight.toLowerCase(Locale.ROOT).contains("authorization"), preflight);
  }

  @Test
  void aFoldedHeaderIsRefused() throws Exception {
    start();
    String folded = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-One: a\r\n\tb: c\r\n\r\n";
    assertStatus(400, plain(connect(2), folded));
    Socket cut = connect(2);
    send(cut, folded.substring(0, folded.indexOf('\t')));
    Thread.sleep(100);
    assertStatus(400, plain(cut, folded.substring(folded.indexOf('\t'))));
    String body = "POST /none HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\n\r\n\r\n b";
    assertStatus(404, plain(connect(2), body));
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  /** The head of the answer to something; what follows it has come with it. */
  private static String plain(Socket socket, String request) throws IOException {
    send(socket, request);
    byte[] answer = new byte[65_536];
    int read = socket.getInputStream().read(answer);
    return read < 0 ? CLOSED : new String(answer, 0, read, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(strings = {PROXY_1, "2"})
  void aTrustedProxySaysWhoTheClientIs(String version) throws Exception {
    String header = version.equals("2") ? PROXY_2 : version;
    start(
        "http.proxyProtocol=true",
        "http.trustedProxies=[127.0.0.2]",
        "broadcast.limits.connectionsPerAddress=1");
    assertStatus(101, ask(connect(2), header));
    assertStatus(429, ask(connect(2), header));
    assertStatus(101, ask(connect(2), PROXY_1.replace("113.9", "113.10")));
    assertEquals(CLOSED, ask(connect(3), header));
    assertEquals(CLOSED, ask(connect(3), ""));
    assertEquals(CLOSED, ask(connect(2), ""));
  }

  @Test
  void onlyTrustedProxiesForward() throws Exception {
    start(
        "http.trustedProxies=[127.0.0.2, 198.51.100.0/24]",
        "broadcast.limits.connectionsPerAddress=1");
    String first = "X-Forwarded-For: 192.0.2.1, 203.0.113.9";
    assertStatus(101, ask(connect(2), "", first));
    assertStatus(429, ask(connect(2), "", "X-Forwarded-For: 192.0.2.2, 203.0.113.9"));
    assertStatus(429, ask(connect(2), "", first + ", 198.51.100.7"));
    assertStatus(429, ask(connect(2), "", first, "X-Forwarded-For: 198.51.100.7"));
    assertStatus(101, ask(connect(2), "", "X-Forwarded-For: 192.0.2.1"));
    assertStatus(101, ask(connect(3), "", "X-Forwarded-For: 192.0.2.55"));
    assertStatus(429, ask(connect(3), "", "X-Forwarded-For: 192.0.2.56"));
  }

  @Test
  void withoutTheSettingAHeaderOfTheProxyProtocolIsNoRequest() throws Exception {
    start();
    String answer = ask(connect(2), PROXY_1);
    assertTrue(answer.matches("(?s)HTTP/1\\.\\d 400 .*"), answer);
  }
}
