package io.galop.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.Logged;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FrameBoundTest {
  private final RefusalLog refusals = new RefusalLog("bus");

  private EmbeddedChannel sendTooLarge() {
    EmbeddedChannel channel =
        new EmbeddedChannel(new FrameBound("bus", "cluster.maxFrameBytes", 100, refusals));
    channel.writeInbound(Unpooled.copyInt(101));
    assertFalse(channel.isOpen());
    return channel;
  }

  @Test
  void whoComesAgainAndAgainWritesALineAndANumber() {
    try (Logged log = new Logged(RefusalLog.class)) {
      EmbeddedChannel first = sendTooLarge();
      for (int i = 0; i < 1000; i++) {
        sendTooLarge();
      }
      assertEquals(1, log.with("a frame of 101 bytes is invalid or larger than 100").size());
      assertEquals(1, log.with("").size());
      first.advanceTimeBy(61, TimeUnit.SECONDS);
      first.runScheduledPendingTasks();
      assertEquals(1, log.with("bus: 1000 more were refused in 60 s: a frame is invalid").size());
    }
  }
}
