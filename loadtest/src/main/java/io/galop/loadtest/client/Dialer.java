package io.galop.loadtest.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Opens connections for the viewers of an audience. */
final class Dialer {
  private static final int STALLED_WINDOW_BYTES = 4_096;
  private static final int CONNECT_TIMEOUT_MS = 20_000;

  private final ViewerGroup audience;
  private final @Nullable SslContext tls;

  Dialer(ViewerGroup audience) {
    this.audience = audience;
    this.tls = audience.tls() ? trusting() : null;
  }

  private static SslContext trusting() {
    try {
      return SslContextBuilder.forClient()
          .trustManager(InsecureTrustManagerFactory.INSTANCE)
          .build();
    } catch (SSLException e) {
      throw new IllegalStateException("TLS cannot be had", e);
    }
  }

  /**
   * Connects a viewer.
   *
   * @param number of the viewer, which gives its node and its own address
   * @param isStalled whether the kernel shall take as little as possible for it
   * @param onFailure is run if there is no connection
   */
  void dial(
      EventLoop loop, int number, boolean isStalled, ChannelHandler handler, Runnable onFailure) {
    InetSocketAddress to = audience.addresses().get(number % audience.addresses().size());
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(EpollSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
            .handler(handlers(handler, to));
    if (isStalled) {
      bootstrap.option(ChannelOption.SO_RCVBUF, STALLED_WINDOW_BYTES);
    }
    if (audience.sources() > 0) {
      // The kernel then picks the port when it knows both ends: each address has all ports.
      bootstrap.option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true);
      bootstrap.localAddress("127.0.0." + (1 + number % audience.sources()), 0);
    }
    bootstrap
        .connect(to)
        .addListener(
            done -> {
              if (!done.isSuccess()) {
                onFailure.run();
              }
            });
  }

  private ChannelHandler handlers(ChannelHandler handler, InetSocketAddress to) {
    if (tls == null) {
      return handler;
    }
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        channel
            .pipeline()
            .addLast(tls.newHandler(channel.alloc(), to.getHostString(), to.getPort()))
            .addLast(handler);
      }
    };
  }

  /** What a request says where it goes. */
  String host(int number) {
    InetSocketAddress to = audience.addresses().get(number % audience.addresses().size());
    return to.getHostString() + ":" + to.getPort();
  }
}
