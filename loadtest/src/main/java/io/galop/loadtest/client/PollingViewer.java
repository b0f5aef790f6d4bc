package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;

/**
 * A viewer on any transport of SockJS that is HTTP: polls, or streams that end after so many bytes
 * and are asked for again; over the same connection as long as the server keeps it.
 */
final class PollingViewer extends Viewer {
  private final Frames frames;
  private Channel current;
  private boolean isStalling;

  PollingViewer(
      EventLoop loop,
      int number,
      boolean isStalled,
      Audience audience,
      LoopFigures figures,
      Dialer dialer) {
    super(loop, number, isStalled, audience, figures, dialer);
    this.frames = new Frames(figures, tally());
  }

  @Override
  void start() {
    dialer().dial(loop(), number(), isStalled(), new Handler(), () -> onBroken("not connected"));
  }

  @Override
  void leave() {
    tally().leave();
    if (current != null) {
      current.close();
    }
  }

  private void ask() {
    Transport transport = audience().transport();
    String path = transport.receivesAt(audience().base(), session());
    String request = Words.request(transport.method(), path, dialer().host(number()), null);
    current.writeAndFlush(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
    if (isStalling) {
      current.config().setAutoRead(false);
    }
  }

  private void onFrame(ByteBuf in, int start, int length) {
    switch (in.getByte(start)) {
      case 'a' -> frames.onMessages(in, start, length);
      case 'o' -> register();
      case 'c' -> frames.onClose(in, start, length);
      default -> {}
    }
  }

  private void register() {
    if (isRegistered() || audience().filters().isEmpty()) {
      onRegisteredAt(204);
      return;
    }
    String path = audience().transport().sendsTo(audience().base(), session());
    String body = Words.registerInArray(audience().filters());
    String request = Words.request("POST", path, dialer().host(number()), body);
    dialer()
        .dial(
            loop(),
            number(),
            false,
            new Sender(request, this::onRegisteredAt),
            () -> onBroken("not connected to register"));
  }

  private void onRegisteredAt(int status) {
    if (status != 200 && status != 204) {
      onBroken("status " + status + " to a registration");
      return;
    }
    onRegistered();
    isStalling = isStalled();
    if (isStalling
        && current != null
        && audience().transport() != Transport.XHR_POLLING
        && audience().transport() != Transport.JSONP) {
      current.config().setAutoRead(false);
    }
  }

  /** One connection, which may carry several requests. */
  private final class Handler extends ChannelInboundHandlerAdapter implements HttpReader.Sink {
    private final HttpReader reader = new HttpReader(this);
    private final Lines lines = new Lines(this::onLine);
    private ByteBuf rest;
    private boolean isDone;
    private boolean isReused;
    private boolean isAnswering;

    @Override
    public void channelActive(ChannelHandlerContext opened) {
      current = opened.channel();
      if (tally().hasLeft()) {
        current.close();
      } else {
        ask();
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
      ByteBuf in = (ByteBuf) message;
      if (rest != null) {
        in = rest.writeBytes(in);
        ((ByteBuf) message).release();
        rest = null;
      }
      figures().onRead();
      isAnswering = true;
      reader.read(in);
      if (in.isReadable() && !isDone) {
        rest = from.alloc().buffer(2 * in.readableBytes()).writeBytes(in);
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
        onFrame(in, start + skipped, length - skipped);
      }
    }

    @Override
    public void onEnd(boolean keepAlive) {
      isAnswering = false;
      figures().onAnswer();
      if (tally().hasLeft() || tally().isLost()) {
        isDone = true;
        current.close();
      } else if (keepAlive) {
        isReused = true;
        ask();
      } else {
        again();
      }
    }

    private void again() {
      isDone = true;
      current.close();
      figures().onReconnect();
      start();
    }

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
      lines.release();
      if (rest != null) {
        rest.release();
        rest = null;
      }
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
