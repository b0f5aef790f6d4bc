package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.latency.LatencyHistogram;
import io.galop.latency.LatencyStage;
import io.galop.latency.Lateness;
import io.galop.latency.Lateness.Uncounted;
import io.galop.record.DoorStamp;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of each Batch one viewer is looked at, and one that takes nothing says nothing. */
@Timeout(180)
class SampledViewerTest {
  private static final int OUTBOX_BYTES = 600;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastConfig config =
      ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast();
  private final AtomicLong clockUs = new AtomicLong(1_000_000);
  private final Lateness lateness = new Lateness("here", clockUs::get);
  private final Ring ring = new Ring(config.ring(), 1);
  private final Hub hub =
      new Hub(loop, ring, 1, new BroadcastMeters(new SimpleMeterRegistry(), lateness), config);
  private long offset;

  @BeforeEach
  void start() throws Exception {
    onLoop(() -> hub.attached(0, new BitSet(), (filter, isWatched) -> {}));
  }

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  private void onLoop(Runnable task) throws Exception {
    TestFeed.onLoop(loop, task);
  }

  /** Takes everything at once, or keeps it. */
  private static final class Line extends ReadyTransport {
    final List<Runnable> kept = new CopyOnWriteArrayList<>();
    final AtomicLong records = new AtomicLong();
    private final boolean isFrozen;

    Line(boolean isFrozen) {
      this.isFrozen = isFrozen;
    }

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      records.addAndGet(frames.records());
      int size = frames.size();
      int count = frames.records();
      kept.add(() -> receipt.onLeft(size, count, true));
      return !isFrozen;
    }
  }

  private Line viewer(boolean isFrozen) throws Exception {
    Line line = new Line(isFrozen);
    onLoop(
        () -> {
          Subscriber subscriber = new Subscriber(hub, line, OUTBOX_BYTES);
          hub.connected(subscriber);
          Registration all =
              new Registration(subscriber, TopicFilter.parse("#", 9), Pacing.EVERY, true);
          subscriber.add(all);
          hub.register(all);
        });
    return line;
  }

  /** A record that a door read so long ago. */
  private void publish(long agoUs) throws Exception {
    onLoop(
        () -> {
          offset++;
          Record record = new Record("id" + offset, "a/b", 1, "{}".getBytes());
          Entry entry = Entry.of(new Position(0, 1, offset), record);
          entry.stamp(new DoorStamp("here", "tcp", clockUs.get() - agoUs));
          ring.append(entry);
          hub.append(List.of(entry));
        });
  }

  private long counted() {
    return Arrays.stream(lateness.lastMinute(LatencyStage.SOCKET)).sum();
  }

  private long quantileUs(double part) {
    return LatencyHistogram.quantileUs(lateness.lastMinute(LatencyStage.SOCKET), part);
  }

  @Test
  void aRecordIsCountedWhenItHasLeft() throws Exception {
    viewer(false);
    publish(20_000);
    LiveClient.await("counted", () -> counted() == 1);
    assertEquals(20_000, quantileUs(0.5), 2_000);
  }

  @Test
  void whatWaitsIsAsLateAsItLeaves() throws Exception {
    Line frozen = viewer(true);
    publish(1_000);
    LiveClient.await("written", () -> frozen.kept.size() == 1);
    assertEquals(0, counted());
    clockUs.addAndGet(300_000);
    onLoop(frozen.kept.get(0));
    assertEquals(1, counted());
    assertEquals(301_000, quantileUs(0.5), 30_100);
  }

  @Test
  void aFrozenViewerNeitherHoldsUpNorDistorts() throws Exception {
    Line frozen = viewer(true);
    Line well = viewer(false);
    for (int n = 1; n <= 200; n++) {
      publish(1_000);
      long all = n;
      LiveClient.await("shown", () -> well.records.get() == all);
      LiveClient.await("looked at", () -> counted() + behind() >= all - 1);
    }
    clockUs.addAndGet(50_000_000);
    onLoop(() -> frozen.kept.forEach(Runnable::run));
    LiveClient.await("each is accounted for", () -> counted() + behind() == 200);
    assertTrue(counted() > 20, counted() + " of the viewer that takes them");
    assertTrue(behind() > 20, behind() + " of the one that does not");
    assertEquals(1_000, quantileUs(0.999), 100);
  }

  private long behind() {
    return lateness.uncounted(Uncounted.BEHIND);
  }

  @Test
  void recordsOfAnOldNodeAreNotLookedAt() throws Exception {
    Line line = viewer(false);
    onLoop(
        () -> {
          Entry entry = Entry.of(new Position(0, 1, 1), new Record("i", "a", 1, "{}".getBytes()));
          ring.append(entry);
          hub.append(List.of(entry));
        });
    LiveClient.await("shown", () -> line.records.get() == 1);
    assertEquals(0, counted() + behind());
  }
}
