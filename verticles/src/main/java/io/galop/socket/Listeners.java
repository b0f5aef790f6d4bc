package io.galop.socket;

import io.galop.config.Listener;
import io.netty.channel.ChannelHandler;
import io.vertx.core.Future;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where every listener of a node is opened: with the address of the configuration, which is
 * compared with what its socket has before anybody is told that it is open. Safe to call from any
 * thread.
 */
public final class Listeners {
  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final ServerSockets sockets;
  private final TlsListeners tls;
  private final Map<String, String> open = new ConcurrentHashMap<>();

  /**
   * Of a Vert.x on a transport of these sockets.
   *
   * @param tls what those with TLS are opened with
   */
  public Listeners(ServerSockets sockets, TlsListeners tls) {
    this.sockets = sockets;
    this.tls = tls;
  }

  /** Of a node whose listeners have no TLS. */
  public Listeners(ServerSockets sockets) {
    this(sockets, TlsListeners.none());
  }

  /** Of a node that listens nowhere. */
  public Listeners() {
    this(new ServerSockets());
  }

  /** The TLS of those that have any. */
  public TlsListeners tls() {
    return tls;
  }

  /** What is listened on, to put guards in front. */
  public ServerSockets sockets() {
    return sockets;
  }

  /**
   * Opens a listener; each event loop that shares it does so.
   *
   * @param bind listens on {@link Listener#host} and the port that it is given, and says which port
   *     it got: Vert.x gives all that ask for the same negative port the same free one, but each
   *     that asks for 0 another one
   * @return fails with {@link ListenFailure}
   */
  public Future<Void> open(Listener listener, IntFunction<Future<Integer>> bind) {
    return tls.of(listener)
        .map(keys -> guarded(listener, () -> keys.entry(List.of()), bind))
        .orElseGet(() -> bound(listener, bind));
  }

  private Future<Void> bound(Listener listener, IntFunction<Future<Integer>> bind) {
    int port = listener.port() == 0 ? shared(listener) : listener.port();
    return bind.apply(port)
        .recover(failure -> Future.failedFuture(ListenFailure.of(listener, failure)))
        .map(
            taken -> {
              opened(listener, sockets.on(taken));
              return null;
            });
  }

  /**
   * The same with a handler of its own in front of each connection, behind TLS. Where any free port
   * is taken, nobody passes before the port is known and the handler stands there.
   */
  public Future<Void> open(
      Listener listener, Supplier<ChannelHandler> guard, IntFunction<Future<Integer>> bind) {
    return tls.of(listener)
        .map(keys -> guarded(listener, () -> keys.entry(List.of(guard.get())), bind))
        .orElseGet(() -> guarded(listener, guard, bind));
  }

  private Future<Void> guarded(
      Listener listener, Supplier<ChannelHandler> guard, IntFunction<Future<Integer>> bind) {
    if (listener.port() != 0) {
      sockets.guard(listener.port(), guard);
      return bound(listener, bind);
    }
    sockets.unknown();
    try {
      return bound(listener, port -> bind.apply(port).map(taken -> guarded(taken, guard)))
          .onComplete(over -> sockets.known());
    } catch (RuntimeException e) {
      sockets.known();
      throw e;
    }
  }

  private int guarded(int port, Supplier<ChannelHandler> guard) {
    sockets.guard(port, guard);
    return port;
  }

  private static int shared(Listener listener) {
    return -1 - (listener.name().hashCode() & 0xffff);
  }

  /**
   * A listener has been opened by something that asks nobody.
   *
   * @throws ListenFailure if it has another address than the configuration gives it, or more
   */
  public void opened(Listener listener, List<InetSocketAddress> really) {
    ListenFailure.check(listener, really);
    InetSocketAddress address = really.get(0);
    String host = address.getAddress().getHostAddress();
    String text = (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + address.getPort();
    if (open.put(listener.name(), text) == null) {
      String how = tls.of(listener).map(keys -> " with " + keys.description()).orElse("");
      if (how.isEmpty() && !listener.isLoopback() && !listener.section().equals(Listener.CLUSTER)) {
        how = " in clear text";
      }
      LOG.info("{} listens on {}{}", listener.name(), text, how);
    }
  }

  /** A listener has closed. */
  public void closed(String name) {
    open.remove(name);
  }

  /** Name → {@code host:port} of all that are open, as their sockets have it. */
  public Map<String, String> open() {
    return new TreeMap<>(open);
  }
}
