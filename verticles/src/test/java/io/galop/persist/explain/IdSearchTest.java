package io.galop.persist.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.persist.explain.IdSearch.Found;
import io.galop.persist.explain.IdSearch.Key;
import io.galop.persist.ram.RamTier;
import io.galop.persist.ram.ShardMemory;
import io.galop.persist.ram.ShardTail;
import io.galop.record.Batch;
import io.galop.record.DerivedId;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdSearchTest {
  private final RamTier tier = new RamTier(1 << 20, 1);
  private final ShardTail tail = new ShardTail(tier, 0);
  private long epoch = 2;
  private long next = 1;

  @AfterEach
  void everythingIsGivenBack() {
    tail.close();
    tier.close();
    assertEquals(0, tier.allocatedBytes(), "no slab is kept");
  }

  private Record place(String id, String topic) {
    Record record = new Record(id, topic, 5, "{\"a\":1}".getBytes(StandardCharsets.UTF_8));
    tail.append(new Batch(0, epoch, next++, List.of(record)), 1_234);
    return record;
  }

  private List<String> found(String id, String topic, Key after, int limit) {
    IdSearch search = new IdSearch(id, topic, after, limit);
    search.walk(0, tail.slabs(), System.nanoTime() + 60_000_000_000L);
    assertTrue(search.isWhole());
    return search.found().stream()
        .map(one -> one.placed().position() + " " + Key.of(one.placed().record()))
        .toList();
  }

  private List<String> ids(String id, String topic) {
    IdSearch search = new IdSearch(id, topic, Key.FIRST, 100);
    search.walk(0, tail.slabs(), System.nanoTime() + 60_000_000_000L);
    return search.found().stream().map(one -> one.placed().record().id()).toList();
  }

  @Test
  void aRecordAndWhatWasMadeOfItAreFound() {
    Record raw = place("ä1", "t/1");
    Record other = place("ä1", "t/2");
    place("ä1x", "t/1");
    place("ä1@home", "t/1");
    place("ä", "t/1");
    String derived = place(DerivedId.of(raw, 2, "out"), "out").id();
    String stranger = place(DerivedId.of(other, 2, "out"), "out").id();
    assertEquals(4, ids("ä1", "").size(), "on three topics");
    assertEquals(List.of(derived, "ä1"), ids("ä1", "t/1"));
    assertEquals(List.of(stranger, "ä1"), ids("ä1", "t/2"));
    assertEquals(List.of(derived), ids(derived, ""));
    assertEquals(2, ids("ä1#2", "").size(), "whatever its mark");
    assertEquals(List.of(), ids("ä2", ""));
  }

  @Test
  void pagesFollowOnEachOther() {
    place("b", "t/3");
    place("b", "t/1");
    place("b#1", "t/1");
    place("b", "t/2");
    List<String> first = found("b", "", Key.FIRST, 2);
    assertEquals(List.of("0.2-2 " + new Key("t/1", "b"), "0.2-3 " + new Key("t/1", "b#1")), first);
    assertEquals(
        List.of("0.2-4 " + new Key("t/2", "b"), "0.2-1 " + new Key("t/3", "b")),
        found("b", "", new Key("t/1", "b#1"), 2));
    assertEquals(List.of(), found("b", "", new Key("t/3", "b"), 2));
  }

  @Test
  void whatThereWasNoTimeForIsTold() {
    place("d", "t");
    IdSearch search = new IdSearch("d", "", Key.FIRST, 9);
    search.walk(0, tail.slabs(), System.nanoTime() - 1);
    assertFalse(search.isWhole());
    assertEquals(List.of(), search.found());
  }

  @Test
  void theLastAttemptCounts() {
    place("c", "t");
    place("c", "t");
    assertEquals(List.of("0.2-2 " + new Key("t", "c")), found("c", "", Key.FIRST, 9));
  }

  @Test
  void ofOneEpochItIsToldHowOftenItWasPlaced() {
    place("f", "t");
    place("f", "t");
    epoch = 3;
    next = 1;
    tail.begin(epoch);
    place("g", "t");
    assertEquals(List.of(2), times("f"));
    place("f", "t");
    assertEquals(List.of(1), times("f"), "of earlier epochs are other attempts");
    assertEquals(List.of(1), times("g"));
  }

  private List<Integer> times(String id) {
    IdSearch search = new IdSearch(id, "", Key.FIRST, 9);
    search.walk(0, tail.slabs(), System.nanoTime() + 60_000_000_000L);
    return search.found().stream().map(Found::times).toList();
  }

  /** Memory has a clock of its own, which means nothing to others. */
  @Test
  void whenARecordWasPlacedIsToldByTheClockThatAllHave() {
    Record record = new Record("e", "t", 5, "{}".getBytes(StandardCharsets.UTF_8));
    Batch placed = new Batch(0, 2, 1, List.of(record));
    long before = System.currentTimeMillis();
    Found found = new Found(new Placed(placed.position(0), record), ShardMemory.nowMs(), 1);
    JsonObject told = MemoryReport.json(List.of(found)).getJsonArray("records").getJsonObject(0);
    long off = told.getLong("notAfterMs") - before;
    assertTrue(Math.abs(off) < 3_600_000, off + " ms");
  }
}
