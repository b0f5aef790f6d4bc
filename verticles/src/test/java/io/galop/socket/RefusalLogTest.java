package io.galop.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
  private final List<Runnable> later = new ArrayList<>();
  private final RefusalLog refusals = new RefusalLog("http");

  private void later(long delayMs, Runnable task) {
    assertEquals(60_000, delayMs);
    later.add(task);
  }

  private void endPeriod() {
    List<Runnable> due = List.copyOf(later);
    later.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void eachReasonHasOneLineInAPeriodAndTheNumberOfTheOthers() {
    try (Logged log = new Logged(RefusalLog.class)) {
      for (int i = 0; i < 10_000; i++) {
        String sender = RefusalLog.host(new InetSocketAddress("10.0.0." + i % 7, 1024 + i));
        refusals.refused("no TLS", sender, () -> "closed one: no TLS", this::later);
        refusals.refused("too old", "10.0.0.9", () -> "closed one: too old", this::later);
      }
      assertEquals(List.of("WARN closed one: no TLS"), log.with("no TLS"));
      assertEquals(2, log.with("").size(), "" + log.with(""));
      endPeriod();
      assertEquals(
          List.of(
              "WARN http: 9999 more were refused in 60 s: no TLS; among them"
                  + " 10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4, 10.0.0.5"),
          log.with("more were refused in 60 s: no TLS"));
      assertEquals(4, log.with("").size(), "" + log.with(""));
      refusals.refused("no TLS", "10.0.0.1", () -> "closed another: no TLS", this::later);
      assertEquals(1, log.with("closed another").size(), "the next period begins with a line");
      endPeriod();
      assertEquals(5, log.with("").size(), "nothing was left out");
      assertTrue(later.isEmpty());
    }
  }
}
