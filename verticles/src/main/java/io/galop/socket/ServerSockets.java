package io.galop.socket;

import io.galop.jvm.OpenFiles;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import io.vertx.core.transport.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * All sockets that a Vert.x listens on, its event bus's and those of libraries too. Vert.x tells
 * nobody which address a listener has taken, only the port; so this stands where it gets its
 * channels from. Safe to call from any thread.
 */
public final class ServerSockets {
  private volatile Optional<Supplier<ChannelHandler>> knocks = Optional.empty();
  private final OpenFiles files = OpenFiles.ofProcess();
  private final int keepAliveSeconds;
  private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
  private final Map<Integer, Supplier<ChannelHandler>> guards = new ConcurrentHashMap<>();

  /** Sockets on a free port that take nobody yet; empty while nothing is {@link #opening}. */
  private final Set<Channel> held = new HashSet<>();

  /** How many guarded listeners are being opened whose port is not known yet. */
  private int opening;

  /** Of connections that stay until they are closed. */
  public ServerSockets() {
    this(0);
  }

  /**
   * Of connections that end when the other end is gone.
   *
   * @param keepAliveSeconds how long nothing may come before it is asked for; 0: never
   */
  public ServerSockets(int keepAliveSeconds) {
    this.keepAliveSeconds = keepAliveSeconds;
  }

  /** A transport whose listening sockets are known here. */
  public Transport over(Transport transport) {
    return new WatchedTransport(transport, this);
  }

  /**
   * Puts a handler of its own in front of all others of each connection that is taken on a port; to
   * be called before the port is listened on, or between {@link #unknown} and {@link #known}.
   */
  public void guard(int port, Supplier<ChannelHandler> handler) {
    guards.put(port, handler);
  }

  /**
   * A guarded listener is going to take any free port. Its guard stands there only when the port is
   * known, and nobody may pass before: until {@link #known}, who connects to a socket on a free
   * port waits in the kernel's queue.
   */
  void unknown() {
    synchronized (held) {
      opening++;
    }
  }

  /** The port is known and guarded, or was not to be had; to be called once for each of those. */
  void known() {
    synchronized (held) {
      opening--;
      if (opening == 0) {
        held.stream().filter(Channel::isOpen).forEach(one -> one.config().setAutoRead(true));
        held.clear();
      }
    }
  }

  private void binds(Channel socket, SocketAddress local) {
    synchronized (held) {
      if (opening > 0 && local instanceof InetSocketAddress address && address.getPort() == 0) {
        socket.config().setAutoRead(false);
        held.add(socket);
      }
    }
  }

  /**
   * From now on each connection that is opened to the event bus of another node proves the secret.
   *
   * @param isBus whether an address is that of an event bus
   */
  public void knock(ClusterSecret secret, Predicate<SocketAddress> isBus) {
    knocks = Optional.of(() -> new BusKnock(secret, isBus));
  }

  /** From now on each connection that is opened to the event bus of another node is by TLS. */
  public void knock(ClusterTls tls, Predicate<SocketAddress> isBus) {
    knocks = Optional.of(() -> new TlsKnock(tls, isBus));
  }

  /** The addresses that are listened on at a port. */
  public List<InetSocketAddress> on(int port) {
    return channels.stream()
        .map(Channel::localAddress)
        .filter(InetSocketAddress.class::isInstance)
        .map(InetSocketAddress.class::cast)
        .filter(address -> address.getPort() == port)
        .toList();
  }

  ChannelFactory<Channel> knocking(ChannelFactory<? extends Channel> factory) {
    return () -> {
      Channel channel = factory.newChannel();
      knocks.ifPresent(knock -> channel.pipeline().addFirst(knock.get()));
      return channel;
    };
  }

  ChannelFactory<ServerChannel> watched(ChannelFactory<? extends ServerChannel> factory) {
    return () -> {
      ServerChannel channel = factory.newChannel();
      channels.add(channel);
      channel.closeFuture().addListener(closed -> channels.remove(channel));
      channel.pipeline().addFirst(new Guarding());
      return channel;
    };
  }

  /** Sees each connection before its handlers are put up. */
  private final class Guarding extends ChannelDuplexHandler {
    @Override
    public void bind(ChannelHandlerContext context, SocketAddress local, ChannelPromise promise) {
      binds(context.channel(), local);
      context.bind(local, promise);
    }

    /** Netty's own handler, which waits a second then, is put up after all that stands here. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      ChannelPipeline pipeline = context.pipeline();
      if (pipeline.get(AcceptFailures.class) == null) {
        pipeline.addLast(new AcceptFailures(files, System::nanoTime));
      }
      context.fireExceptionCaught(failure);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object taken) {
      if (taken instanceof Channel connection
          && context.channel().localAddress() instanceof InetSocketAddress local) {
        Supplier<ChannelHandler> guard = guards.get(local.getPort());
        if (guard != null) {
          connection.pipeline().addLast(guard.get());
        }
      }
      context.fireChannelRead(taken);
      if (taken instanceof Channel connection && keepAliveSeconds > 0) {
        KeepAlive.set(connection, keepAliveSeconds); // Vert.x has set its own options by now
      }
    }
  }
}
