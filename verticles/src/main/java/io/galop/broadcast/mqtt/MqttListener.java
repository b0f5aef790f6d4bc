package io.galop.broadcast.mqtt;

import io.galop.broadcast.sockjs.SocketWriter;
import io.galop.config.IpAddress;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.vertx.NetChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop's share of the port at which clients of MQTT subscribe. On that loop.
 *
 * @param <V> what is known of a viewer
 */
public final class MqttListener<V> {
  private static final Logger LOG = LoggerFactory.getLogger(MqttListener.class);

  private record Plain(NetSocket socket, Channel channel) implements MqttSocket {
    @Override
    public String site() {
      String host = socket.remoteAddress().hostAddress();
      return IpAddress.parse(host).map(IpAddress::site).orElse("unknown");
    }

    /** Vert.x alone would read on for a turn, and keep what that brings. */
    @Override
    public void pause() {
      socket.pause();
      channel.config().setAutoRead(false);
    }

    @Override
    public void resume() {
      channel.config().setAutoRead(true);
      socket.resume();
    }

    @Override
    public void onClosed(Runnable task) {
      socket.exceptionHandler(broken -> LOG.debug("a connection of MQTT broke", broken));
      socket.closeHandler(closed -> task.run());
    }
  }

  private final MqttShared<V> shared;
  private final NetServer server;

  public MqttListener(
      Vertx vertx, BroadcastConfig config, KeptSessions sessions, MqttAudience<V> audience) {
    this.shared = MqttShared.of(vertx, config, sessions, audience);
    this.server = vertx.createNetServer().connectHandler(this::connected);
  }

  /** Begins to listen; the port it got. */
  public Future<Integer> listen(int port) {
    return server.listen(port, shared.config().mqtt().host()).map(NetServer::actualPort);
  }

  /** Listens no more, and takes what is left of its connections with it. */
  public Future<Void> close() {
    return server.close();
  }

  private void connected(NetSocket socket) {
    List<MqttPeer<V>> made = new ArrayList<>(1);
    ChannelHandlerContext out =
        NetChannels.decode(socket, shared.decoder(), said -> made.get(0).onMessage(said));
    made.add(new MqttPeer<>(new Plain(socket, out.channel()), new SocketWriter(out), shared));
  }
}
