package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.config.enrich.CalculateConfig;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A wrong clock of a sensor does not stop the figures of its topic. */
class CalculateTest {
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);
  private static final int WINDOW_MS = 10_000;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Counter forgotten = meters.counter("forgotten");
  private final Counter ahead = meters.counter("ahead");
  private final CalculateConfig config =
      new CalculateConfig(List.of("#"), "v", "window", WINDOW_MS, 100, 100);
  private long nowMs = 1_800_000_000_000L;
  private final Calculate step = new Calculate(config, forgotten, ahead, () -> nowMs);

  private JsonObject figures(long timeMs, double value) {
    byte[] data = new JsonObject().put("v", value).encode().getBytes(StandardCharsets.UTF_8);
    List<Record> to = new ArrayList<>();
    step.apply(new Record("1", "a", TimeUnit.MILLISECONDS.toMicros(timeMs), data), to);
    return new JsonObject(new String(to.get(0).data(), StandardCharsets.UTF_8))
        .getJsonObject("window");
  }

  @Test
  void aTimeFarAheadHoldsTheWindowForAMinuteOnly() {
    try (Logged log = new Logged(Calculate.class)) {
      figures(nowMs, 1);
      assertEquals(1, figures(nowMs + 365 * DAY_MS, 2).getInteger("count"), "others are too old");
      figures(nowMs + 365 * DAY_MS, 2);
      nowMs += 61_000;
      assertEquals(7.0, figures(nowMs, 7).getDouble("max"), "it is in the window");
      nowMs += 2 * WINDOW_MS;
      assertEquals(1, figures(nowMs, 3).getInteger("count"), "what was ahead has left");
      assertEquals(2, ahead.count());
      assertEquals(1, log.with("").size(), "" + log.with(""));
      String line = log.with("").get(0);
      assertTrue(line.contains("a record on a is 31536000 s ahead of this node's clock"), line);
    }
  }

  @Test
  void aChangeHasTheTimeOfItsRecord() {
    figures(nowMs, 1);
    JsonObject changed = figures(nowMs + DAY_MS, 2);
    long timeUs = TimeUnit.MILLISECONDS.toMicros(nowMs + DAY_MS);
    assertEquals(timeUs, changed.getLong("changeTime"), "a second attempt has the same");
  }

  @Test
  void recordedDataGoesByItsOwnTimes() {
    long longAgo = nowMs - 3000 * DAY_MS;
    figures(longAgo, 1);
    assertEquals(2, figures(longAgo + WINDOW_MS / 2, 2).getInteger("count"));
    assertEquals(1, figures(longAgo + 10 * WINDOW_MS, 3).getInteger("count"));
    assertEquals(1, figures(longAgo, 9).getInteger("count"), "too old");
    assertEquals(0, ahead.count());
  }

  @Test
  void aClockThatIsALittleFastIsBelieved() {
    assertEquals(1, figures(nowMs + 59_000, 1).getInteger("count"));
    assertEquals(1, figures(nowMs, 2).getInteger("count"), "too old");
    assertEquals(0, ahead.count());
  }
}
