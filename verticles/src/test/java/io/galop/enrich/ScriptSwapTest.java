package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.e2e.Await;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A script is changed while records go through it. */
@Tag("slow")
@Timeout(240)
class ScriptSwapTest {
  private static final String QUICK = "shadow: {seconds: 1, minRecords: 50, maxCostRatio: 1000}";
  @TempDir Path directory;

  /** Numbers the records of each topic, and says which version it is. */
  private static String counting(int version) {
    return """
    function enrich(record, state) {
      state.n = (state.n || 0) + 1
      record.data.n = state.n
      record.data.version = %d
      return record
    }
    """
        .formatted(version);
  }

  @Test
  void aChangedFileTakesOverAndEachRecordIsEnrichedOnce() throws Exception {
    try (SwapTraffic traffic = new SwapTraffic(directory, counting(1), QUICK)) {
      traffic.write("s.js", counting(2));
      JsonObject decided = traffic.awaitPromoted();
      assertTrue(decided.getLong("compared") >= 50, decided.encodePrettily());
      assertEquals(
          decided.getLong("compared"), decided.getLong("differing"), "the version is in it");
      assertTrue(decided.getJsonArray("differences").getString(0).contains("\"version\":2"));
      assertEquals(decided.getString("version"), traffic.script().getString("version"));
      assertFalse(traffic.script().getBoolean("fileDiffers"));
      Await.until("all topics go through it", 60, () -> isUsedByAll(traffic));
      List<Record> stored = traffic.end();
      assertEquals(traffic.sent(), stored.size());
      assertEquals(traffic.sent(), stored.stream().map(Record::id).distinct().count());
      Map<String, List<JsonObject>> byTopic = SwapTraffic.byTopic(stored);
      assertEquals(SwapTraffic.TOPICS, byTopic.size());
      byTopic.forEach(ScriptSwapTest::assertCountedThrough);
      assertEquals(1, traffic.node.count("galop.enrich.script.swaps"));
    }
  }

  private static boolean isUsedByAll(SwapTraffic traffic) {
    return SwapTraffic.byTopic(traffic.stored()).values().stream()
            .filter(data -> data.get(data.size() - 1).getInteger("version") == 2)
            .count()
        == SwapTraffic.TOPICS;
  }

  /** The state went on, and the version changed once, at a record's boundary. */
  private static void assertCountedThrough(String topic, List<JsonObject> data) {
    int version = 1;
    for (int i = 0; i < data.size(); i++) {
      assertEquals(i + 1, data.get(i).getInteger("n"), topic + " " + data.get(i));
      assertTrue(data.get(i).getInteger("version") >= version, topic + " went back");
      version = data.get(i).getInteger("version");
    }
    assertEquals(2, version, topic);
  }

  @Test
  void theShadowGoesOnWithTheStateOfTheLiveOne() throws Exception {
    try (SwapTraffic traffic = new SwapTraffic(directory, counting(1), QUICK)) {
      Thread.sleep(500);
      traffic.write("s.js", counting(1) + "// the same, but for this line\n");
      JsonObject decided = traffic.awaitPromoted();
      assertEquals(0, decided.getLong("differing"), decided.encodePrettily());
    }
  }

  private void assertRolledBack(String candidate, String keys, String why) throws Exception {
    try (SwapTraffic traffic = new SwapTraffic(directory, counting(1), keys)) {
      String version = traffic.script().getString("version");
      traffic.write("s.js", candidate);
      traffic.awaitRolledBack(why);
      assertEquals(version, traffic.script().getString("version"));
      assertTrue(traffic.script().getBoolean("fileDiffers"));
      List<Record> stored = traffic.end();
      assertEquals(traffic.sent(), stored.size());
      SwapTraffic.byTopic(stored)
          .forEach(
              (topic, data) -> {
                for (int i = 0; i < data.size(); i++) {
                  assertEquals(1, data.get(i).getInteger("version"), topic);
                  assertEquals(i + 1, data.get(i).getInteger("n"), topic);
                }
              });
    }
  }

  @Test
  void aCandidateThatThrowsInOneOfAHundredCallsIsRolledBack() throws Exception {
    String throwing =
        "let calls = 0\n"
            + counting(1)
                .replace(
                    "state.n =",
                    "if (++calls % 100 === 0) throw new Error('now and then')\n  state.n =");
    assertRolledBack(throwing, "shadow: {seconds: 60}", "maxErrorPercent is 0.5");
  }

  @Test
  void aCandidateThatLoopsForEverIsRolledBack() throws Exception {
    String looping = "function enrich(record) { while (true) {} }";
    assertRolledBack(
        looping,
        "maxStatements: 10000000000, timeLimitMs: 2000, shadow: {seconds: 60}",
        "of its calls, breaker.hits is 3");
  }

  @Test
  void aCandidateThatLeaksIsRolledBack() throws Exception {
    String leaking =
        "const kept = []\n"
            + counting(1).replace("state.n =", "kept.push(new Uint8Array(60000))\n  state.n =");
    assertRolledBack(
        leaking, "shadow: {seconds: 200, maxRetainedBytes: 16777216}", "maxRetainedBytes is");
  }

