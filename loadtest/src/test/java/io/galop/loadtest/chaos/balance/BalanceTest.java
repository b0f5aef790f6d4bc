package io.galop.loadtest.chaos.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the end of a chaos run says of the Ledgers, by made-up answers. */
class BalanceTest {
  private static final long MINUTE_MS = 60_000;
  private static final long START_MS = Instant.parse("2026-11-28T14:00:30Z").toEpochMilli();
  private static final long END_MS = START_MS + 2 * MINUTE_MS;
  private static final ProcessLife STORE = runs("store1");
  private static final ProcessLife FRONT = runs("front1");

  private final Balance balance = new Balance(MINUTE_MS);

  private static ProcessLife runs(String node) {
    return new ProcessLife(node, START_MS, ProcessLife.GOES_ON);
  }

  private static String name(int minute) {
    return "2026-11-28T14:0" + minute + ":00Z";
  }

  private static JsonObject minute(int at) {
    return new JsonObject()
        .put("minute", name(at))
        .put("settled", true)
        .put("residual", 0)
        .put("stages", new JsonObject());
  }

  private static JsonObject open(int at, String why) {
    return minute(at).put("settled", false).put("why", why);
  }

  private static JsonObject lost(int at, String node, int shard, int records) {
    JsonObject named = new JsonObject().put("node", node).put("shard", shard);
    named.put("direction", "lost").put("records", records);
    JsonObject owner = new JsonObject().put("placed", 9).put("shards", new JsonArray().add(named));
    return minute(at).put("residual", records).put("stages", new JsonObject().put("owner", owner));
  }

  private static JsonObject answer(List<String> nodes, JsonObject... minutes) {
    return new JsonObject()
        .put("minutes", new JsonArray(List.of((Object[]) minutes)))
        .put("nodes", new JsonArray(nodes));
  }

  private static JsonObject both(JsonObject... minutes) {
    return answer(List.of("front1", "store1"), minutes);
  }

  private void read(JsonObject answer) {
    balance.read(END_MS, List.of(STORE, FRONT), List.of(answer));
  }

  @Test
  void isRightWhereAllIsToldAndBalances() {
    assertFalse(balance.isRight());
    read(both(minute(0), minute(1), minute(2)));
    assertTrue(balance.isRight());
    assertTrue(balance.isTold(END_MS));
    assertEquals(
        "residual 0; of 3 minutes 3 are whole, of 0 counts went with a process, 0 not settled",
        balance.summary());
    assertEquals(List.of(), balance.lines());
  }

  @Test
  void aResidualIsNamedAndStaysThoughItsProcessEnds() {
    read(both(minute(0), lost(1, "store1", 7, 3)));
    ProcessLife before = new ProcessLife("store1", START_MS, END_MS - 5_000);
    ProcessLife after = new ProcessLife("store1", END_MS - 1_000, ProcessLife.GOES_ON);
    balance.read(
        END_MS, List.of(before, after, FRONT), List.of(both(minute(0), minute(1), minute(2))));
    assertFalse(balance.isRight());
    assertEquals(3, balance.residual());
    String named = "minute 2026-11-28T14:01:00Z: owner lost 3 by store1 in shard 7";
    assertEquals(named, balance.lines().get(0));
    JsonObject json = balance.toJson();
    assertEquals(7, json.getJsonArray("residuals").getJsonObject(0).getInteger("shard"));
    assertEquals("owner", json.getJsonArray("residuals").getJsonObject(0).getString("stage"));
  }

  /** Two processes, one after the other: none of them hides the other's. */
  @Test
  void residualsOfSeveralReadsAddUp() {
    read(both(lost(1, "store1", 7, 3)));
    read(both(lost(1, "store1", 7, 3)));
    read(both(lost(1, "store1", 8, 2)));
    assertEquals(5, balance.residual());
  }

  /** Records hang somewhere: their node goes on and answers, and never closes the minute. */
  @Test
  void aLastMinuteThatIsNeverToldIsAFinding() {
    read(both(minute(0), minute(1)));
    balance.end(END_MS);
    assertFalse(balance.isRight());
    assertTrue(balance.summary().endsWith("; the last minute was never told"), balance.summary());
    read(both(minute(0), minute(1), minute(2)));
    balance.end(END_MS);
    assertTrue(balance.isRight());
  }

  /** The answer says that the minute is settled: the new process had no part in it. */
  @Test
  void aMinuteOfWhichAProcessTookItsCountsIsNotWhole() {
    ProcessLife before = new ProcessLife("store1", START_MS, START_MS + MINUTE_MS);
    ProcessLife after = new ProcessLife("store1", START_MS + 80_000, ProcessLife.GOES_ON);
    JsonObject told = both(minute(0), minute(1), minute(2));
    balance.read(END_MS, List.of(before, after, FRONT), List.of(told));
    assertTrue(balance.isRight());
    assertEquals(
        "residual 0; of 3 minutes 1 are whole, of 2 counts went with a process, 0 not settled",
        balance.summary());
    assertEquals(
        List.of(
            "minute 2026-11-28T14:00:00Z: a process of store1 took its counts",
            "minute 2026-11-28T14:01:00Z: a process of store1 took its counts"),
        balance.lines());
  }

