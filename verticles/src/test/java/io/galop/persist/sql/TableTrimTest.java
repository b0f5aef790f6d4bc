package io.galop.persist.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class TableTrimTest {
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private final long startMs = System.currentTimeMillis();
  private final OneRowLink link = new OneRowLink(startMs - 30 * HOUR);
  private final TableTrim trim = new TableTrim(link, 24, "now");

  private void run(LongUnaryOperator clock) throws Exception {
    trim.run(clock).toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void deletesByTheClockThatIsBehind() throws Exception {
    long nowMs = startMs;
    run(kept -> nowMs + 100 * HOUR);
    assertEquals(List.of((nowMs - 24 * HOUR) * 1_000), link.deletedBefore, "this node's is ahead");
    link.deletedBefore.clear();
    link.serverMs = nowMs + 100 * HOUR;
    run(kept -> nowMs);
    assertEquals(List.of((nowMs - 24 * HOUR) * 1_000), link.deletedBefore, "the server's is ahead");
    link.deletedBefore.clear();
    link.serverMs = nowMs - 10 * HOUR;
    run(kept -> nowMs);
    assertEquals(List.of(), link.deletedBefore, "the server's is behind");
  }

  @Test
  void saysThatTheClocksAreApart() throws Exception {
    run(kept -> System.currentTimeMillis());
    assertEquals(Optional.empty(), trim.warning());
    link.serverMs += HOUR;
    run(kept -> System.currentTimeMillis());
    String said = trim.warning().orElseThrow();
    assertTrue(said.startsWith("has another clock than this node"), said);
    link.serverMs -= HOUR;
    run(kept -> System.currentTimeMillis());
    assertEquals(Optional.empty(), trim.warning());
  }

  /** Nothing behind it is deleted, and somebody has to know. */
  @Test
  void saysThatTheFirstRowIsOfTheFuture() throws Exception {
    LongUnaryOperator clock = kept -> System.currentTimeMillis();
    link.storedMs = startMs + 9 * MINUTE;
    run(clock);
    assertEquals(Optional.empty(), trim.warning(), "no news");
    link.storedMs = startMs + 12 * MINUTE;
    run(clock);
    String said = trim.warning().orElseThrow();
    String stored = Instant.ofEpochMilli(link.storedMs).truncatedTo(ChronoUnit.SECONDS).toString();
    assertTrue(said.startsWith("keeps old records: the first says that it was stored at"), said);
    assertTrue(said.contains(stored), said);
    assertEquals(List.of(), link.deletedBefore);
    link.storedMs = startMs - 30 * HOUR;
    run(clock);
    assertEquals(Optional.empty(), trim.warning(), "over");
  }

  /** After a machine was off it is behind, and no row is of the future because of that. */
  @Test
  void aTimeThatIsNotBelievedYetMakesNoRowOneOfTheFuture() throws Exception {
    link.storedMs = startMs;
    run(kept -> startMs - 100 * HOUR);
    assertEquals(Optional.empty(), trim.warning());
  }

  @Test
  void saysBothWhereBothAreSo() throws Exception {
    link.serverMs = startMs + HOUR;
    link.storedMs = startMs + HOUR;
    run(kept -> startMs);
    String said = trim.warning().orElseThrow();
    assertTrue(said.startsWith("has another clock") && !said.contains("and it keeps"), said);
    link.storedMs = startMs + 2 * HOUR;
    run(kept -> startMs);
    said = trim.warning().orElseThrow();
    assertTrue(said.startsWith("has another clock"), said);
    assertTrue(said.contains("; and it keeps old records"), said);
  }

  @Test
  void aSlowAnswerIsNoOtherClock() {
    assertEquals(Optional.empty(), TableTrim.apart(1_000_000, 1_060_000, 2_000_000));
    assertEquals(Optional.empty(), TableTrim.apart(2_060_000, 1_000_000, 2_000_000));
    assertTrue(TableTrim.apart(999_999, 1_060_000, 2_000_000).isPresent());
    assertTrue(TableTrim.apart(2_060_001, 1_000_000, 2_000_000).isPresent());
  }
}
