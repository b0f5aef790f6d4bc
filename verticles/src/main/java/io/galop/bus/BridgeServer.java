package io.galop.bus;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServerOptions;
import io.vertx.ext.bridge.BridgeEventType;
import io.vertx.ext.bridge.BridgeOptions;
import io.vertx.ext.bridge.PermittedOptions;
import io.vertx.ext.eventbus.bridge.tcp.BridgeEvent;
import io.vertx.ext.eventbus.bridge.tcp.TcpEventBusBridge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.function.Function;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The Vert.x TCP event-bus bridge, with nothing behind it but the bus door. It listens on loopback
 * only: its frames have no limit of their own (4 bytes of length, then JSON), and what it lets in
 * is on the event bus.
 */
public final class BridgeServer {
  public static final String HOST = "127.0.0.1";

  /** For a free port. */
  private static final int TRIES = 10;

  private final TcpEventBusBridge bridge;
  private final int port;

  private BridgeServer(TcpEventBusBridge bridge, int port) {
    this.bridge = bridge;
    this.port = port;
  }

  /**
   * Opens the bridge; a port below 1 takes a free one.
   *
   * @param subject whom the certificate of a connection names; empty if there is none
   */
  public static Future<BridgeServer> open(
      Vertx vertx, int port, Function<@Nullable SSLSession, String> subject) {
    return port < 1 ? openFree(vertx, subject, TRIES) : listen(vertx, port, subject);
  }

  /** A port that was free may be taken by another process before it is listened on. */
  private static Future<BridgeServer> openFree(
      Vertx vertx, Function<@Nullable SSLSession, String> subject, int tries) {
    Future<BridgeServer> opened = listen(vertx, freePort(), subject);
    return tries > 1 ? opened.recover(failure -> openFree(vertx, subject, tries - 1)) : opened;
  }

  private static Future<BridgeServer> listen(
      Vertx vertx, int port, Function<@Nullable SSLSession, String> subject) {
    PermittedOptions only = new PermittedOptions().setAddress(Addresses.PUBLISH_BRIDGE);
    BridgeOptions options = new BridgeOptions().addInboundPermitted(only);
    return TcpEventBusBridge.create(
            vertx, options, new NetServerOptions(), event -> noteCertificate(event, subject))
        .listen(port, HOST)
        .map(open -> new BridgeServer(open, port));
  }

  /** Whatever a client says of its certificate is overwritten. */
  private static void noteCertificate(
      BridgeEvent event, Function<@Nullable SSLSession, String> subject) {
    boolean isFromClient =
        event.type() == BridgeEventType.SEND || event.type() == BridgeEventType.PUBLISH;
    JsonObject message = event.getRawMessage();
    if (isFromClient && message != null && message.getValue("body") instanceof JsonObject body) {
      body.put(PublishLane.CERTIFICATE, subject.apply(event.socket().sslSession()));
      event.setRawMessage(message.put("body", body));
    }
    event.complete(true);
  }

  /** The bridge does not tell which port it got, so 0 is resolved before. */
  private static int freePort() {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return probe.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return port;
  }

  public Future<Void> close() {
    return bridge.close();
  }
}
