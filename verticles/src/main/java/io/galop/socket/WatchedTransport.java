package io.galop.socket;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;

/** A transport whose listening sockets are known to {@link ServerSockets}. */
final class WatchedTransport implements Transport, io.vertx.core.spi.transport.Transport {
  private final Transport named;
  private final io.vertx.core.spi.transport.Transport base;
  private final ServerSockets sockets;

  WatchedTransport(Transport named, ServerSockets sockets) {
    this.named = named;
    this.base = named.implementation();
    this.sockets = sockets;
  }

  @Override
  public String name() {
    return named.name();
  }

  @Override
  public boolean available() {
    return named.available();
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return this;
  }

  @Override
  public Throwable unavailabilityCause() {
    return named.unavailabilityCause();
  }

  @Override
  public boolean isAvailable() {
    return base.isAvailable();
  }

  @Override
  public boolean supportsDomainSockets() {
    return base.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return base.supportFileRegion();
  }

  @Override
  public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
    return base.convert(address);
  }

  @Override
  public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
    return base.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return base.ioHandlerFactory();
  }

  @Override
  public EventLoopGroup eventLoopGroup(
      int type, int threads, ThreadFactory threadFactory, int ioRatio) {
    return base.eventLoopGroup(type, threads, threadFactory, ioRatio);
  }

  @Override
  public DatagramChannel datagramChannel() {
    return base.datagramChannel();
  }

  @Override
  @SuppressWarnings("deprecation")
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return base.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return sockets.knocking(base.channelFactory(domainSocket));
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return sockets.watched(base.serverChannelFactory(domainSocket));
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    base.configure(channel, options);
  }

  @Override
  public void configure(
      ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
    base.configure(options, connectTimeout, domainSocket, bootstrap);
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    base.configure(options, domainSocket, bootstrap);
  }
}
