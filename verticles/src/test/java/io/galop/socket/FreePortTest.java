package io.galop.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.cli.certificates.TrialAuthority;
import io.galop.cli.certificates.TrialAuthority.Wanted;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Listener;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who comes to a listener on a free port before that port is known to have TLS. */
@Timeout(120)
class FreePortTest {
  private static final byte[] GREETING = "clear text".getBytes(StandardCharsets.US_ASCII);

  @TempDir static Path keys;

  private static GalopConfig config() throws Exception {
    TrialAuthority authority = TrialAuthority.in(keys);
    authority.sign(new Wanted("server", "localhost", List.of("127.0.0.1"), 0, 90));
    List<String> sets =
        List.of(
            "http.port=0",
            "http.tls.certificate=" + authority.file("server.crt"),
            "http.tls.key=" + authority.file("server.key"));
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
  }

  /** Each socket's bytes come back to it. */
  private static Future<NetServer> echo(Vertx vertx, int port) {
    return vertx
        .createNetServer()
        .connectHandler(socket -> socket.handler(socket::write))
        .listen(port, "127.0.0.1");
  }

  private static void in(Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** A client that is there before anybody knows the port, and waits for its answer. */
  private static final class Early {
    private Socket socket = new Socket();
    private int port;
    private boolean isAnswered;

    int greet(int known) throws IOException {
      port = known;
      socket = new Socket("127.0.0.1", port);
      socket.getOutputStream().write(GREETING);
      socket.setSoTimeout(500);
      try {
        isAnswered = socket.getInputStream().read() == GREETING[0];
      } catch (SocketTimeoutException e) {
        isAnswered = false;
      }
      return port;
    }

    /** What else comes, up to the end. */
    String rest() throws IOException {
      socket.setSoTimeout(60_000);
      try {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      } catch (SocketException reset) {
        return "";
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NIO", "EPOLL"})
  void nobodyIsServedInClearText(String transport) throws Exception {
    GalopConfig config = config();
    ServerSockets sockets = new ServerSockets();
    Transport way = transport.equals("NIO") ? Transport.NIO : Transport.EPOLL;
    Vertx vertx = Vertx.builder().withTransport(sockets.over(way)).build();
    try {
      Listeners listeners = new Listeners(sockets, TlsListeners.of(config));
      Listener http = Listener.of(config, Listener.HTTP);
      Early early = new Early();
      in(
          listeners.open(
              http,
              port ->
                  echo(vertx, port)
                      .compose(
                          server ->
                              vertx.executeBlocking(() -> early.greet(server.actualPort())))));
      assertFalse(early.isAnswered, "an answer in clear text");
      assertFalse(early.rest().contains("clear text"), "an answer in clear text");
      assertEquals("clear text", byTls(early.port));
    } finally {
      in(vertx.close());
    }
  }

  private static String byTls(int port) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    try (Socket socket = context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(GREETING);
      byte[] answer = socket.getInputStream().readNBytes(GREETING.length);
      return new String(answer, StandardCharsets.US_ASCII);
    }
  }

  /** One that fails to open holds nobody back from another. */
  @Test
  void aListenerThatDoesNotOpenHoldsNobodyBack() throws Exception {
    GalopConfig config = config();
    ServerSockets sockets = new ServerSockets();
    Vertx vertx = Vertx.builder().withTransport(sockets.over(Transport.NIO)).build();
    try {
      Listeners listeners = new Listeners(sockets, TlsListeners.of(config));
      Listener http = Listener.of(config, Listener.HTTP);
      Early other = new Early();
      Future<Void> failed =
          listeners.open(
              http,
              port ->
                  echo(vertx, 0)
                      .compose(
                          server -> vertx.executeBlocking(() -> other.greet(server.actualPort())))
                      .compose(known -> Future.failedFuture(new IOException("no port"))));
      in(failed.transform(opened -> Future.succeededFuture()));
      assertEquals(true, failed.failed());
      assertFalse(other.isAnswered, "held back meanwhile");
      other.socket.shutdownOutput();
      assertEquals("clear text", other.rest());
    } finally {
      in(vertx.close());
    }
  }
}
