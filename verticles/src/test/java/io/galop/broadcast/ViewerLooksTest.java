package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Framing;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.broadcast.sockjs.Transport;
import io.galop.broadcast.write.Outbox;
import io.galop.node.Acts;
import io.galop.node.Reports;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever goes wrong with looking: it is answered, and the viewer does not notice. */
@Timeout(120)
class ViewerLooksTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Hub hub = TestFeed.hub(loop);
  private final Reports reports = new Reports();
  private final Acts acts = new Acts();
  private final LateLine line = new LateLine();
  private final Subscriber viewer = new Subscriber(hub, line, 1 << 20);
  private final Outbox outbox = viewer.deliveries();

  /** Takes all that is written, and says later what became of it. */
  private static final class LateLine extends ReadyTransport {
    private final List<Frame> written = new ArrayList<>();
    private final List<Runnable> receipts = new ArrayList<>();

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      written.addAll(List.of(frames.frames()));
      int size = frames.size();
      int records = frames.records();
      receipts.add(() -> receipt.onLeft(size, records, true));
      return false;
    }
  }

  @BeforeEach
  void start() throws Exception {
    new ViewerLooks(vertx, acts, () -> Future.succeededFuture(List.of(hub)), 60_000).share(reports);
    TestFeed.onLoop(
        loop,
        () -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          hub.connected(viewer);
        });
  }

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  private JsonObject ask(String report) throws Exception {
    Map<String, String> asked = Map.of("id", outbox.whose().id());
    return TestFeed.await(reports.findShared(report).orElseThrow().answer(asked));
  }

  private boolean isTapped() throws Exception {
    boolean[] isTapped = new boolean[1];
    TestFeed.onLoop(
        loop,
        () ->
            outbox.reroute(
                way -> {
                  isTapped[0] = way instanceof FrameTap;
                  return way;
                }));
    return isTapped[0];
  }

  /** Whoever asks at another node has a place there, of a few, until it is. */
  @Test
  void aFaultOnTheLoopIsAnswered() throws Exception {
    boolean[] isFaulty = {true};
    acts.listen(
        act -> {
          if (isFaulty[0]) {
            throw new IllegalStateException("it cannot be told");
          }
        });
    for (String report : List.of(ViewerLooks.BEGIN, ViewerLooks.END)) {
      ExecutionException fault = assertThrows(ExecutionException.class, () -> ask(report));
      assertEquals("it cannot be told", fault.getCause().getMessage());
    }
    assertFalse(isTapped(), "nobody knows of this look, to end it");
    isFaulty[0] = false;
    assertTrue(ask(ViewerLooks.BEGIN).containsKey("look"));
    assertTrue(isTapped());
  }

  /** What is under way as somebody begins to look, or ends that, leaves as if nobody did. */
  @Test
  void receiptsMayComeWhenNobodyLooksAnyMore() throws Exception {
    TestFeed.onLoop(
        loop,
        () -> {
          List<Frame> sent = new ArrayList<>();
          send(sent);
          FrameTap tap = FrameTap.on(outbox);
          send(sent);
          send(sent);
          assertEquals(2, tap.json().getLong("written"));
          tap.off(outbox);
          send(sent);
          assertEquals(sent, line.written);
          int bytes = sent.stream().mapToInt(Frame::size).sum();
          assertEquals(bytes, outbox.bytes());
          line.receipts.forEach(Runnable::run);
          assertEquals(4, line.receipts.size());
          assertEquals(0, outbox.bytes());
          assertEquals(0, outbox.records());
        });
  }

  private void send(List<Frame> sent) {
    Frame next = Frame.ofControl("{\"n\":" + sent.size() + "}");
    sent.add(next);
    outbox.write(next);
    outbox.flush();
  }

  /** Its text cannot be had. */
  private static final class NoText implements Frames {
    private int asked;

    @Override
    public Frame[] frames() {
      if (asked++ == 0) {
        throw new OutOfMemoryError("no room for a list of them");
      }
      return new Frame[] {Frame.ofControl("{}")};
    }

    @Override
    public int records() {
      return 0;
    }

    @Override
    public int size() {
      return 7;
    }

    @Override
    public ByteBuf encoded(Framing framing, ByteBufAllocator allocator) {
      throw new IllegalStateException();
    }
  }

  /** It would be taken for a fault of the connection, and end it. */
  @Test
  void whatCannotBeKeptIsSentAllTheSame() throws Exception {
    TestFeed.onLoop(
        loop,
        () -> {
          FrameTap tap = FrameTap.on(outbox);
          Transport.Receipt nobody = (size, records, isSent) -> {};
          assertFalse(tap.write(new NoText(), nobody), "as the connection says");
          assertEquals(1, line.written.size());
          assertEquals(1, tap.json().getLong("missed"));
          send(new ArrayList<>());
          assertEquals(1, tap.json().getJsonArray("frames").size());
        });
  }
}
