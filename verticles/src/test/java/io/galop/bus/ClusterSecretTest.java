package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.cluster.ClusterStart;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.e2e.Await;
import io.galop.servers.Ports;
import io.galop.socket.Listeners;
import io.galop.socket.RefusalLog;
import io.galop.socket.ServerSockets;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What strangers may send to the event bus of a node, over real sockets. */
@Tag("slow")
@Timeout(120)
class ClusterSecretTest {
  /** What this machine can carry sockets by. */
  enum Sockets {
    NIO,
    EPOLL;

    Transport transport() {
      return this == NIO ? Transport.NIO : Transport.EPOLL;
    }
  }

  private final int first = Ports.free();
  private final int second = Ports.free();
  private final int firstBus = Ports.free();
  private final List<Vertx> running = new ArrayList<>();

  @AfterEach
  void stop() {
    running.forEach(vertx -> vertx.close().await());
  }

  private ClusterStart.Started start(
      String name, int port, int busPort, String secret, Sockets transport) {
    String members = "[127.0.0.1:" + first + ", 127.0.0.1:" + second + "]";
    List<String> sets =
        List.of(
            "cluster.members=" + members,
            "cluster.name=secret-" + first,
            "cluster.secret=" + secret,
            "cluster.port=" + port,
            "cluster.busPort=" + busPort,
            "cluster.maxFrameBytes=1048576");
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

  /** Both ways, large messages too, and over both kinds of sockets. */
  @ParameterizedTest
  @EnumSource(Sockets.class)
  void nodesWithTheSecretTalk(Sockets transport) throws Exception {
    ClusterStart.Started one = start("one", first, firstBus, "s3cret", transport);
    ClusterStart.Started two = start("two", second, 0, "s3cret", transport);
    Await.until(
        "both are members",
        60,
        () -> one.cluster().members().size() == 2 && two.cluster().members().size() == 2);
    String large = "x".repeat(900_000);
    for (ClusterStart.Started from : List.of(one, two)) {
      ClusterStart.Started to = from == one ? two : one;
      String address = Addresses.of(to.cluster().self().id(), Addresses.Lane.PUBLISH);
      to.vertx().eventBus().consumer(address, message -> message.reply(message.body()));
      assertEquals(large, from.vertx().eventBus().request(address, large).await().body());
    }
  }

  @Test
  void whoDoesNotKnowTheSecretNeitherJoinsNorSpeaks() throws Exception {
    ClusterStart.Started one = start("one", first, firstBus, "s3cret", Sockets.NIO);
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    EventBus bus = one.vertx().eventBus();
    bus.consumer("anything", message -> heard.add(message.body()));
    try (Logged log = new Logged(RefusalLog.class)) {
      try (Socket stranger = new Socket("127.0.0.1", firstBus)) {
        stranger.getOutputStream().write(hugeFrame());
        assertTrue(isClosed(stranger));
      }
      assertEquals(1, log.with("does not know the secret").size());
    }
    ClusterStart.Started other = start("two", second, 0, "another", Sockets.NIO);
    assertEquals(1, other.cluster().members().size());
    assertEquals(1, one.cluster().members().size());
    assertTrue(heard.isEmpty());
  }

  @Test
  void withoutASecretFramesHaveABound() throws Exception {
    start("one", first, firstBus, "", Sockets.NIO);
    try (Logged log = new Logged(RefusalLog.class)) {
      try (Socket stranger = new Socket("127.0.0.1", firstBus)) {
        stranger.getOutputStream().write(hugeFrame());
        assertTrue(isClosed(stranger), "a frame of 2 GiB is waited for");
      }
      assertEquals(1, log.with("cluster.maxFrameBytes").size());
    }
  }

  @Test
  void theSecretIsShownToNobody() {
    List<String> sets = List.of("cluster.secret=s3cret");
    GalopConfig config = ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of());
    assertFalse(config.toString().contains("s3cret"), config.toString());
  }
}
