package io.galop.broadcast.mqtt;

import io.galop.broadcast.sockjs.SocketWriter;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.socket.WebsocketHandshake;
import io.galop.vertx.HttpChannels;
import io.galop.vertx.Loop;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.flow.FlowControlHandler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.List;

/**
 * MQTT in the binary frames of a websocket (MQTT 5, chapter 6), for pages and for whom only the
 * port of HTTP is open: one event loop's share. On that loop.
 *
 * @param <V> what is known of a viewer
 */
public final class MqttWebsocket<V> {
  /** Where it is. */
  public static final String PATH = "/mqtt";

  /** What a client offers as subprotocol; the second is that of MQTT 3.1. */
  public static final List<String> SUBPROTOCOLS = List.of("mqtt", "mqttv3.1");

  private final Vertx vertx;
  private final MqttShared<V> shared;

  public MqttWebsocket(
      Vertx vertx, BroadcastConfig config, KeptSessions sessions, MqttAudience<V> audience) {
    this.vertx = vertx;
    this.shared = MqttShared.of(vertx, config, sessions, audience);
  }

  /**
   * Answers a request for a websocket.
   *
   * @param site where it comes from, as limits count it
   */
  public void upgrade(HttpServerRequest request, String site) {
    if (!WebsocketHandshake.isAsked(request)) {
      return;
    }
    String offered = request.headers().get("Sec-WebSocket-Protocol");
    if (offered == null
        || Arrays.stream(offered.split(",")).map(String::strip).noneMatch(SUBPROTOCOLS::contains)) {
      WebsocketHandshake.refuse(request, "\"Sec-WebSocket-Protocol\" must offer \"mqtt\".\n");
      return;
    }
    request
        .toWebSocket()
        .onSuccess(
            socket -> {
              ChannelHandlerContext server = HttpChannels.of(request.connection());
              if (server != null) { // null where the connection has ended meanwhile
                connected(server.pipeline(), site);
              }
            });
  }

  private void connected(ChannelPipeline pipeline, String site) {
    HttpChannels.takeOver(pipeline, new WebsocketPackets());
    MqttDecoder decoder = shared.decoder();
    pipeline.addLast(decoder, new FlowControlHandler());
    Framed socket = new Framed(pipeline.channel(), Loop.current(vertx), site);
    SocketWriter wire = new SocketWriter(pipeline.context(decoder));
    pipeline.addLast(new Reader(socket.loop(), new MqttPeer<>(socket, wire, shared)));
    socket.resume();
  }

  private record Framed(Channel channel, Loop loop, String site) implements MqttSocket {
    @Override
    public void pause() {
      channel.config().setAutoRead(false);
    }

    @Override
    public void resume() {
      channel.config().setAutoRead(true);
    }

    @Override
    public void onClosed(Runnable task) {
      channel.closeFuture().addListener(closed -> loop.emit(task));
    }
  }

  /** Hands packets to a peer, as events of the loop. */
  private static final class Reader extends ChannelInboundHandlerAdapter {
    private final Loop loop;
    private final MqttPeer<?> peer;

    private Reader(Loop loop, MqttPeer<?> peer) {
      this.loop = loop;
      this.peer = peer;
    }

    @Override
    public void channelRead(ChannelHandlerContext channel, Object packet) {
      loop.emit(packet, peer::onMessage);
    }
  }
}
