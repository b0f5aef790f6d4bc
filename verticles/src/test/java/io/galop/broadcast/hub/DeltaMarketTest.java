package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.deflate.FrameDeflater;
import io.galop.broadcast.deflate.TestDeflate;
import io.galop.broadcast.delta.DeltaReader;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Framing;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.enrich.script.Script;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptPlace;
import io.galop.latency.Lateness;
import io.galop.market.Market;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a viewer of all runners of a market is sent for a record, with and without deltas. */
@Timeout(300)
class DeltaMarketTest {
  private static final int SHARDS = 16;
  private static final int CROWD = 100;

  /** Of all messages there are more than enough for what must hold. */
  private static final int MESSAGES = Boolean.getBoolean("galop.long") ? Integer.MAX_VALUE : 2_000;

  private static final int ROUNDS = Boolean.getBoolean("galop.long") ? 5 : 1;

  private static final int MERGED = 10;

  private static final List<Integer> LEVELS = List.of(3, 1, 6);

  /** As many records come in one turn of the event loop as at some thousand a second. */
  private static final int AT_ONCE = 4;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final BroadcastConfig config =
      ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast();
  private final Ring ring = new Ring(config.ring(), SHARDS);
  private final Hub hub =
      new Hub(
          loop,
          ring,
          SHARDS,
          new BroadcastMeters(new SimpleMeterRegistry(), new Lateness("test")),
          config);

