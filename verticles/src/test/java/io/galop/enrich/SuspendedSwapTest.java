package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is to mend a script takes over while that one is suspended, and so is handed nothing. */
@Tag("slow")
@Timeout(240)
class SuspendedSwapTest {
  private static final String TRIED = "shadow: {seconds: 1, minRecords: 50, maxSeconds: 10}";
  private static final String HANGING =
      "timeLimitMs: 50, breaker: {maxHangingThreads: 1}, " + TRIED;
  private static final String LOOPING =
      "maxStatements: 50000, breaker: {backOffMs: 100000}, " + TRIED;
  private static final String LOOPS = "function enrich(record) { while (true) {} }";
  @TempDir Path directory;

  private static void awaitSuspended(SwapTraffic traffic) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (traffic.script().getInteger("suspended") < traffic.script().getInteger("eventLoops")) {
      assertTrue(System.nanoTime() < deadline, "is not suspended everywhere");
      Thread.sleep(10);
    }
  }

  /** A script of which a call hangs that nothing ends, so that no call is made any more. */
  private SwapTraffic hung() throws Exception {
    SwapTraffic traffic = new SwapTraffic(directory, "s.stuck", "", HANGING);
    traffic.node.send(EnrichFixture.record("h", "t/0", "{\"v\":\"hang\"}"));
    awaitSuspended(traffic);
    return traffic;
  }

  private SwapTraffic looping() throws Exception {
    SwapTraffic traffic = new SwapTraffic(directory, LOOPS, LOOPING);
    awaitSuspended(traffic);
    return traffic;
  }

  private static void assertPromoted(SwapTraffic traffic, String shown) throws Exception {
    JsonObject decided = traffic.awaitPromoted();
    assertTrue(decided.getLong("compared") >= 50, decided.encodePrettily());
    assertEquals(0, decided.getLong("differing"), "there is nothing to differ from");
    EnrichFixture.await(traffic.node.send(EnrichFixture.record("last", "u", "{}")));
    assertTrue(traffic.node.shown().contains(shown), traffic.node.shown().toString());
  }

  @Test
  void whatMendsOneThatHangsTakesOver() throws Exception {
    try (SwapTraffic traffic = hung()) {
      traffic.write("s.stuck", "mended");
      assertPromoted(traffic, "last u {}");
    }
  }

  @Test
  void whatMendsOneThatLoopsTakesOver() throws Exception {
    try (SwapTraffic traffic = looping()) {
      traffic.write("s.js", "function enrich(record) { record.data.mended = true; return record }");
      assertPromoted(traffic, "last u {\"mended\":true}");
    }
  }

  @Test
  void whatHangsAsWellDoesNot() throws Exception {
    try (SwapTraffic traffic = hung()) {
      traffic.write("s.stuck", "hangs as well");
      traffic.awaitRolledBack("a call has not ended after");
    }
  }

  @Test
  void whatLoopsAsWellDoesNot() throws Exception {
    try (SwapTraffic traffic = looping()) {
      traffic.write("s.js", LOOPS + "// still");
      traffic.awaitRolledBack("of its calls, breaker.hits is 3");
    }
  }

  @Test
  void whatFailsWhereTheOtherMightNotDoesNot() throws Exception {
    try (SwapTraffic traffic = looping()) {
      traffic.write("s.js", "function enrich(record) { throw new Error('no better') }");
      traffic.awaitRolledBack("maxErrorPercent is 0.5");
    }
  }
}
