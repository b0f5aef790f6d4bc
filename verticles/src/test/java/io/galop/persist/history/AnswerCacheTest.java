package io.galop.persist.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.persist.ram.Slab;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is being gathered counts like what is on its way. */
class AnswerCacheTest {
  private static final int MOST = 100_000;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AnswerCache cache = new AnswerCache(MOST, false, 1, shard -> new Slab[0], meters);
  private AnswerCache.Lead lead;

  private AnswerCache.Lead lead(int limit) {
    Map<String, List<String>> parameters = Map.of("limit", List.of("" + limit));
    HistoryRequest request =
        HistoryRequest.parse("t", parameters, "", "", new HistoryRequest.Bounds(10_000, 256));
    cache.ask(request).orElseThrow().join(led -> lead = led, body -> {});
    return lead;
  }

  private double leaving() {
    return meters.get("galop.history.leaving.bytes").gauge().value();
  }

  private double crowded() {
    return meters.get("galop.history.cache").tag("result", "crowded").counter().count();
  }

  @Test
  void whatIsTooLongIsNotTakenForACrowd() {
    assertFalse(lead(1).take(MOST + 1));
    AnswerCache.Lead other = lead(2);
    assertTrue(other.take(20_000));
    assertFalse(other.take(20_000));
    assertEquals(0, crowded());
    assertEquals(20_000, leaving());
  }

  @Test
  void whoGatherTogetherFillTheBound() {
    for (int one = 1; one <= 5; one++) {
      assertTrue(lead(one).take(20_000));
    }
    AnswerCache.Lead last = lead;
    assertFalse(lead(6).take(20_000));
    assertEquals(1, crowded());
    assertEquals(MOST, leaving());
    last.giveUp();
    last.giveUp();
    assertEquals(MOST - 20_000, leaving());
    assertTrue(lead(7).take(20_000));
  }

  @Test
  void aWholeAnswerTakesThePlaceOfItsPieces() {
    AnswerCache.Lead whole = lead(1);
    assertTrue(whole.take(3) && whole.take(4));
    ByteBuf body = whole.end(List.of(Buffer.buffer("abc"), Buffer.buffer("defg")));
    assertEquals(0, leaving(), "it is kept");
    cache.close();
    assertEquals(7, leaving(), "and now on its way only");
    cache.release(body);
    assertEquals(0, leaving());
  }

  @Test
  void whoGoesOnAloneHoldsWhatHeHasGathered() {
    AnswerCache.Lead alone = lead(1);
    assertTrue(alone.take(5_000));
    alone.goOnAlone();
    assertEquals(5_000, leaving());
    lead = null;
    lead(1).giveUp();
    assertEquals(5_000, leaving(), "another search for the same has begun");
    alone.giveUp();
    assertEquals(0, leaving());
  }
}
