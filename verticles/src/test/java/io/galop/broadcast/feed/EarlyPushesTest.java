package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.bus.Push;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What becomes of pushes that came before the answer to the Follow they belong to. */
class EarlyPushesTest {
  private final EarlyPushes early = new EarlyPushes();

  /** An owner would wait for each of them until its deadline. */
  @Test
  void oneThatFailsLeavesNoOtherUnanswered() {
    List<Future<Void>> taken = LongStream.range(0, 3).mapToObj(n -> early.add(push(n))).toList();
    early.deliver(
        push -> {
          if (push.after().offset() == 1) {
            throw new IllegalStateException("a fault of the test");
          }
          return Future.succeededFuture();
        });
    assertEquals(List.of(true, false, true), taken.stream().map(Future::succeeded).toList());
    assertEquals("a fault of the test", taken.get(1).cause().getMessage());
  }

  private static Push push(long offset) {
    Position after = new Position(0, 1, offset);
    return new Push(1, after, after, new Batch(0, 1, offset + 1, List.of()));
  }
}
