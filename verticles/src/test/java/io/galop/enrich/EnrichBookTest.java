package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.StrandFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.enrich.StrandFixture.HeldStep;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.StepTally;
import io.galop.ledger.Book;
import io.galop.ledger.ClosedMinute;
import io.galop.ledger.NodeLedger;
import io.galop.ledger.TestLedger;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No minute has a loss or a double where none is, whenever it turns. */
@Timeout(60)
class EnrichBookTest {
  private static final long MINUTE_MS = 60_000;
  private final AtomicLong nowMs = new AtomicLong(10 * MINUTE_MS);
  private final NodeLedger ledger = TestLedger.of(nowMs::get);

  /** A minute goes by while it works. */
  private final class Slow implements Enricher {
    @Override
    public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
      nextMinute();
      return Future.succeededFuture(records);
    }
  }

  private void nextMinute() {
    nowMs.addAndGet(MINUTE_MS);
  }

  @Test
  void theMinuteTurnsBetweenTwoStrandsOfABatch() throws Exception {
    HeldStep held = new HeldStep("held/#");
    try (StrandFixture shard = new StrandFixture(ledger, new Slow(), held)) {
      nextMinute();
      ledger.look();
      Future<Void> taken = shard.send(record("a", "fast/1"), record("b", "held/1"));
      held.next().release();
      await(taken);
      await(shard.send(record("c", "fast/1"), record("a", "fast/1"), record("b", "held/1")));
      await(shard.drain());
      nextMinute();
      ledger.look();
      List<ClosedMinute> minutes = ledger.minutes();
      minutes.forEach(minute -> assertEquals(0, minute.residual(), minute.toString()));
      long in =
          minutes.stream()
              .flatMap(minute -> minute.lines().stream())
              .mapToLong(line -> line.sums().get(Book.IN))
              .sum();
      assertEquals(5, in);
    }
  }
}
