package io.galop.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.jvm.OpenFiles;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the log says while a process has no file left for a connection. */
class AcceptFailuresTest {
  private static final IOException NO_FILE_LEFT =
      new IOException("accept(..) failed with error(-24): Too many open files");

  private static final class Listening extends EmbeddedChannel implements ServerChannel {}

  /** As Netty's own, which stops to take connections for a second, and passes it on. */
  private static final class Acceptor extends ChannelInboundHandlerAdapter {
    private int failures;

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      failures++;
      context.fireExceptionCaught(failure);
    }
  }

  @Test
  void nettyHearsOfItFirstAndTheLogOnce() {
    Listening channel = (Listening) new ServerSockets().watched(Listening::new).newChannel();
    Acceptor acceptor = new Acceptor();
    channel.pipeline().addLast(acceptor);
    try (Logged log = new Logged(AcceptFailures.class)) {
      for (int second = 0; second < 5; second++) {
        channel.pipeline().fireExceptionCaught(NO_FILE_LEFT);
      }
      channel.checkException(); // what reaches the end is in Netty's own words, with a stack
      assertEquals(5, acceptor.failures);
      assertEquals(1, log.with("").size(), "" + log.with(""));
      String line = log.with("").get(0);
      assertTrue(line.startsWith("ERROR no connection to embedded can be taken"), line);
      assertTrue(line.contains("(-24): Too many open files; this process may have "), line);
      assertTrue(line.endsWith("raise that (ulimit -n), or connect fewer"), line);
    }
  }

  @Test
  void itIsSaidAgainAfterAMinute() {
    long[] nowNs = {0};
    EmbeddedChannel channel =
        new EmbeddedChannel(new AcceptFailures(new OpenFiles(100), () -> nowNs[0]));
    try (Logged log = new Logged(AcceptFailures.class)) {
      for (int second = 0; second <= 60; second++) {
        nowNs[0] = TimeUnit.SECONDS.toNanos(second);
        channel.pipeline().fireExceptionCaught(NO_FILE_LEFT);
      }
      assertEquals(2, log.with("ERROR").size(), "" + log.with(""));
    }
  }

  @Test
  void aBugStaysNettysToTell() {
    Listening channel = (Listening) new ServerSockets().watched(Listening::new).newChannel();
    channel.pipeline().fireExceptionCaught(new IllegalStateException("bug"));
    assertThrows(IllegalStateException.class, channel::checkException);
  }
}
