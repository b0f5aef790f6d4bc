package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the shipped HAProxy files open in TLS, and what they do not; no node is behind them. */
@Timeout(180)
class BalancerTlsIT {
  @TempDir static Path directory;
  private static Certificate certificate;
  private static Haproxy haproxy;

  @BeforeAll
  static void start() throws Exception {
    certificate = Certificate.make(directory.resolve("pem"), "feed.example", "localhost");
    Haproxy.Node nowhere =
        new Haproxy.Node("127.0.0.1:" + Ports.free(), "127.0.0.1:" + Ports.free());
    haproxy = Haproxy.before(directory, certificate, nowhere, nowhere);
  }

  @AfterAll
  static void stop() {
    if (haproxy != null) {
      haproxy.close();
    }
  }

  /** What openssl's client says of a handshake. */
  private static String greet(int port, String... flags) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + port));
    command.addAll(List.of(flags));
    Process openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
    openssl.getOutputStream().close();
    String words = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    openssl.waitFor();
    return words;
  }

  @Test
  void theShippedFilesAreWhatHaproxyTakes() throws Exception {
    Cli.Ended ended = Haproxy.check(directory, certificate);
    assertEquals(0, ended.code(), ended.text());
    assertTrue(!ended.text().contains("WARNING"), ended.text());
  }

  @Test
  void theNameInTheGreetingChoosesTheCertificate() throws Exception {
    for (String name : List.of("localhost", "feed.example")) {
      String words = greet(haproxy.port(), "-servername", name, "-alpn", "h2");
      assertTrue(words.contains("subject=CN = " + name), words);
      assertTrue(words.contains("ALPN protocol: h2"), words);
    }
  }

  @Test
  void oldVersionsAreOpenOnTheirOwnAddressOnly() throws Exception {
    String[] asWindows7 = {"-tls1", "-noservername", "-cipher", "AES128-SHA:@SECLEVEL=0"};
    String refused = greet(haproxy.port(), asWindows7);
    assertTrue(refused.contains("Cipher is (NONE)"), refused);
    String taken = greet(haproxy.portForIe8(), asWindows7);
    assertTrue(taken.contains("Cipher is AES128-SHA"), taken);
    assertTrue(taken.contains("TLSv1"), taken);
  }

  @Test
  void plainHttpIsSentToTls() throws Exception {
    URI plain = URI.create("http://127.0.0.1:" + haproxy.plainPort() + "/live/info");
    HttpResponse<Void> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(plain).build(), HttpResponse.BodyHandlers.discarding());
    assertEquals(301, answer.statusCode());
    String location = answer.headers().firstValue("Location").orElseThrow();
    assertTrue(location.startsWith("https://127.0.0.1"), location);
  }
}
