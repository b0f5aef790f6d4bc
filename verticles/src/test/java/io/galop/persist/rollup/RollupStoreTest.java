package io.galop.persist.rollup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.RollupConfig;
import io.galop.config.persist.RollupRule;
import io.galop.persist.fold.Aggregate;
import io.galop.persist.fold.Cell;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.ReopenException;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the file of roll-ups has after crashes, changes of rules, and the loss of the file. */
@Timeout(120)
class RollupStoreTest {
  private static final long LOG = 77;
  private static final long MINUTE_US = BlockKey.MINUTE_US;
  private static final long NOW_MS = TimeUnit.HOURS.toMillis(500_000);
  private static final TopicFilter ALL = TopicFilter.parse("s/#", 100);

  @TempDir Path directory;
  private final List<RollupStore> opened = new ArrayList<>();
  private Optional<LogPosition> freed = Optional.empty();
  private long nowMs = NOW_MS;

  @AfterEach
  void close() {
    opened.forEach(RollupStore::close);
  }

  private Path file() {
    return directory.resolve("rollups.sqlite");
  }

  private RollupStore store(int flushMs, RollupRule... rules) {
    RollupConfig config = new RollupConfig(List.of(rules), 24, 0, flushMs, 1 << 20);
    RollupStore store = new RollupStore(file(), config, () -> freed, () -> nowMs);
    opened.add(store);
    return store;
  }

  private static RollupRule rule(String topics, String... fields) {
    return new RollupRule(topics, List.of(fields));
  }

