package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.broadcast.write.Outbox;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.Lateness;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When what was sent goes out. */
@Timeout(180)
class PulseTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  private Hub hub(int maxTickMs) {
    BroadcastConfig config =
        ConfigLoader.load(
                Optional.empty(), Map.of(), List.of("broadcast.maxTickMs=" + maxTickMs), Map.of())
            .broadcast();
    Ring ring = new Ring(config.ring(), 1);
    return new Hub(loop, ring, 1, new BroadcastMeters(registry, new Lateness("test")), config);
  }

  /** Takes its time for each write, like very many connections. */
  private static final class SlowTransport extends ReadyTransport {
    final List<List<String>> bundles = new CopyOnWriteArrayList<>();
    final int tookMs;

    SlowTransport(int tookMs) {
      this.tookMs = tookMs;
    }

    @Override
    public boolean write(Frames bundle, Receipt receipt) {
      List<String> texts = new ArrayList<>();
      for (Frame frame : bundle.frames()) {
        texts.add(frame.writeText(Unpooled.buffer()).toString(StandardCharsets.UTF_8));
      }
      bundles.add(texts);
      long end = System.nanoTime() + tookMs * 1_000_000L;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      return true;
    }

    List<String> texts() {
      return bundles.stream().flatMap(List::stream).toList();
    }
  }

  private Outbox outbox(int maxTickMs, SlowTransport transport) {
    Hub hub = hub(maxTickMs);
    return new Outbox(hub.tally(), hub.pulse(), transport, 1 << 20, () -> {}, () -> {});
  }

  private void sendEachMs(Outbox outbox, int count) throws Exception {
    for (int n = 0; n < count; n++) {
      Frame frame = Frame.ofControl(String.valueOf(n));
      loop.runOnContext(now -> outbox.write(frame));
      Thread.sleep(1);
    }
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(String::valueOf).toList();
  }

  @Test
  void goesOutAtOnceWhenIdle() throws Exception {
    SlowTransport transport = new SlowTransport(0);
    Outbox outbox = outbox(5000, transport);
    long begin = System.nanoTime();
    for (int n = 0; n < 20; n++) {
      Frame frame = Frame.ofControl("x");
      int expected = n + 1;
      loop.runOnContext(now -> outbox.write(frame));
      LiveClient.await("write", () -> transport.bundles.size() == expected);
    }
    assertTrue(System.nanoTime() - begin < 60_000_000_000L, "each waited for the tick");
  }

  @Test
  void theSlowerARoundTheMoreGoesOutInTheNextInOrderAndCompletely() throws Exception {
    SlowTransport transport = new SlowTransport(5);
    Outbox outbox = outbox(5000, transport);
    sendEachMs(outbox, 400);
    LiveClient.await("all", () -> transport.texts().size() == 400);
    assertEquals(numbers(400), transport.texts());
    assertTrue(transport.bundles.size() <= 60, transport.bundles.size() + " writes");
  }

  @Test
  void noTickIsLongerThanConfigured() throws Exception {
    SlowTransport transport = new SlowTransport(20);
    Outbox outbox = outbox(1, transport);
    sendEachMs(outbox, 300);
    LiveClient.await("all", () -> transport.texts().size() == 300);
    assertEquals(numbers(300), transport.texts());
    assertTrue(transport.bundles.size() >= 8, transport.bundles.size() + " writes");
  }
}
