package io.galop.ingest.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.ingest.OpenDoors;
import io.galop.record.Record;
import io.galop.ring.RingPublisher;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class RingDoorTest {
  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Path file() {
    return directory.resolve("galop.ring");
  }

  private OpenDoors doors(String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("ingest.ring.paths=[" + file() + "]");
    all.add("ingest.ring.idle=sleep");
    return new OpenDoors(all.toArray(String[]::new));
  }

  private static boolean put(RingPublisher ring, String topic, String id, int value) {
    byte[] data = bytes("{\"v\":" + value + "}");
    return ring.offer(bytes(topic), bytes(id), RingPublisher.NO_TIME, data);
  }

  private static void awaitSettled(RingPublisher ring) throws InterruptedException {
    OpenDoors.await(() -> ring.settled() == ring.offered());
  }

  private static List<String> rejected(RingPublisher ring) {
    List<String> rejected = new ArrayList<>();
    ring.poll((number, reason, detail) -> rejected.add(number + " " + reason), 100);
    return rejected;
  }

  @Test
  void takesRecordsInPartsAndAsLines() throws Exception {
    try (OpenDoors doors = doors();
        RingPublisher ring = RingPublisher.open(file())) {
      assertTrue(ring.isServed());
      assertTrue(ring.offer(bytes("a"), bytes("i1"), 7, bytes("{\"v\":1}")));
      assertTrue(ring.offerLine(bytes("{\"topic\":\"a\",\"id\":\"i2\",\"time\":8,\"data\":{}}")));
      awaitSettled(ring);
      Record first = doors.records().get(0);
      assertEquals("a i1 7 {\"v\":1}", shown(first));
      assertEquals("a i2 8 {}", shown(doors.records().get(1)));
      assertEquals(
          2.0, doors.meters.get("galop.ingest.acknowledged").tag("door", "ring").counter().count());
    }
  }

  private static String shown(Record record) {
    return record.topic()
        + " "
        + record.id()
        + " "
        + record.timeUs()
        + " "
        + OpenDoors.text(record);
  }

  @Test
  void saysWhichRecordsAreRefusedAndWhy() throws Exception {
    try (OpenDoors doors = doors();
        RingPublisher ring = RingPublisher.open(file())) {
      put(ring, "a", "good", 1);
      put(ring, "a/#", "", 2);
      put(ring, "a", "#", 3);
      ring.offer(bytes("a"), bytes(""), -2, bytes("{}"));
      ring.offer(bytes("a"), bytes(""), 1, bytes("[1]"));
      ring.offer(new byte[] {(byte) 0xff}, bytes(""), 1, bytes("{}"));
      ring.offerLine(bytes("{\"topic\":\"a\",\"data\":{},\"more\":1}"));
      ring.offerLine(bytes("nonsense"));
      awaitSettled(ring);
      assertEquals(
          List.of(
              "2 topic_not_allowed",
              "3 bad_id",
              "4 bad_time",
              "5 malformed",
              "6 malformed",
              "7 unknown_field",
              "8 malformed"),
          rejected(ring));
      assertEquals(1, doors.records().size());
    }
  }

  @Test
  void fillsUpWhileNothingIsAcknowledgedAndLosesNothing() throws Exception {
    Promise<Void> gate = Promise.promise();
    try (OpenDoors doors =
            doors("ingest.ring.capacityBytes=65536", "ingest.ring.maxMessageBytes=1024");
        RingPublisher ring = RingPublisher.open(file())) {
      doors.stage(batch -> gate.future());
      while (put(ring, "a", "i" + ring.offered(), (int) ring.offered())) {
        assertTrue(ring.offered() < 65_536 / 32, "the ring takes more than it has room for");
      }
      long first = ring.offered();
      Thread.sleep(20);
      assertFalse(put(ring, "a", "more", 0), "there is room for what is not acknowledged");
      assertEquals(0, ring.settled());
      gate.complete();
      OpenDoors.await(() -> ring.settled() == first);
      OpenDoors.await(() -> put(ring, "a", "i" + first, (int) first));
      awaitSettled(ring);
      assertEquals(
          IntStream.rangeClosed(0, (int) first).mapToObj(i -> "i" + i).toList(),
          doors.records().stream().map(Record::id).toList());
    }
  }

  @RepeatedTest(5)
  void readsAgainInOrderWhatIsRefusedForNow() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Refusal away = new Refusal(Refusal.Why.OVER_QUOTA, "full");
    try (OpenDoors doors = doors("ingest.maxBatchRecords=1");
        RingPublisher ring = RingPublisher.open(file())) {
      List<Record> stored = new ArrayList<>();
      doors.stage(
          batch -> {
            if (calls.incrementAndGet() % 4 == 1) {
              return Future.failedFuture(away);
            }
            stored.addAll(batch.records());
            return Future.succeededFuture();
          });
      IntStream.range(0, 8).forEach(i -> put(ring, "a", i % 2 == 0 ? "" : "i" + i, i));
      awaitSettled(ring);
      assertEquals(List.of(), rejected(ring));
      List<String> values = stored.stream().map(OpenDoors::text).distinct().toList();
      assertEquals(
          IntStream.range(0, 8).mapToObj(i -> "{\"v\":" + i + "}").toList(), values, "in order");
      assertEquals(8, stored.stream().map(Record::id).distinct().count(), "each under one id");
      assertTrue(doors.meters.get("galop.ingest.ring.read.again").counter().count() > 0);
    }
  }

  @Test
  void whatAHealthyShardHasTakenIsNotSentAgain() throws Exception {
    AtomicInteger refusals = new AtomicInteger();
    Refusal away = new Refusal(Refusal.Why.OVER_QUOTA, "full");
    try (OpenDoors doors = doors();
        RingPublisher ring = RingPublisher.open(file())) {
      doors.stage(
          batch -> {
            boolean isAway = batch.records().get(0).topic().equals("a");
            return isAway && refusals.incrementAndGet() <= 4
                ? Future.failedFuture(away)
                : Future.succeededFuture();
          });
      for (int i = 0; i < 30; i++) {
        put(ring, i % 3 == 0 ? "a" : i % 3 == 1 ? "b" : "c/#", "i" + i, i);
      }
      awaitSettled(ring);
      assertTrue(refusals.get() > 4);
      List<String> rejected = rejected(ring);
      assertEquals(10, rejected.size(), "each is told once: " + rejected);
      List<String> healthy =
          doors.records().stream().filter(r -> r.topic().equals("b")).map(Record::id).toList();
      assertEquals(
          IntStream.range(0, 10).mapToObj(i -> "i" + (3 * i + 1)).toList(), healthy, "once each");
    }
  }

  @Test
  void goesOnWhereTheNodeBeforeStopped() throws Exception {
    try (OpenDoors before = doors();
        RingPublisher ring = RingPublisher.open(file())) {
      put(ring, "a", "i0", 0);
      awaitSettled(ring);
      before.undeploy().await();
      assertFalse(ring.isServed());
      put(ring, "a", "i1", 1);
      assertEquals(1, ring.settled());
      try (OpenDoors after = doors()) {
        awaitSettled(ring);
        assertEquals(List.of("i1"), after.records().stream().map(Record::id).toList());
      }
    }
  }

  @Test
  void aFileOfOtherSizesStopsTheStart() throws Exception {
    doors().close();
    IllegalStateException refused = null;
    try (OpenDoors other =
        doors("ingest.ring.capacityBytes=65536", "ingest.ring.maxMessageBytes=1024")) {
      throw new AssertionError("started with " + other);
    } catch (IllegalStateException e) {
      refused = e;
    }
    assertTrue(
        refused
            .getMessage()
            .matches("ingest.ring.paths\\[0]: the file .* is a ring of capacityBytes 16777216 .*"),
        refused.getMessage());
  }

  @Test
  void aDamagedRingIsReadNoMoreAndSaysSo() throws Exception {
    try (OpenDoors doors = doors();
        RingPublisher ring = RingPublisher.open(file())) {
      put(ring, "a", "i0", 0);
      awaitSettled(ring);
      damage();
      OpenDoors.await(() -> doors.meters.get("galop.ingest.ring.damaged").gauge().value() == 1);
      assertFalse(ring.isServed());
    }
  }

  /** Writes a length that no message can have where the next one will be. */
  private void damage() throws IOException {
    int at = 4096 + 48; // behind the message {"v":0} of topic a
    try (java.io.RandomAccessFile raw = new java.io.RandomAccessFile(file().toFile(), "rw")) {
      raw.seek(at);
      raw.write(new byte[] {-1, -1, -1, 0x7f});
    }
  }
}