  private static <T> T await(Future<T> future) throws Exception {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static Placed placed(String topic, long offset, long timeUs, String data) {
    Record record = new Record("i" + offset, topic, timeUs, data.getBytes(UTF_8));
    return new Placed(new Position(3, 7, offset), record);
  }

  private static StoreBatch batch(Placed... records) {
    return new StoreBatch(LOG, List.of(records), 100L * records.length, Optional.empty());
  }

  /** {@code topic@minute=min..max/count} of each row. */
  private static List<String> rows(RollupStore store, String field, boolean newestFirst)
      throws Exception {
    await(store.settled());
    List<String> rows = new ArrayList<>();
    ColdQuery query =
        new ColdQuery(
            ALL, Long.MIN_VALUE, Long.MAX_VALUE, 1, 1 << 20, newestFirst, Optional.empty());
    ColdPage page;
    do {
      page = await(store.reader().rows(query, MINUTE_US, List.of(field)));
      for (Placed placed : page.records()) {
        Cell cell = RolledRow.cells(placed.record().data())[0];
        rows.add(
            "%s@%d=%.0f..%.0f/%.0f"
                .formatted(
                    placed.record().topic(),
                    placed.record().timeUs() / MINUTE_US,
                    cell.get(Aggregate.MIN),
                    cell.get(Aggregate.MAX),
                    cell.get(Aggregate.COUNT)));
      }
      query =
          new ColdQuery(ALL, Long.MIN_VALUE, Long.MAX_VALUE, 1, 1 << 20, newestFirst, page.next());
    } while (page.next().isPresent());
    return rows;
  }

  @Test
  void aBatchIsSeenAtOnceAndAnsweredWhenTheFileHasIt() throws Exception {
    RollupStore store = store(400, rule("s/#", "n"));
    assertEquals(Optional.empty(), await(store.open(LOG)));
    Future<Integer> answer =
        store.write(
            batch(
                placed("s/a", 1, 0, "{\"n\":1}"),
                placed("s/a", 2, 30_000_000, "{\"n\":5}"),
                placed("s/b", 3, 90 * MINUTE_US, "{\"n\":3,\"m\":1}"),
                placed("t/a", 4, 0, "{\"n\":1}"),
                placed("s/a", 5, 0, "{\"n\":\"text\"}")));
    assertEquals(List.of("s/a@0=1..5/2", "s/b@90=3..3/1"), rows(store, "n", false));
    assertFalse(answer.isComplete(), "the file does not have it yet");
    assertEquals(5, await(answer));
    assertEquals(List.of("s/b@90=3..3/1", "s/a@0=1..5/2"), rows(store, "n", true));
    assertEquals(List.of(), rows(store, "m", false), "no rule has this field");
  }

  @Test
  void whatACrashTookAwayComesAgainAndCountsOnce() throws Exception {
    RollupStore first = store(60_000, rule("s/#", "n"));
    await(first.open(LOG));
    first.write(batch(placed("s/a", 1, 0, "{\"n\":1}"), placed("s/a", 2, 1, "{\"n\":2}")));
    await(first.saveCursor(LOG, new LogPosition(1, 100)));
    Future<Integer> lost = first.write(batch(placed("s/a", 3, 2, "{\"n\":3}")));
    assertEquals(List.of("s/a@0=1..3/3"), rows(first, "n", false));
    first.close();
    assertThrows(IllegalStateException.class, () -> await(lost));
    RollupStore second = store(10, rule("s/#", "n"));
    assertEquals(Optional.of(new LogPosition(1, 100)), await(second.open(LOG)));
    assertEquals(List.of("s/a@0=1..2/2"), rows(second, "n", false));
    await(second.write(batch(placed("s/a", 2, 1, "{\"n\":2}"), placed("s/a", 3, 2, "{\"n\":3}"))));
    assertEquals(List.of("s/a@0=1..3/3"), rows(second, "n", false));
  }

  @Test
  void whatIsAddedToAWrittenBlockIsWrittenToo() throws Exception {
    RollupStore store = store(10, rule("s/#", "n"));
    await(store.open(LOG));
    for (int i = 1; i <= 3; i++) {
      await(store.write(batch(placed("s/a", i, i, "{\"n\":" + i + "}"))));
    }
    store.close();
    RollupStore next = store(10, rule("s/#", "n"));
    await(next.open(LOG));
    assertEquals(List.of("s/a@0=1..3/3"), rows(next, "n", false));
  }

  @Test
  void aFailureTakesMemoryBackToTheFile() throws Exception {
    RollupStore store = store(60_000, rule("s/#", "n"));
    await(store.open(LOG));
    Future<Integer> first = store.write(batch(placed("s/a", 1, 0, "{\"n\":1}")));
    await(store.saveCursor(LOG, new LogPosition(1, 100)));
    assertEquals(1, await(first));
    Future<Integer> second = store.write(batch(placed("s/a", 2, 1, "{\"n\":2}")));
    await(store.settled());
    Files.delete(file());
    store.stopping(); // writes at once
    Exception told = assertThrows(Exception.class, () -> await(second));
    assertTrue(told.getMessage().contains("was deleted or replaced"), told.getMessage());
    assertEquals(OptionalLong.empty(), store.since(ALL, List.of("n")), "until it is opened again");
    freed = Optional.of(new LogPosition(2, 0));
    assertEquals(Optional.empty(), await(store.open(LOG)), "the new file has nothing");
    assertEquals(List.of(), rows(store, "n", false));
    assertEquals(OptionalLong.of(NOW_MS * 1_000 + 2 * MINUTE_US), store.since(ALL, List.of("n")));
  }

  @Test
  void aRuleCountsFromItsBeginUnlessTheLogIsWhole() throws Exception {
    RollupStore whole = store(10, rule("s/#", "n"));
    await(whole.open(LOG));
    await(whole.write(batch(placed("s/a", 1, 0, "{\"n\":1}"))));
    assertEquals(OptionalLong.of(Long.MIN_VALUE), whole.since(ALL, List.of("n")));
    whole.close();
    RollupStore more = store(10, rule("s/#", "n"), rule("s/b", "m"));
    await(more.open(LOG));
    TopicFilter exact = TopicFilter.parse("s/b", 100);
    long begin = NOW_MS * 1_000 + 2 * MINUTE_US;
    assertEquals(OptionalLong.of(Long.MIN_VALUE), more.since(ALL, List.of("n")));
    assertEquals(OptionalLong.of(begin), more.since(exact, List.of("n", "m")));
    assertEquals(OptionalLong.empty(), more.since(ALL, List.of("m")), "of s/b only");
    assertEquals(OptionalLong.empty(), more.since(TopicFilter.parse("#", 100), List.of("n")));
    more.close();
    RollupStore less = store(10, rule("s/b", "m"));
    await(less.open(LOG));
    less.close();
    nowMs += 600_000;
    RollupStore again = store(10, rule("s/#", "n"), rule("s/b", "m"));
    await(again.open(LOG));
    assertEquals(
        OptionalLong.of(begin + 600_000_000), again.since(ALL, List.of("n")), "not meanwhile");
    assertEquals(OptionalLong.of(begin), again.since(exact, List.of("m")));
  }

  @Test
  void anOlderCopyOfTheLogBeginsAnew() throws Exception {
    RollupStore store = store(10, rule("s/#", "n"));
    await(store.open(LOG));
    await(store.write(batch(placed("s/a", 1, 0, "{\"n\":1}"))));
    await(store.saveCursor(LOG, new LogPosition(2, 100)));
    store.close();
    RollupStore restored = store(10, rule("s/#", "n"));
    assertEquals(Optional.of(new LogPosition(2, 100)), await(restored.open(LOG)));
    await(restored.saveCursor(LOG, new LogPosition(1, 0)));
    assertEquals(List.of(), rows(restored, "n", false));
    await(restored.write(batch(placed("s/a", 1, 0, "{\"n\":9}"))));
    assertEquals(List.of("s/a@0=9..9/1"), rows(restored, "n", false));
    assertEquals(
        OptionalLong.of(NOW_MS * 1_000 + 2 * MINUTE_US), restored.since(ALL, List.of("n")));
  }

  @Test
  void whatIsOlderThanTheRetentionIsLeftToTheRecords() throws Exception {
    RollupStore store = store(10, rule("s/#", "n"));
    await(store.open(LOG));
    long oldUs = (NOW_MS - TimeUnit.HOURS.toMillis(30)) * 1_000;
    long youngUs = NOW_MS * 1_000;
    await(store.write(batch(placed("s/a", 1, oldUs, "{\"n\":1}"))));
    await(store.write(batch(placed("s/a", 2, youngUs, "{\"n\":2}"))));
    await(store.trim(keptMs -> NOW_MS));
    long floorUs = (NOW_MS - TimeUnit.HOURS.toMillis(24)) * 1_000;
    assertEquals(OptionalLong.of(floorUs), store.since(ALL, List.of("n")));
    store.close();
    RollupStore later = store(10, rule("s/#", "n"));
    await(later.open(LOG));
    assertEquals(List.of("s/a@" + youngUs / MINUTE_US + "=2..2/1"), rows(later, "n", false));
    assertEquals(OptionalLong.of(floorUs), later.since(ALL, List.of("n")), "also after a restart");
    assertEquals(Long.MIN_VALUE, later.lostUs());
  }

  @Test
  void recordsThatTheLogFreedMeanwhileAreNotClaimed() throws Exception {
    RollupStore store = store(10, rule("s/#", "n"));
    await(store.open(LOG));
    await(store.write(batch(placed("s/a", 1, 0, "{\"n\":1}"))));
    await(store.saveCursor(LOG, new LogPosition(3, 100)));
    store.close();
    freed = Optional.of(new LogPosition(3, 0));
    RollupStore same = store(10, rule("s/#", "n"));
    await(same.open(LOG));
    assertEquals(OptionalLong.of(Long.MIN_VALUE), same.since(ALL, List.of("n")));
    assertEquals(Long.MIN_VALUE, same.lostUs());
    same.close();
    freed = Optional.of(new LogPosition(4, 0));
    RollupStore behind = store(10, rule("s/#", "n"));
    await(behind.open(LOG));
    long begin = NOW_MS * 1_000 + 2 * MINUTE_US;
    assertEquals(OptionalLong.of(begin), behind.since(ALL, List.of("n")));
    assertEquals(begin, behind.lostUs(), "and answers say that they lack some");
  }

  @Test
  void aStoreThatAFailureHasClosedIsOpenedAgainWhateverComes() throws Exception {
    RollupStore store = store(10, rule("s/#", "n"));
    await(store.open(LOG));
    Files.delete(file());
    assertThrows(SQLException.class, () -> await(store.saveCursor(LOG, new LogPosition(1, 1))));
    assertThrows(ReopenException.class, () -> await(store.trim(keptMs -> NOW_MS)));
    await(store.open(LOG));
    await(store.write(batch(placed("s/a", 1, 0, "{\"n\":1}"))));
    assertEquals(List.of("s/a@0=1..1/1"), rows(store, "n", false));
  }
}