  static Stream<Market> markets() {
    return Market.places().stream();
  }

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  /** Counts the bytes of a websocket with SockJS, each record in a frame of its own. */
  private static final class Counting extends ReadyTransport {
    private final DeltaReader reader = new DeltaReader();
    private final List<Integer> hashes = new ArrayList<>();
    private final Merging merging = new Merging();
    private long bytes;
    private volatile int records;

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      for (Frame frame : frames.frames()) {
        ByteBuf encoded = Framing.SOCKJS.encode(new Frame[] {frame}, ByteBufAllocator.DEFAULT);
        bytes += encoded.readableBytes();
        encoded.release();
        String text = frame.writeText(Unpooled.buffer()).toString(StandardCharsets.UTF_8);
        hashes.add(reader.read(text).hashCode());
        merging.add(frame);
        records += frame.records();
      }
      return true;
    }
  }

  /** Joins frames as a busy node does, and compresses what came of it. */
  private static final class Merging {
    private final List<Frame> joined = new ArrayList<>();
    private final Map<Integer, Cost> costs = new TreeMap<>();
    private long plain;
    private int records;

    private Merging() {
      LEVELS.forEach(level -> costs.put(level, new Cost(level)));
    }

    private static final class Cost {
      private final FrameDeflater deflater;
      private long bytes;
      private long nanos;

      private Cost(int level) {
        deflater = TestDeflate.deflater(level);
      }
    }

    private void add(Frame frame) {
      joined.add(frame);
      if (joined.size() < MERGED) {
        return;
      }
      ByteBuf all = Framing.SOCKJS.encode(joined.toArray(Frame[]::new), ByteBufAllocator.DEFAULT);
      joined.clear();
      plain += all.readableBytes();
      records += MERGED;
      for (Cost cost : costs.values()) {
        long begin = System.nanoTime();
        ByteBuf sent = cost.deflater.deflated(all, ByteBufAllocator.DEFAULT);
        cost.nanos += System.nanoTime() - begin;
        cost.bytes += sent.readableBytes();
        sent.release();
      }
      all.release();
    }

    private void print(String what) {
      System.out.printf("%s, %d a frame: %.1f bytes", what, MERGED, (double) plain / records);
      costs.forEach(
          (level, cost) ->
              System.out.printf(
                  ", level %d %.1f in %.2f µs",
                  level, (double) cost.bytes / records, cost.nanos / 1e3 / records));
      System.out.println(" per record");
    }

    private double share() {
      return (double) costs.get(LEVELS.get(0)).bytes / plain;
    }
  }

  /** Lets what it is sent be encoded, as a websocket does, and counts. */
  private static final class Crowd extends ReadyTransport {
    private final @Nullable FrameDeflater deflater;
    private long records;

    private Crowd(@Nullable FrameDeflater deflater) {
      this.deflater = deflater;
    }

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
      ByteBuf sent =
          deflater == null
              ? frames.encoded(Framing.SOCKJS, allocator).retain()
              : frames.deflated(Framing.SOCKJS, deflater, allocator).retain();
      records += frames.records();
      sent.release();
      return true;
    }
  }

  private <T extends ReadyTransport> T viewer(boolean isDelta, T counting) {
    Subscriber subscriber = new Subscriber(hub, counting, 1 << 28);
    hub.connected(subscriber);
    TopicFilter filter = TopicFilter.parse("race/#", 100);
    Registration registration =
        new Registration(subscriber, filter, Pacing.EVERY, false, Selection.ALL, isDelta);
    subscriber.add(registration);
    hub.register(registration);
    return counting;
  }

  @ParameterizedTest
  @MethodSource("markets")
  void deltasAreShortAndSayTheSame(Market market) throws Exception {
    List<Record> records = records(market.lines());
    List<Counting> viewers = new ArrayList<>();
    loop.runOnContext(
        now -> {
          viewers.add(viewer(false, new Counting()));
          viewers.add(viewer(true, new Counting()));
        });
    showAll(records);
    LiveClient.await(
        "all records", () -> viewers.size() == 2 && viewers.get(1).records == records.size());
    Counting plain = viewers.get(0);
    Counting deltas = viewers.get(1);
    assertEquals(plain.hashes, deltas.hashes, "the same messages");
    double before = (double) plain.bytes / records.size();
    double after = (double) deltas.bytes / records.size();
    System.out.printf(
        "%s: %d records, %d deltas; bytes to a viewer per record: %.1f, with deltas %.1f%n",
        market, records.size(), deltas.reader.deltas(), before, after);
    assertTrue(after < before / 4, before + " and " + after);
    plain.merging.print("whole");
    deltas.merging.print("with deltas");
    assertTrue(plain.merging.share() < 0.4, "compressed: " + plain.merging.share());
    assertTrue(deltas.merging.share() < 0.8, "compressed: " + deltas.merging.share());
  }

  private void showAll(List<Record> records) {
    Map<String, Entry> latest = new HashMap<>();
    for (int from = 0; from < records.size(); from += AT_ONCE) {
      int first = from;
      int end = Math.min(first + AT_ONCE, records.size());
      loop.runOnContext(
          now -> {
            for (int i = first; i < end; i++) {
              show(records.get(i), i, latest);
            }
          });
    }
  }

  /** Of the Hub alone, without sockets, where shorter messages take less. */
  @Test
  void printsProcessorTimeOfADelivery() throws Exception {
    List<Record> records = records(Market.places().get(0).lines());
    for (int round = 0; round < ROUNDS; round++) {
      double plain = nanosPerDelivery(records, false, null);
      double deltas = nanosPerDelivery(records, true, null);
      double deflated = nanosPerDelivery(records, false, TestDeflate.deflater(3));
      System.out.printf(
          "%d viewers: %.0f ns of processor time a delivery, with deltas %.0f ns, compressed %.0f"
              + " ns%n",
          CROWD, plain, deltas, deflated);
    }
  }

  private double nanosPerDelivery(
      List<Record> records, boolean isDelta, @Nullable FrameDeflater deflater) throws Exception {
    List<Crowd> crowd = new ArrayList<>();
    AtomicLong nanos = new AtomicLong();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    loop.runOnContext(
        now -> {
          List.copyOf(hub.subscribers()).forEach(hub::closed);
          for (int i = 0; i < CROWD; i++) {
            crowd.add(viewer(isDelta, new Crowd(deflater)));
          }
          nanos.addAndGet(-threads.getCurrentThreadCpuTime());
        });
    showAll(records);
    loop.runOnContext(now -> nanos.addAndGet(threads.getCurrentThreadCpuTime()));
    LiveClient.await("the end", () -> nanos.get() > 0);
    return (double) nanos.get() / records.size() / CROWD;
  }

  private void show(Record record, int number, Map<String, Entry> latest) {
    int shard = Topic.shard(record.topic(), SHARDS);
    Entry entry = Entry.of(new Position(shard, 1764099323, number / SHARDS), record);
    entry.becomesLatest(latest.put(record.topic(), entry));
    ring.append(entry);
    hub.append(List.of(entry));
  }

  /** As {@code galop replay} and the shipped mapping make them. */
  private static List<Record> records(List<String> lines) throws ScriptFailure {
    List<Record> out = new ArrayList<>();
    try (Script opened = ScriptPlace.of(Path.of("scripts/betfair.map")).open(Map.of())) {
      for (int i = 0; i < Math.min(lines.size(), MESSAGES); i++) {
        byte[] message = lines.get(i).getBytes(StandardCharsets.UTF_8);
        out.addAll(opened.call(new Record("odds/raw:1c9f0a3b:" + (i + 1), "odds/raw", 1, message)));
      }
    }
    return out;
  }
}
