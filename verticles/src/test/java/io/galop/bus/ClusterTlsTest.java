package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.cluster.ClusterStart;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.e2e.Await;
import io.galop.servers.Authority;
import io.galop.servers.Ports;
import io.galop.socket.Listeners;
import io.galop.socket.RefusalLog;
import io.galop.socket.ServerSockets;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the event bus of a node makes of certificates, over real sockets. */
@Tag("slow")
@Timeout(120)
class ClusterTlsTest {
  /** What this machine can carry sockets by. */
  enum Sockets {
    NIO,
    EPOLL;

    Transport transport() {
      return this == NIO ? Transport.NIO : Transport.EPOLL;
    }
  }

  private static final String EVENT_BUS = "io.vertx.core.eventbus.impl.clustered";

  @TempDir Path directory;
  private final int first = Ports.free();
  private final int second = Ports.free();
  private final int firstBus = Ports.free();
  private final List<Vertx> running = new ArrayList<>();

  @AfterEach
  void stop() {
    running.forEach(vertx -> vertx.close().await());
  }

  private ClusterStart.Started start(
      String name, int port, int busPort, Sockets transport, List<String> certificates) {
    String members = "[127.0.0.1:" + first + ", 127.0.0.1:" + second + "]";
    List<String> sets = new ArrayList<>(certificates);
    sets.addAll(
        List.of(
            "cluster.members=" + members,
            "cluster.name=tls-" + first,
            "cluster.port=" + port,
            "cluster.busPort=" + busPort,
            "cluster.maxFrameBytes=1048576"));
    GalopConfig config = ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
    ServerSockets sockets = new ServerSockets();
    Transport watched = sockets.over(transport.transport());
    ClusterStart.Started started =
        ClusterStart.start(
            config,
            name,
            new VertxOptions(),
            options -> Vertx.builder().with(options).withTransport(watched),
            new Listeners(sockets));
    running.add(started.vertx());
    return started;
  }

  /** The length of a frame of almost 2 GiB, and a little of it. */
  private static byte[] hugeFrame() {
    return ByteBuffer.allocate(1_000).putInt(Integer.MAX_VALUE - 8).array();
  }

  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(10_000);
    try {
      socket.getInputStream().readAllBytes();
    } catch (java.net.SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
    return true;
  }

  private List<String> certificates(String authority) throws Exception {
    return Authority.make(directory.resolve(authority)).settings();
  }

  private static String request(ClusterStart.Started from, ClusterStart.Started to, String text) {
    String address = Addresses.of(to.cluster().self().id(), Addresses.Lane.PUBLISH);
    to.vertx().eventBus().consumer(address, message -> message.reply(message.body()));
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(5_000);
    return (String) from.vertx().eventBus().request(address, text, options).await().body();
  }

  private static void awaitBoth(ClusterStart.Started one, ClusterStart.Started two)
      throws InterruptedException {
    Await.until(
        "both are members",
        60,
        () -> one.cluster().members().size() == 2 && two.cluster().members().size() == 2);
  }

  /** Both ways, large messages too, and over both kinds of sockets. */
  @ParameterizedTest
  @EnumSource(Sockets.class)
  void nodesOfOneAuthorityTalk(Sockets transport) throws Exception {
    List<String> ours = certificates("ours");
    ClusterStart.Started one = start("one", first, firstBus, transport, ours);
    ClusterStart.Started two = start("two", second, 0, transport, ours);
    awaitBoth(one, two);
    String large = "x".repeat(900_000);
    assertEquals(large, request(one, two, large));
    assertEquals(large, request(two, one, large));
  }

  @Test
  void aNodeWithACertificateOfAnotherAuthorityIsRefused() throws Exception {
    ClusterStart.Started one = start("one", first, firstBus, Sockets.NIO, certificates("ours"));
    ClusterStart.Started two = start("two", second, 0, Sockets.NIO, certificates("theirs"));
    awaitBoth(one, two);
    try (Logged log = new Logged(RefusalLog.class)) {
      assertThrows(ReplyException.class, () -> request(two, one, "hello"));
      Await.until(
          "it is logged",
          60,
          () -> !log.with("does not accept the certificate of this node").isEmpty());
      assertEquals(List.of(), log.with("has shown no certificate"), "it was not asked for one");
    }
    assertThrows(ReplyException.class, () -> request(one, two, "hello"), "nor does this one");
  }

