package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.HeapReading;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What viewers cost a node that have stopped reading, beside the ring that all share. */
@Timeout(180)
class StallCostTest {
  private static final int VIEWERS = 200;

  /** What the design allows, less what the kernel keeps of it for each with the defaults. */
  private static final long MOST_BYTES = 256 * 1024 - 2 * 49_152;

  private TestFeed feed;

  @AfterEach
  void stop() throws Exception {
    feed.close();
  }

  private static long memory() throws InterruptedException {
    long direct =
        ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
    return HeapReading.settledBytes() + direct;
  }

  @Test
  void aViewerThatStopsReadingCostsWhatTheDocumentSays() throws Exception {
    feed = TestFeed.start("broadcast.ring.maxBytes=100000000");
    feed.awaitReady();
    List<SockClient> stalled = new ArrayList<>();
    for (int i = 0; i < VIEWERS; i++) {
      stalled.add(SockClient.watching(feed.port(), "a"));
    }
    long before = memory();
    String data = "{\"x\":\"" + "x".repeat(20_000) + "\"}";
    for (int n = 0; n < 1_000; n++) {
      String id = "a:" + n;
      feed.onOwners(() -> feed.owner("a").publish("a", id, data));
    }
    LiveClient.await("all have heard it", () -> feed.counted("published") == 1_000.0 * VIEWERS);
    assertTrue(feed.counted("waiting") > 500.0 * VIEWERS, "they still take something");
    feed.eachOwner(owner -> owner.forgetAllBut(1));
    Thread.sleep(500);
    long ofRing = (long) feed.counted("ring.bytes");
    long each = (memory() - before - ofRing) / VIEWERS;
    System.out.println("a viewer that does not read costs " + each + " bytes");
    assertTrue(each < MOST_BYTES, each + " bytes each");
    for (SockClient client : stalled) {
      client.close();
    }
    LiveClient.await("end", () -> feed.verticle.feed().meters().connections().get() == 0);
    LiveClient.await("nothing waits", () -> feed.counted("waiting") == 0);
  }
}