  @Test
  void whatWasToldBeforeItsProcessEndedIsKnown() {
    balance.read(START_MS + 40_000, List.of(STORE, FRONT), List.of(both(minute(0))));
    ProcessLife before = new ProcessLife("store1", START_MS, START_MS + MINUTE_MS);
    ProcessLife after = new ProcessLife("store1", START_MS + 80_000, ProcessLife.GOES_ON);
    JsonObject told = both(minute(0), minute(1), minute(2));
    balance.read(END_MS, List.of(before, after, FRONT), List.of(told));
    assertTrue(balance.summary().contains("2 are whole, of 1 counts"), balance.summary());
  }

  /** All processes that were there in the first minute are gone: no node has it. */
  @Test
  void aMinuteThatNobodyHasIsNotForgotten() {
    ProcessLife before = new ProcessLife("store1", START_MS, START_MS + 20_000);
    ProcessLife after = new ProcessLife("store1", START_MS + 40_000, ProcessLife.GOES_ON);
    JsonObject told = answer(List.of("store1"), open(1, "store1: the node started in this minute"));
    balance.read(END_MS - MINUTE_MS, List.of(before, after), List.of(told));
    assertTrue(balance.summary().contains("of 2 minutes 0 are whole"), balance.summary());
    assertEquals("minute " + name(0) + ": a process of store1 took its counts", line(0));
    assertEquals("minute " + name(1) + ": store1: the node started in this minute", line(1));
  }

  private String line(int number) {
    return balance.lines().get(number);
  }

  @Test
  void whatIsNotSettledIsSaidAndAwaited() {
    String started = "store1: the node started in this minute";
    String waits = "front1: it has not told the minute yet";
    read(both(open(0, started), minute(1), open(2, waits)));
    assertFalse(balance.isTold(END_MS));
    assertTrue(balance.isRight());
    assertTrue(
        balance
            .summary()
            .endsWith("1 are whole, of 0 counts went with a process," + " 2 not settled"),
        balance.summary());
    assertEquals("minute " + name(2) + ": " + waits, line(1));
    read(both(open(0, started), minute(1)));
    assertFalse(balance.isTold(END_MS));
    read(both(open(0, started), minute(1), minute(2)));
    assertTrue(balance.isTold(END_MS));
  }

  /** It takes seconds until a process that was started counts. */
  @Test
  void aMinuteBeforeANodeCountedIsNone() {
    read(both(open(1, "store1: the node started in this minute"), minute(2)));
    assertTrue(balance.isTold(END_MS));
    assertTrue(balance.summary().contains("of 2 minutes 1 are whole"), balance.summary());
  }

  /** Of the minute in which a node started half may be missing. */
  @Test
  void whatANodeHasNotSettledIsInNoResidual() {
    JsonObject minute = lost(0, "store1", 7, 3).put("residual", 0).put("settled", false);
    read(both(minute.put("why", "store1: the node started in this minute"), minute(1), minute(2)));
    assertEquals(0, balance.residual());
    JsonObject other = lost(1, "store1", 7, 3).put("residual", 2).put("settled", false);
    read(both(other.put("why", "store1: the process or its clock stood still for minutes")));
    assertEquals(2, balance.residual());
    assertEquals(0, balance.toJson().getJsonArray("residuals").size());
  }

  @Test
  void aNodeThatDoesNotAnswerIsNotRight() {
    read(answer(List.of("front1"), minute(0), minute(1), minute(2)));
    assertFalse(balance.isRight());
    assertFalse(balance.isTold(END_MS));
    assertTrue(balance.summary().endsWith("; no answer from store1"), balance.summary());
    assertEquals("minute " + name(0) + ": store1: it did not answer", line(0));
    balance.read(END_MS, List.of(STORE, FRONT), List.of());
    assertTrue(balance.summary().endsWith("; no answer from front1, store1"), balance.summary());
    read(both(minute(0), minute(1), minute(2)));
    assertTrue(balance.isRight());
  }

  /** It answers for itself alone, and may be slower than the members. */
  @Test
  void aRelayTellsItsOwn() {
    List<ProcessLife> lives = List.of(STORE, runs("relay1"));
    JsonObject members = answer(List.of("store1"), minute(0), minute(1), minute(2));
    balance.read(END_MS, lives, List.of(members, answer(List.of("relay1"), minute(0), minute(1))));
    assertFalse(balance.isTold(END_MS));
    assertEquals("minute " + name(2) + ": relay1: it has not told the minute yet", line(0));
    JsonObject relay = answer(List.of("relay1"), lost(0, "relay1", 2, 1), minute(1), minute(2));
    balance.read(END_MS, lives, List.of(members, relay));
    assertTrue(balance.isTold(END_MS));
    assertEquals(1, balance.residual());
  }
}
