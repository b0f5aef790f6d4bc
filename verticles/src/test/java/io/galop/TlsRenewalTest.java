package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.certificates.TrialAuthority;
import io.galop.cli.certificates.TrialAuthority.Wanted;
import io.galop.config.ConfigLoader;
import io.galop.e2e.Await;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that are renewed, or end, while viewers watch. */
@Tag("slow")
@Timeout(180)
class TlsRenewalTest {
  private static final int VIEWERS = 400;
  private static final List<String> LOCAL = List.of("localhost", "127.0.0.1");
  @TempDir Path directory;
  private TrialAuthority authority;
  private SSLContext trusting;
  private HttpClient http;
  private final AtomicInteger registered = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  @BeforeEach
  void sign() throws Exception {
    authority = TrialAuthority.in(directory.resolve("keys"));
    server(90);
    JdkSslContext context =
        (JdkSslContext)
            SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(authority.file("ca.crt").toFile())
                .build();
    trusting = context.context();
    http = HttpClient.newBuilder().sslContext(trusting).build();
  }

  private void server(int days) throws Exception {
    authority.sign(new Wanted("server", "localhost", LOCAL, 0, days));
  }

  private GalopNode start() {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    for (String section :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(section + ".port=0");
    }
    sets.add("http.tls.certificate=" + authority.file("server.crt"));
    sets.add("http.tls.key=" + authority.file("server.key"));
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  private final class Viewing implements WebSocket.Listener {
    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
      return onFrame(socket, text.toString());
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, java.nio.ByteBuffer bytes, boolean last) {
      return onFrame(socket, java.nio.charset.StandardCharsets.UTF_8.decode(bytes).toString());
    }

    private CompletionStage<?> onFrame(WebSocket socket, String text) {
      if (text.contains("\"pong\"")) {
        registered.incrementAndGet();
      } else if (text.contains("\"rec\"")) {
        heard.incrementAndGet();
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      ended.incrementAndGet();
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      ended.incrementAndGet();
    }
  }

  private static String address(GalopNode node, String listener) {
    return node.listeners().get(listener).replace("127.0.0.1", "localhost");
  }

  private List<WebSocket> watch(GalopNode node) {
    List<WebSocket> viewers = new ArrayList<>();
    URI live = URI.create("wss://" + address(node, "http") + "/live/websocket");
    for (int i = 0; i < VIEWERS; i++) {
      WebSocket viewer = http.newWebSocketBuilder().buildAsync(live, new Viewing()).join();
      viewer.sendText("{\"type\":\"register\",\"address\":\"r/#\"}", true).join();
      viewer.sendText("{\"type\":\"ping\"}", true).join();
      viewers.add(viewer);
    }
    Await.until("all are registered", 60, () -> registered.get() == VIEWERS);
    return viewers;
  }

  private void publish(GalopNode node) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://" + address(node, "http") + "/publish/r/1"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"n\":1}"))
            .build();
    assertEquals(202, http.send(request, BodyHandlers.ofString()).statusCode());
  }

  /** Of a connection that is made now. */
  private X509Certificate shown(GalopNode node) throws Exception {
    int port = Integer.parseInt(address(node, "http").split(":")[1]);
    try (SSLSocket socket =
        (SSLSocket) trusting.getSocketFactory().createSocket("localhost", port)) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private void assertAllHear(GalopNode node, int records) throws Exception {
    publish(node);
    Await.until("all hear record " + records, 60, () -> heard.get() == records * VIEWERS);
    assertEquals(0, ended.get());
  }

  private static String status(GalopNode node) throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("management") + "/status");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }

  @Test
  void nobodyIsDroppedByANewCertificate() throws Exception {
    try (Logged log = new Logged("io.galop");
        GalopNode node = start()) {
      List<WebSocket> viewers = watch(node);
      assertAllHear(node, 1);
      X509Certificate first = shown(node);
      server(60);
      Await.until("the new one is shown", 60, () -> !shown(node).equals(first));
      assertAllHear(node, 2);
      X509Certificate second = shown(node);
      breakKey();
      Await.until("it is refused", 60, () -> !log.with("http: new certificate refused").isEmpty());
      String refusal = log.with("http: new certificate refused").toString();
      assertTrue(refusal.contains("it is not the key of the certificate in"), refusal);
      Await.until(
          "the status says so", 60, () -> status(node).contains("as the new one was refused"));
      assertEquals(second, shown(node));
      assertAllHear(node, 3);
      server(30);
      Await.until("the mended one is shown", 60, () -> !shown(node).equals(second));
      Await.until(
          "the status is calm", 60, () -> !status(node).contains("as the new one was refused"));
      assertAllHear(node, 4);
      assertTrue(status(node).contains("\"warnings\":{}"), status(node));
      viewers.forEach(WebSocket::abort);
    }
  }

  private void breakKey() throws Exception {
    authority.sign(new Wanted("other", "other", LOCAL, 0, 90));
    Files.copy(
        authority.file("other.key"),
        authority.file("server.key"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void itsEndIsToldTwoWeeksBefore() throws Exception {
    server(13);
    try (GalopNode node = start()) {
      Await.until("a warning", 60, () -> status(node).contains("\"tls.http\":"));
      assertTrue(status(node).contains(" only; put a new one into "), status(node));
      server(15);
      Await.until("no warning", 60, () -> !status(node).contains("\"tls.http\":"));
      String until = shown(node).getNotAfter().toInstant().toString();
      assertTrue(status(node).contains("\"until\":\"" + until + "\""), status(node));
      URI uri = URI.create("http://" + node.listeners().get("management") + "/metrics");
      HttpRequest metrics = HttpRequest.newBuilder(uri).build();
      String text = http.send(metrics, BodyHandlers.ofString()).body();
      assertTrue(text.contains("galop_tls_certificate_until_seconds{listener=\"http\"}"), text);
      assertFalse(text.contains("listener=\"tcp\""));
    }
  }
}