  /**
   * The first accepts the certificate of the second's authority no more, the second accepts the
   * first's. With TLS 1.3 the second's handshake succeeds nevertheless.
   */
  @Test
  void whereOneSideIsRefusedNoConnectionIsMadeByEither() throws Exception {
    Authority ours = Authority.make(directory.resolve("ours"));
    Authority theirs = Authority.make(directory.resolve("theirs"));
    ClusterStart.Started one = start("one", first, firstBus, Sockets.NIO, ours.settings());
    ClusterStart.Started two = start("two", second, 0, Sockets.NIO, theirs.settings(ours));
    awaitBoth(one, two);
    assertNotConnected(two, one);
    assertNotConnected(one, two);
  }

  private static void assertNotConnected(ClusterStart.Started from, ClusterStart.Started to)
      throws InterruptedException {
    try (Logged log = new Logged(EVENT_BUS)) {
      ReplyException refused = assertThrows(ReplyException.class, () -> request(from, to, "hello"));
      assertNotEquals(ReplyFailure.TIMEOUT, refused.failureType(), "its deadline is not awaited");
      String reason = refused.getMessage();
      assertTrue(reason.contains("do not accept each other's certificates"), reason);
      String failed = "Connecting to server " + to.cluster().self().id() + " failed";
      Await.until("it is logged", 60, () -> !log.with(failed).isEmpty());
      String why = log.with(failed).get(0);
      assertTrue(why.contains("do not accept each other's certificates"), why);
      assertFalse(why.contains("has not said within"), "that TLS failed is known before: " + why);
    }
  }

  @Test
  void whoSpeaksNoTlsOrShowsNoCertificateIsRefused() throws Exception {
    ClusterStart.Started one = start("one", first, firstBus, Sockets.NIO, certificates("ours"));
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    one.vertx().eventBus().consumer("anything", message -> heard.add(message.body()));
    try (Logged log = new Logged(RefusalLog.class)) {
      try (Socket stranger = new Socket("127.0.0.1", firstBus)) {
        stranger.getOutputStream().write(hugeFrame());
        assertTrue(isClosed(stranger));
      }
      Await.until("it is logged", 60, () -> log.with("does not speak TLS").size() == 1);
      SSLContext anybody = SSLContext.getInstance("TLS");
      anybody.init(null, new TrustManager[] {new Trusting()}, null);
      try (Socket stranger = anybody.getSocketFactory().createSocket("127.0.0.1", firstBus)) {
        assertTrue(isRefused(stranger));
      }
      Await.until(
          "it is logged",
          60,
          () -> log.with("has shown no certificate of this cluster").size() == 1);
    }
    ClusterStart.Started plain = start("two", second, 0, Sockets.NIO, List.of());
    awaitBoth(one, plain);
    assertThrows(ReplyException.class, () -> request(plain, one, "hello"));
    assertTrue(heard.isEmpty());
  }

  private static boolean isRefused(Socket socket) throws IOException {
    try {
      socket.getOutputStream().write(hugeFrame());
    } catch (IOException refused) {
      return true;
    }
    return isClosed(socket);
  }

  /** Frames are counted behind the gate. */
  @Test
  void framesOfANodeHaveABound() throws Exception {
    List<String> ours = certificates("ours");
    ClusterStart.Started one = start("one", first, firstBus, Sockets.NIO, ours);
    ClusterStart.Started two = start("two", second, 0, Sockets.NIO, ours);
    awaitBoth(one, two);
    assertEquals("hello", request(two, one, "hello"));
    try (Logged log = new Logged(RefusalLog.class)) {
      assertThrows(ReplyException.class, () -> request(two, one, "x".repeat(2_000_000)));
      assertEquals(1, log.with("cluster.maxFrameBytes").size());
    }
  }

  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
