package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.record;
import static io.galop.enrich.EnrichFixture.refusal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of records, their order and their duplicates. */
@Timeout(180)
class EnrichVerticleTest {
  @TempDir Path directory;

  @Test
  void recordsGoThroughTheChainAndAreAcknowledged() throws Exception {
    try (EnrichFixture node = new EnrichFixture(EnrichFixture.WINDOW)) {
      assertTrue(node.readiness.isReady());
      await(node.send(record("a", "t", "{\"v\":1}"), record("b", "t", "{\"v\":3}")));
      assertEquals(
          List.of(
              "a t {\"v\":1,\"w\":{\"count\":1,\"min\":1,\"max\":1,\"mean\":1}}",
              "b t {\"v\":3,\"w\":{\"count\":2,\"min\":1,\"max\":3,\"mean\":2,\"change\":2,"
                  + "\"changeTime\":1000000}}"),
          node.shown());
      assertEquals(2, node.count("galop.enrich.records.in"));
      assertEquals(2, node.count("galop.enrich.records.out"));
    }
  }

  @Test
  void aBatchOfWhichNothingIsLeftIsAcknowledged() throws Exception {
    try (EnrichFixture node = new EnrichFixture("enrich: {chain: [drop]}")) {
      await(node.send(record("a", "t", "{}")));
      assertEquals(List.of(), node.shown());
      assertEquals(1, node.count("galop.enrich.dropped"));
    }
  }

  @Test
  void aRecordThatTheScriptFailsOnBecomesADeadLetterAndTheOthersFlow() throws Exception {
    String source =
        """
        function enrich(r) {
          if (r.data.v === 2) throw new Error('no "twos"')
          while (r.data.v === 3) {}
          return r.data.v === 4 ? 'x' : r
        }
        """;
    try (EnrichFixture node = new EnrichFixture(EnrichFixture.scripted(directory, source))) {
      List<Future<Void>> sent = new ArrayList<>();
      for (int v = 1; v <= 5; v++) {
        sent.add(node.send(record("id" + v, "t", "{ \"v\": " + v + " }")));
      }
      await(Future.all(sent));
      List<String> shown = node.shown();
      assertTrue(shown.contains("id1 t {\"v\":1}"), shown.toString());
      assertTrue(shown.contains("id5 t {\"v\":5}"), shown.toString());
      assertTrue(
          shown.contains(
              "id2#0@47mKTaMaEn $dead-letter/script/s"
                  + " {\"id\":\"id2\",\"topic\":\"t\",\"timeUs\":1000000,\"reason\":\"script_failed\",\"detail\":\"Error:"
                  + " no \\\"twos\\\" (s.js, line 2)\",\"data\":{ \"v\": 2 }}"),
          shown.toString());
      assertTrue(
          shown.stream().anyMatch(s -> s.startsWith("id3#0@47mKTaMaEn $dead-letter/script/s")));
      assertTrue(
          shown.stream().anyMatch(s -> s.startsWith("id4#0@47mKTaMaEn $dead-letter/script/s")));
      assertEquals(5, shown.size());
      assertEquals(3, node.count("galop.enrich.dead.letters"));
      assertEquals(1, node.count("galop.enrich.script.limits"));
    }
  }

  /** No door lets such a record in, but a step may make it: its owner would refuse it each time. */
  @Test
  void aRecordThatTheLogWouldRefuseBecomesADeadLetter() throws Exception {
    String yaml =
        """
        ingest: {limits: {maxDataBytes: 4096}}
        persist: {log: {segmentBytes: 65536, queueBytes: 8192}}
        """;
    try (EnrichFixture node = new EnrichFixture(yaml)) {
      String large = "{\"v\":\"" + "x".repeat(20_000) + "\"}";
      await(node.send(record("a", "t", large), record("b", "t", "{}")));
      List<String> topics = node.stored.stream().map(Record::topic).sorted().toList();
      assertEquals(List.of("$dead-letter/log/too-large", "t"), topics);
    }
  }

  @Test
  void aRecordSentAgainIsAcknowledgedAndSeenOnce() throws Exception {
    try (EnrichFixture node = new EnrichFixture(EnrichFixture.WINDOW)) {
      Record one = record("a", "t", "{\"v\":1}");
      await(node.send(one, one));
      await(node.send(one, record("b", "t", "{\"v\":1}")));
      assertEquals(2, node.stored.size());
      assertTrue(node.shown().get(1).contains("\"count\":2"), node.shown().toString());
      assertEquals(2, node.count("galop.enrich.duplicates"));
    }
  }

  /** Batches of many topics while the next stage refuses, stalls and answers out of order. */
  @Test
  void eachTopicKeepsItsOrderAndEveryRecordComesOnce() throws Exception {
    try (EnrichFixture node = new EnrichFixture(EnrichFixture.WINDOW)) {
      Random random = new Random(7);
      node.persist =
          batch -> {
            int chance = random.nextInt(10);
            if (chance == 0) {
              return Future.failedFuture(new Refusal(Refusal.Why.BUSY, "try again"));
            }
            Future<Void> stored = node.store(batch);
            return chance < 5 ? stored : node.vertx.timer(1 + chance).mapEmpty();
          };
      ConcurrentLinkedQueue<Future<Void>> sent = new ConcurrentLinkedQueue<>();
      for (int n = 0; n < 2000; n++) {
        String topic = "t/" + n % 20;
        sent.add(node.send(record("id" + n, topic, "{\"v\":" + n + "}")));
      }
      await(Future.all(List.copyOf(sent)));
      int[] last = new int[20];
      for (Record record : node.stored) {
        int n = Integer.parseInt(record.id().substring(2));
        assertTrue(n >= last[n % 20], record.id() + " after id" + last[n % 20]);
        last[n % 20] = n;
      }
      assertEquals(2000, node.stored.size());
    }
  }

  @Test
  void aScriptWithASyntaxErrorStopsTheStart() throws Exception {
    String yaml = EnrichFixture.scripted(directory, "function enrich( {");
    Exception failure = assertThrows(Exception.class, () -> new EnrichFixture(yaml));
    assertTrue(failure.getMessage().contains("s.js, line 1"), failure.getMessage());
  }

  @Test
  void batchesOfShardsThatAnotherNodeOwnsAreRefused() throws Exception {
    try (EnrichFixture node = new EnrichFixture("cluster: {deadlineMs: 1000}")) {
      node.isOwner = false;
      Refusal refusal = refusal(node.send(record("a", "t", "{}")));
      assertTrue(refusal.getMessage().contains("enriched by another node"), refusal.getMessage());
      node.isOwner = true;
      await(node.send(record("a", "t", "{}")));
      assertEquals(List.of("a t {}"), node.shown());
    }
  }
}
