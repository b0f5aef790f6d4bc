package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Alarms of each condition over a change of the owner: what stands is neither lost nor raised
 * twice, what is raised just before it is there, and the next owner sees the end and the next
 * beginning. When an alarm was raised last tells one raising from the next.
 */
@Timeout(400)
class AlarmConditionsIT {
  private static final String RULES =
      "alarms.rules=["
          + "{name: band, topics: s/+, when: {limit: {field: c, above: 80, clear: 70}}},"
          + "{name: delayed, topics: s/+, forMs: 1000, when: {limit: {field: e, above: 80}}},"
          + "{name: rate, topics: s/+, when: {rate: {field: r, perSecond: 5, overMs: 10000}}},"
          + "{name: silent, topics: q/+, when: {silence: {silentMs: 3000}}},"
          + "{name: word, topics: s/+, when: {expression: {cel: \"data.open\"}}}]";

  private static final List<String> SHARED =
      List.of("--set", "cluster.maxSilenceSeconds=15", "--set", RULES);
  private static final List<String> ALL = List.of("band", "delayed", "rate", "silent", "word");

  /** Those but silence, which is raised again by itself. */
  private static final List<String> ENDED = List.of("band", "delayed", "rate", "word");

  /** Those but rate, whose window begins anew with the owner. */
  private static final List<String> FROM_THE_LAST = List.of("band", "delayed", "silent", "word");

  private static final int WAIT_SECONDS = 120;

  @TempDir private Path directory;
  private final long baseUs = System.currentTimeMillis() * 1_000;

  /** What a topic holds, at its own time. */
  private record Value(int second, int c, int r, int e, boolean isOpen) {
    static final Value QUIET = new Value(0, 0, 0, 0, false);
    static final Value RAISED = new Value(1, 100, 100, 100, true);

    /** Within the band, and as steep as before. */
    static final Value STILL = new Value(2, 75, 200, 90, true);

    static final Value OVER = new Value(30, 50, 200, 0, false);
    static final Value OVER_LATER = new Value(31, 50, 200, 0, false);
    static final Value AGAIN = new Value(32, 100, 300, 100, true);
  }

  /** What an alarm is, and which raising it is of. */
  private record Standing(String state, long sinceMs) {}

  private void publish(GalopProcess to, int number, Value... values) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (Value value : values) {
      for (String topic : List.of("s/", "q/")) {
        lines.append(
            "{\"topic\":\"%s%d\",\"time\":%d,\"data\":{\"c\":%d,\"r\":%d,\"e\":%d,\"open\":%b}}%n"
                .formatted(
                    topic,
                    number,
                    baseUs + value.second() * 1_000_000L,
                    value.c(),
                    value.r(),
                    value.e(),
                    value.isOpen()));
      }
    }
    String body = lines.toString();
    Await.until(
        "the door takes them",
        WAIT_SECONDS,
        () -> Stored.post(to.http("/publish"), "application/x-ndjson", body).statusCode() == 202);
  }

  /** Rule → alarm of the topic with this number. */
  private static Map<String, Standing> standing(GalopProcess node, int number) throws Exception {
    JsonObject answer = new JsonObject(Stored.get(node.management("/alarms")).body());
    Map<String, Standing> standing = new TreeMap<>();
    for (Object one : answer.getJsonArray("alarms")) {
      JsonObject alarm = (JsonObject) one;
      if (alarm.getString("topic").endsWith("/" + number)) {
        standing.put(
            alarm.getString("rule"),
            new Standing(alarm.getString("state"), alarm.getLong("since")));
      }
    }
    return standing;
  }

  private static boolean are(String state, List<String> rules, Map<String, Standing> standing) {
    return rules.stream()
        .allMatch(rule -> standing.containsKey(rule) && standing.get(rule).state().equals(state));
  }

  private static void await(GalopProcess node, String state, List<String> rules, int number)
      throws Exception {
    try {
      Await.until(state, WAIT_SECONDS, () -> are(state, rules, standing(node, number)));
    } catch (AssertionError late) {
      throw new AssertionError(state + " are not all of " + standing(node, number), late);
    }
  }

  /** One change of the owner: the door at which the next records are published. */
  private interface Change {
    GalopProcess next() throws Exception;
  }

  private void assertOver(GalopProcess owner, GalopProcess front, Change change) throws Exception {
    publish(owner, 1, Value.QUIET, Value.RAISED);
    await(front, "unacknowledged", ALL, 1);
    Map<String, Standing> before = standing(front, 1);
    publish(owner, 2, Value.QUIET, Value.RAISED);

    GalopProcess next = change.next();
    Await.until(
        "it has what stood", WAIT_SECONDS, () -> standing(front, 1).keySet().containsAll(ALL));
    assertEquals(before, standing(front, 1));
    await(front, "unacknowledged", FROM_THE_LAST, 2);
    Map<String, Standing> just = standing(front, 2);
    just.keySet().retainAll(FROM_THE_LAST);

    publish(next, 1, Value.STILL, Value.OVER, Value.OVER_LATER);
    await(front, "returned", ENDED, 1);
    Map<String, Standing> ended = standing(front, 1);
    for (String rule : ENDED) {
      assertEquals(before.get(rule).sinceMs(), ended.get(rule).sinceMs(), rule);
    }
    publish(next, 1, Value.AGAIN);
    Await.until(
        "each is raised once more", WAIT_SECONDS, () -> isEachLater(standing(front, 1), before));
    Map<String, Standing> later = standing(front, 2);
    later.keySet().retainAll(FROM_THE_LAST);
    assertEquals(just, later);
  }

  private static boolean isEachLater(Map<String, Standing> now, Map<String, Standing> before) {
    return are("unacknowledged", ALL, now)
        && ALL.stream().allMatch(rule -> now.get(rule).sinceMs() > before.get(rule).sinceMs());
  }

  @Test
  void outliveAKilledOwner() throws Exception {
    try (Nodes nodes = new Nodes(directory, List.of("a", "front"), SHARED)) {
      GalopProcess owner = nodes.start("a", "ingest,enrich,persist");
      GalopProcess front = nodes.start("front", "broadcast");
      assertOver(
          owner,
          front,
          () -> {
            owner.kill();
            return nodes.start("a", "ingest,enrich,persist");
          });
    }
  }

  /** Some shards move when the second node comes, the others when the first one stops. */
  @Test
  void outliveAPlannedMove() throws Exception {
    try (Nodes nodes = new Nodes(directory, List.of("a", "b", "front"), SHARED)) {
      GalopProcess owner = nodes.start("a", "ingest,enrich,persist");
      GalopProcess front = nodes.start("front", "broadcast");
      assertOver(
          owner,
          front,
          () -> {
            GalopProcess next = nodes.start("b", "ingest,enrich,persist");
            owner.terminate();
            owner.awaitExit(WAIT_SECONDS);
            return next;
          });
    }
  }
}
