package io.galop.socket;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.Future;
import javax.net.ssl.SSLException;

/**
 * Whether a private key belongs to a certificate. A handshake in memory tells it of every kind of
 * key: its caller trusts everybody, so it looks at nothing else of the certificate.
 */
final class OwnKey {
  private final EmbeddedChannel server;
  private final EmbeddedChannel caller;
  private final Future<?> judged;

  private OwnKey(SslContext server, SslContext caller) {
    SslHandler judge = caller.newHandler(ByteBufAllocator.DEFAULT);
    this.server = new EmbeddedChannel(server.newHandler(ByteBufAllocator.DEFAULT));
    this.caller = new EmbeddedChannel(judge);
    this.judged = judge.handshakeFuture();
  }

  /**
   * Tries them; blocks for as long as a handshake takes.
   *
   * @param pair has certificate and key, and nothing else
   * @throws SSLException if they cannot be used
   */
  static boolean belongs(SslContextBuilder pair) throws SSLException {
    SslContext server = pair.sslProvider(SslProvider.JDK).build();
    SslContext caller =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .endpointIdentificationAlgorithm(null)
            .build();
    return new OwnKey(server, caller).shakeHands();
  }

  private boolean shakeHands() {
    try {
      boolean isMoving = true;
      while (isMoving && !judged.isDone()) {
        isMoving = carry(caller, server) | carry(server, caller);
      }
      return judged.isSuccess();
    } finally {
      end(caller);
      end(server);
    }
  }

  /** Does not throw what went wrong: the result of the handshake has it. */
  private static void end(EmbeddedChannel channel) {
    channel.close();
    channel.releaseInbound();
    channel.releaseOutbound();
  }

  private static boolean carry(EmbeddedChannel from, EmbeddedChannel to) {
    boolean isAny = false;
    for (Object bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
      to.pipeline().fireChannelRead(bytes).fireChannelReadComplete();
      to.runPendingTasks();
      isAny = true;
    }
    return isAny;
  }
}