  @Test
  void aCandidateThatCostsTooMuchIsRolledBack() throws Exception {
    String dear =
        counting(1)
            .replace("state.n =", "for (let i = 0; i < 20000; i++) Math.sin(i)\n  state.n =");
    assertRolledBack(
        dear,
        "shadow: {seconds: 2, minRecords: 20, maxRetainedBytes: 4294967296}",
        "maxCostRatio is 3");
  }

  @Test
  void tooManyDifferencesAreTooMany() throws Exception {
    assertRolledBack(
        counting(2),
        "shadow: {seconds: 1, minRecords: 50, maxDifferencePercent: 10}",
        "maxDifferencePercent is 10");
  }

  @Test
  void whatDoesNotLoadIsRefusedWithItsLine() throws Exception {
    try (SwapTraffic traffic = new SwapTraffic(directory, counting(1), QUICK)) {
      traffic.write("s.js", "\nfunction enrich( {");
      JsonObject decided = traffic.decision();
      assertEquals("refused", decided.getString("phase"));
      assertTrue(decided.getString("reason").contains("s.js, line 2"), decided.getString("reason"));
      assertEquals(traffic.sent(), traffic.end().size());
    }
  }

  @Test
  void whatFailsItsCasesIsRefused() throws Exception {
    String cases =
        """
        cases:
          - name: the first is number 1
            inputs: [{topic: t, timeUs: 1, data: '{}'}]
            outputs: [{id: i1, topic: t, timeUs: 1, data: '{"n":1,"version":1}'}]
        """;
    Files.writeString(directory.resolve("s.cases.yaml"), cases);
    try (SwapTraffic traffic = new SwapTraffic(directory, counting(1), QUICK)) {
      traffic.write("s.js", counting(2));
      String reason = traffic.decision().getString("reason");
      assertTrue(
          reason.startsWith("s.cases.yaml: the case 'the first is number 1' fails: - i1"), reason);
    }
  }

  @Test
  void whatIsHandedOverIsInTheFileInTheEnd() throws Exception {
    try (SwapTraffic traffic = new SwapTraffic(directory, counting(1), QUICK)) {
      var deploy = traffic.node.node.reports().find("scripts/deploy").orElseThrow();
      deploy.answer(Map.of("file", "s.js", "source", counting(2)));
      traffic.awaitPromoted();
      assertEquals(counting(2), Files.readString(directory.resolve("s.js")));
      assertFalse(traffic.script().getBoolean("fileDiffers"));
    }
  }

  private static Future<JsonObject> deploy(EnrichFixture node, String file, String source) {
    var deploy = node.node.reports().find("scripts/deploy").orElseThrow();
    return deploy.answer(Map.of("file", file, "source", source));
  }

  @Test
  void aNameThatSeveralFilesHaveIsRefusedAndOneOfThemIsNot() throws Exception {
    for (String one : List.of("a", "b")) {
      Files.writeString(Files.createDirectory(directory.resolve(one)).resolve("s.js"), counting(1));
    }
    String yaml =
        "enrich: {directory: '%s', chain: [script: {file: a/s.js}, script: {file: b/s.js,"
            + " shadow: {seconds: 0}}]}";
    try (EnrichFixture node = new EnrichFixture(yaml.formatted(directory))) {
      var refused =
          assertThrows(IllegalArgumentException.class, () -> deploy(node, "s.js", counting(2)));
      assertTrue(refused.getMessage().contains("[a/s.js, b/s.js]"), refused.getMessage());
      EnrichFixture.await(deploy(node, "b/s.js", counting(2)));
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!Files.readString(directory.resolve("b/s.js")).equals(counting(2))) {
        assertTrue(System.nanoTime() < deadline, "is not written");
        Thread.sleep(20);
      }
      assertEquals(counting(1), Files.readString(directory.resolve("a/s.js")));
    }
  }

  @Test
  void oneVersionWaitsAtMost() throws Exception {
    Files.writeString(directory.resolve("s.js"), counting(1));
    String yaml =
        "enrich: {directory: '%s', chain: [script: {file: s.js, maxStatements: 10000000000,"
            + " timeLimitMs: 1000}]}";
    String slow = "while (true) {}";
    try (EnrichFixture node = new EnrichFixture(yaml.formatted(directory))) {
      EnrichFixture.await(deploy(node, "s.js", slow));
      assertFalse(deploy(node, "s.js", slow).isComplete(), "the one before is loaded meanwhile");
      Refusal refused = EnrichFixture.refusal(deploy(node, "s.js", slow));
      assertEquals(Refusal.Why.BUSY, refused.why());
      assertEquals(1, node.count("galop.enrich.script.deploys.refused"));
    }
  }

  @Test
  void whatTheCandidateIsTooSlowForIsCountedAndNotWaitedFor() throws Exception {
    String slow =
        counting(1)
            .replace(
                "state.n =", "const t = Date.now(); while (Date.now() < t + 30) {}\n state.n =");
    String keys =
        "maxStatements: 10000000000, shadow: {seconds: 3, minRecords: 5, queueRecords: 4}";
    try (SwapTraffic traffic = new SwapTraffic(directory, counting(1), keys)) {
      traffic.write("s.js", slow);
      JsonObject decided = traffic.decision();
      assertTrue(decided.getLong("notCompared") > decided.getLong("compared"));
      assertEquals(
          0, decided.getLong("differing"), "the state of a topic that missed one comes anew");
      assertEquals(traffic.sent(), traffic.end().size());
    }
  }
}
