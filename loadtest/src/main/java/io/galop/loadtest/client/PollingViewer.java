package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;

/**
 * A viewer on any transport of SockJS that is HTTP: polls, or streams that end after so many bytes
 * and are asked for again; over the same connection as long as the server keeps it.
 */
final class PollingViewer extends SimulatedViewer {
  private boolean isStalling;

  PollingViewer(Seat seat) {
    super(seat);
  }

  @Override
  ChannelHandler handler() {
    return new Handler();
  }

  private void ask(Channel to) {
    ViewerTransport transport = audience().transport();
    String path = transport.receivesAt(audience().base(), session());
    String request = ViewerWords.request(transport.method(), path, dialer().host(number()), null);
    to.writeAndFlush(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
    if (isStalling) {
      to.config().setAutoRead(false);
    }
  }

  @Override
  void register() {
    if (isRegistered() || audience().filters().isEmpty()) {
      onRegisteredAt(204);
      return;
    }
    String path = audience().transport().sendsTo(audience().base(), session());
    String body = ViewerWords.registerInArray(audience().filters());
    String request = ViewerWords.request("POST", path, dialer().host(number()), body);
    dialer()
        .dial(
            loop(),
            number(),
            false,
            new RequestPoster(request, this::onRegisteredAt),
            () -> onBroken("not connected to register"));
  }

  private void onRegisteredAt(int status) {
    if (status != 200 && status != 204) {
      onBroken("status " + status + " to a registration");
      return;
    }
    onRegistered();
    isStalling = isStalled();
    Channel to = channel();
    if (isStalling && to != null && !audience().transport().isPolling()) {
      to.config().setAutoRead(false);
    }
  }

  /** One connection, which may carry several requests. */
  private final class Handler extends ChannelInboundHandlerAdapter implements HttpReader.Sink {
    private final HttpReader reader = new HttpReader(this);
    private final Lines lines = new Lines(this::onLine);
    private final Rest rest = new Rest();
    private boolean isDone;
    private boolean isReused;
    private boolean isAnswering;

    @SuppressWarnings("NullAway.Init") // channelActive sets it, which comes first
    private Channel own;

    @Override
    public void channelActive(ChannelHandlerContext opened) {
      own = opened.channel();
      connected(own);
      if (tally().hasLeft()) {
        opened.close();
      } else {
        ask(own);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
      ByteBuf in = rest.with((ByteBuf) message);
      figures().onRead();
      isAnswering = true;
      reader.read(in);
      if (in.isReadable() && !isDone) {
        rest.keep(in, from.alloc());
      }
      in.release();
    }

    @Override
    public void onHead(int status) {
      if (status != 200) {
        onBroken("status " + status);
      }
    }

    @Override
    public void onBody(ByteBuf in, int length) {
      lines.read(in, length);
    }

    private void onLine(ByteBuf in, int start, int length) {
      String prefix = audience().transport().prefix();
      int skipped = prefix.length();
      boolean isFrame = length > skipped;
      for (int i = 0; isFrame && i < skipped; i++) {
        isFrame = in.getByte(start + i) == prefix.charAt(i);
      }
      if (isFrame) {
        onSockJs(in, start + skipped, length - skipped);
      }
    }

    @Override
    public void onEnd(boolean keepAlive) {
      isAnswering = false;
      figures().onAnswer();
      if (tally().hasLeft() || tally().isLost()) {
        isDone = true;
        own.close();
      } else if (keepAlive) {
        isReused = true;
        ask(own);
      } else {
        again();
      }
    }

    private void again() {
      isDone = true;
      own.close();
      figures().onReconnect();
      start();
    }

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
      lines.release();
      rest.release();
      if (isDone || tally().hasLeft()) {
        return;
      }
      if (mayAskAgain()) {
        again();
      } else {
        onBroken("connection ended within an answer");
      }
    }

    /**
     * Whether the answer was complete, or a connection that had been kept was closed before any of
     * it: browsers then ask again by themselves.
     */
    private boolean mayAskAgain() {
      return reader.mayEnd() || isReused && !isAnswering;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable failure) {
      if (!mayAskAgain()) {
        onBroken(failure.toString());
      }
      failed.close();
    }
  }
}
