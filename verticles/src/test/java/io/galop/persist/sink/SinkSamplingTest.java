package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SamplingRule;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the rules of a store leave out, and when the rest is stored. */
@Tag("slow")
@Timeout(180)
class SinkSamplingTest {
  @TempDir Path directory;

  @Test
  void keepsOneInSoManyByTopicAndAllOfGalopsOwn() throws Exception {
    SamplingConfig sampling =
        ConfigLoader.load(
                Optional.empty(),
                Map.of(),
                List.of(
                    "persist.cold.stores=[{mysql: {sampling: {every: 10, rules: ["
                        + "{topics: [all/#], every: 1}, {topics: [last/+], latestMs: 3000}]}}}]"),
                Map.of())
            .persist()
            .cold()
            .stores()
            .get(0)
            .sampling();
    MemoryStore store = new MemoryStore();
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("some", store, SinkFixture.config(Driver.SYNC), sampling)) {
      fixture.append("t", 1, 1_000);
      fixture.append("all/t", 1, 100);
      fixture.append("$dead/t", 1, 20);
      fixture.append("last/t", 1, 18);
      fixture.append("last/t", 1_000, 1);
      until(() -> store.records.containsKey("last/t-17"));
      assertFalse(store.hasAllOf(fixture.log));
      assertEquals(100, ids(store, "all/t").count());
      assertEquals(20, ids(store, "$dead/t").count());
      long kept = ids(store, "t").count();
      assertTrue(kept > 50 && kept < 150, "kept " + kept);
      assertTrue(sink.lagBytes() > 0, "what waits for the end of its interval is not stored");
      until(() -> store.records.containsKey("last/t-1000"));
      List<Integer> last = IntStream.of(2, 5, 8, 11, 14, 17, 18, 1_000).boxed().toList();
      assertEquals(
          last,
          ids(store, "last/t")
              .map(id -> Integer.parseInt(id.substring(id.indexOf('-') + 1)))
              .sorted(Comparator.naturalOrder())
              .toList());
      until(() -> sink.lagBytes() == 0);
    }
  }

  /** Sensors that number their records alike must not be kept or left out together. */
  @Test
  void oneIdOnManyTopicsIsChosenOnSome() throws Exception {
    Set<String> topics = ConcurrentHashMap.newKeySet();
    MemoryStore store =
        new MemoryStore() {
          @Override
          public Future<Integer> write(StoreBatch parcel) {
            parcel.records().forEach(one -> topics.add(one.record().topic()));
            return super.write(parcel);
          }
        };
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink =
            fixture.start(
                "some", store, SinkFixture.config(Driver.SYNC), SamplingConfig.every(10))) {
      List<Record> records =
          IntStream.range(0, 1_000)
              .mapToObj(i -> new Record("1", "sensor/" + i, i, "{}".getBytes()))
              .toList();
      fixture.log.append(new Batch(0, 7, 1, records)).await(60, TimeUnit.SECONDS);
      until(() -> sink.lagBytes() == 0);
      int kept = topics.size();
      assertTrue(kept > 50 && kept < 150, "kept " + kept + " of 1,000");
    }
  }

  /** What waited by the rules of before is stored, whatever the next ones say of it. */
  @Test
  void otherRulesHoldForWhatIsReadFromThenOn() throws Exception {
    AtomicReference<SamplingConfig> rules =
        new AtomicReference<>(
            new SamplingConfig(
                0, List.of(new SamplingRule(List.of("last/#"), 0, 3_600_000)), 1_000));
    MemoryStore store = new MemoryStore();
    try (SinkFixture fixture = new SinkFixture(directory);
        Sink sink = fixture.start("some", store, SinkFixture.config(Driver.SYNC), rules::get)) {
      fixture.append("last/t", 1, 3);
      fixture.append("t", 1, 10);
      until(() -> fixture.count("passed") == 10);
      rules.set(SamplingConfig.only(List.of("t"), 1));
      until(() -> store.records.containsKey("last/t-3"));
      fixture.append("t", 11, 10);
      fixture.append("last/t", 4, 3);
      until(() -> sink.lagBytes() == 0);
      assertEquals(List.of("last/t-3"), ids(store, "last/t").toList());
      assertEquals(10, ids(store, "t").count());
    }
  }

  private static Stream<String> ids(MemoryStore store, String topic) {
    return store.records.values().stream()
        .map(Placed::record)
        .filter(record -> record.topic().equals(topic))
        .map(Record::id);
  }
}
