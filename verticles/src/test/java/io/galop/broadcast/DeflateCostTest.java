package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.sockjs.FrameCases;
import io.galop.broadcast.sockjs.RawFrames;
import io.galop.broadcast.sockjs.RawFrames.Said;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a delivery costs the event loops, with sockets, to viewers who can read compressed frames
 * and to others, turn about. It prints; what must hold is that nothing is lost and that less is
 * sent.
 */
@Tag("slow")
@Timeout(300)
class DeflateCostTest extends FeedTest {
  private static final boolean IS_LONG = Boolean.getBoolean("galop.long");
  private static final int VIEWERS = IS_LONG ? 300 : 20;
  private static final int ROUNDS = IS_LONG ? 5 : 1;
  private static final int BURSTS = IS_LONG ? 100 : 10;
  private static final int MERGED = 10;
  private static final String OFFER = "Sec-WebSocket-Extensions: permessage-deflate\r\n";
  private static final int HEADER_BYTES = 4;
  private static final String REGISTER =
      "[\"{\\\"type\\\":\\\"register\\\",\\\"address\\\":\\\"race/#\\\"}\","
          + "\"{\\\"type\\\":\\\"ping\\\"}\"]";

  private final Random random = new Random(4711);
  private int number;

  /** A runner of a market, with prices that change. */
  private String runner() {
    return String.format(
        Locale.ROOT,
        "{\"status\":\"ACTIVE\",\"lastPriceTraded\":%.2f,\"totalMatched\":%.2f,\"back\":%.2f,"
            + "\"lay\":%.2f}",
        price(),
        price() * 1000,
        price(),
        price());
  }

  private double price() {
    return 1 + random.nextInt(2000) / 100.0;
  }

  private static long loopNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (long id : threads.getAllThreadIds()) {
      var thread = threads.getThreadInfo(id);
      if (thread != null && thread.getThreadName().startsWith("vert.x-eventloop")) {
        nanos += threads.getThreadCpuTime(id);
      }
    }
    return nanos;
  }

  private record Round(double micros, double bytes) {}

  /** The threads of the viewers do not count. */
  private Round round(String headers) throws Exception {
    List<RawFrames> viewers = new ArrayList<>();
    List<Thread> readers = new ArrayList<>();
    long[] bytes = new long[VIEWERS];
    for (int n = 0; n < VIEWERS; n++) {
      RawFrames viewer = viewer(headers);
      viewers.add(viewer);
      int at = n;
      Thread reader = new Thread(() -> bytes[at] = drain(viewer));
      reader.start();
      readers.add(reader);
    }
    long begin = loopNanos();
    double sent = feed.counted("sent");
    for (int burst = 0; burst < BURSTS; burst++) {
      publish();
      double expected = sent + (double) MERGED * (burst + 1) * VIEWERS;
      LiveClient.await("all of them", () -> feed.counted("sent") == expected);
    }
    double deliveries = (double) MERGED * BURSTS * VIEWERS;
    double micros = (loopNanos() - begin) / 1e3 / deliveries;
    for (RawFrames viewer : viewers) {
      viewer.write(FrameCases.frame(RawFrames.LAST | RawFrames.CLOSE, new byte[0]));
    }
    for (Thread reader : readers) {
      reader.join();
    }
    for (RawFrames viewer : viewers) {
      viewer.close();
    }
    LiveClient.await("end", () -> feed.verticle.feed().meters().connections().get() == 0);
    long all = 0;
    for (long each : bytes) {
      all += each;
    }
    return new Round(micros, all / deliveries);
  }

  /** A registered one of SockJS, whose frames have all that is due. */
  private RawFrames viewer(String headers) throws IOException {
    String path = "/live/0/x" + number++ + "/websocket";
    RawFrames viewer = new RawFrames(feed.port(), path, headers);
    viewer.write(FrameCases.frame(RawFrames.LAST | RawFrames.TEXT, FrameCases.utf8(REGISTER)));
    while (!viewer.read().text().contains("pong")) {}
    return viewer;
  }

  /** How many bytes come until the end. */
  private static long drain(RawFrames viewer) {
    long bytes = 0;
    try {
      Said said = viewer.read();
      while (!said.isClosing()) {
        bytes += said.payload().length + HEADER_BYTES;
        said = viewer.read();
      }
      return bytes;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private void publish() throws Exception {
    feed.onOwner(
        "race/1",
        owner -> {
          owner.silent(true);
          for (int n = 0; n < MERGED; n++) {
            owner.publish("race/1", "1.181223995/runner/" + number++, runner());
          }
          owner.silent(false);
        });
  }

  @Test
  void printsWhatADeliveryCosts() throws Exception {
    start("broadcast.compression=shared");
    for (int n = 0; n < ROUNDS; n++) {
      Round plain = round("");
      Round compressed = round(OFFER);
      System.out.printf(
          "%d viewers: plain %.2f µs of processor time and %.1f bytes a delivery, compressed %.2f"
              + " µs and %.1f bytes%n",
          VIEWERS, plain.micros, plain.bytes, compressed.micros, compressed.bytes);
      assertTrue(compressed.bytes < plain.bytes / 2, plain + " and " + compressed);
    }
    assertEquals(0, feed.counted("dropped"));
  }
}
