package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A script that wastes the time of its event loop degrades its own topics only. */
@Tag("slow")
@Timeout(180)
class ScriptBreakerTest {
  private static final String HANGING =
      """
      function enrich(record) {
        if (record.data.hang) while (true) {}
        record.data.seen = true
        return record
      }
      """;

  @TempDir Path directory;

  private EnrichFixture node(String source, String keys) throws Exception {
    Files.writeString(directory.resolve("s.js"), source);
    String yaml = "enrich: {directory: '%s', chain: [script: {file: s.js, topics: [bad], %s}]}";
    return new EnrichFixture(yaml.formatted(directory, keys));
  }

  @Test
  void aScriptIsSuspendedAndTriedAgain() throws Exception {
    String keys =
        "maxStatements: 10000000000, timeLimitMs: 1000, breaker: {hits: 2, backOffMs: 8000}";
    try (EnrichFixture node = node(HANGING, keys)) {
      await(node.send(record("a", "bad", "{\"hang\":true}")));
      await(node.send(record("b", "bad", "{\"hang\":true}")));
      assertEquals(1, node.count("galop.enrich.script.suspensions"));
      await(node.send(record("c", "bad", "{}"), record("d", "good", "{}")));
      List<String> shown = node.shown();
      assertTrue(shown.get(0).contains("it ran longer than timeLimitMs, 1000"), shown.toString());
      assertTrue(shown.stream().anyMatch(s -> s.contains("c#0@") && s.contains("suspended")));
      assertTrue(shown.contains("d good {}"), shown.toString());
      awaitWarning(node, true);
      assertTrue(node.readiness.isReady(), "the node does the rest of its work");
      awaitWarning(node, false);
      await(node.send(record("e", "bad", "{}")));
      assertTrue(node.shown().contains("e bad {\"seen\":true}"), node.shown().toString());
    }
  }

  private static void awaitWarning(EnrichFixture node, boolean wanted) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (node.readiness.warnings().containsKey("script s") != wanted) {
      assertTrue(System.nanoTime() < deadline, node.readiness.warnings().toString());
      Thread.sleep(10);
    }
  }

  @Test
  void aRecordThatTakesTooMuchMemoryIsADeadLetter() throws Exception {
    String hungry =
        """
        function enrich(record) {
          const kept = []
          for (let i = 0; i < record.data.n; i++) kept.push(new Array(1000).fill(i))
          record.data.kept = kept.length
          return record
        }
        """;
    String keys = "maxStatements: 10000000000, timeLimitMs: 30000, maxAllocatedBytes: 8000000";
    try (EnrichFixture node = node(hungry, keys + ", breaker: {slowCallMs: 60000}")) {
      await(node.send(record("a", "bad", "{\"n\":10}")));
      await(node.send(record("b", "bad", "{\"n\":1000000000}")));
      await(node.send(record("c", "bad", "{\"n\":10}")));
      List<String> shown = node.shown();
      assertEquals("a bad {\"n\":10,\"kept\":10}", shown.get(0));
      assertTrue(
          shown.stream()
              .anyMatch(s -> s.startsWith("b#0@") && s.contains("maxAllocatedBytes is 8000000")),
          shown.toString());
      assertTrue(shown.contains("c bad {\"n\":10,\"kept\":10}"), shown.toString());
    }
  }

  @Test
  void anErrorCostsOneRecordAndNotTheThread() throws Exception {
    Files.writeString(directory.resolve("s.stuck"), "");
    String yaml = "enrich: {directory: '%s', chain: [script: {file: s.stuck, topics: [bad]}]}";
    try (EnrichFixture node = new EnrichFixture(yaml.formatted(directory))) {
      await(
          node.send(
              record("a", "bad", "{\"v\":\"memory\"}"),
              record("b", "bad", "{\"v\":\"link\"}"),
              record("c", "bad", "{\"v\":3}")));
      await(node.send(record("d", "bad", "{\"v\":4}")));
      List<String> shown = node.shown();
      assertTrue(
          shown.stream().anyMatch(s -> s.startsWith("a#0@") && s.contains("OutOfMemoryError")));
      assertTrue(
          shown.stream().anyMatch(s -> s.startsWith("b#0@") && s.contains("NoClassDefFoundError")));
      assertTrue(shown.contains("c bad {\"v\":3}"), shown.toString());
      assertTrue(shown.contains("d bad {\"v\":4}"), shown.toString());
      assertEquals(4, shown.size());
    }
  }

  @Test
  void aThreadThatNothingEndsIsGivenUp() throws Exception {
    Files.writeString(directory.resolve("s.stuck"), "");
    String yaml =
        "enrich: {directory: '%s', chain: [script: {file: s.stuck, topics: [bad], timeLimitMs:"
            + " 50}]}";
    try (EnrichFixture node = new EnrichFixture(yaml.formatted(directory))) {
      await(
          node.send(
              record("a", "bad", "{\"v\":1}"),
              record("b", "bad", "{\"v\":\"hang\"}"),
              record("c", "bad", "{\"v\":3}")));
      List<String> shown = node.shown();
      assertTrue(shown.contains("a bad {\"v\":1}"), shown.toString());
      assertTrue(shown.stream().anyMatch(s -> s.startsWith("b#0@") && s.contains("did not end")));
      assertTrue(shown.contains("c bad {\"v\":3}"), shown.toString());
      assertEquals(3, shown.size());
      assertEquals(1, node.count("galop.enrich.script.threads.given.up"));
    }
  }
}
