package io.galop.socket;

import io.galop.jvm.ErrorText;
import io.galop.jvm.OpenFiles;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last handler of a listening socket: says why no connection can be taken, once a minute at
 * most. Netty tries again each second, and would say each time that nobody had handled it.
 */
final class AcceptFailures extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptFailures.class);
  private static final long EVERY_NS = TimeUnit.MINUTES.toNanos(1);

  private final OpenFiles files;
  private final LongSupplier nanoTime;
  private String said = "";
  private long saidNs;

  AcceptFailures(OpenFiles files, LongSupplier nanoTime) {
    this.files = files;
    this.nanoTime = nanoTime;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    if (!(failure instanceof IOException)) {
      context.fireExceptionCaught(failure);
      return;
    }
    String why = ErrorText.of(failure);
    long nowNs = nanoTime.getAsLong();
    if (why.equals(said) && nowNs - saidNs < EVERY_NS) {
      LOG.debug("no connection can be taken again: {}", why);
      return;
    }
    said = why;
    saidNs = nowNs;
    LOG.error(
        "no connection to {} can be taken, trying again each second: {}{}",
        context.channel().localAddress(),
        why,
        files.advice(why));
  }
}
