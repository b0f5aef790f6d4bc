package io.galop.persist.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.galop.servers.StoreServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every store has to do, with every driver, while its real server is treated badly. */
@Timeout(300)
public abstract class ServerSinkTest {
  protected static final int RECORDS = Boolean.getBoolean("galop.long") ? 200_000 : 3_000;
  private static final int STEP = 100;
  private static final int TOPICS = 40;
  protected static final int OLD = 700;
  protected Vertx vertx;
  @TempDir protected Path directory;

  protected abstract StoreServer server();

  /** A store that is not connected yet. */
  protected abstract Store store(SinkConfig config);

  /** What the store's own client finds: id → data. */
  protected abstract Map<String, String> stored() throws Exception;

  /** The drivers that this Java has. */
  protected static Stream<Driver> drivers() {
    boolean virtual = Runtime.version().feature() >= 21;
    return Stream.of(Driver.values()).filter(d -> virtual || d != Driver.SYNC_VIRTUAL);
  }

  protected final SinkConfig config(Driver driver) {
    return new SinkConfig(driver, 300, 65_536, 5, 4, 1 << 20, timeoutMs(), 500, 3, 1 << 20, 0);
  }

  /** How long the sink waits for an answer. */
  protected long timeoutMs() {
    return 1_000;
  }

  /** Whether the store says of a record that it was there before. */
  protected boolean knowsRepeats() {
    return true;
  }

  /** A sink that fills the server from a Log of its own. */
  protected final RunningSink start(Driver driver) {
    return start(driver, store(config(driver)));
  }

  /** The same with a store as the test wants it. */
  protected final RunningSink start(Driver driver, Store store) {
    return new RunningSink(directory, store, config(driver));
  }

  /** The same with other settings. */
  protected final RunningSink start(SinkConfig config) {
    return new RunningSink(directory, store(config), config);
  }

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    server().empty();
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** Things done to the server. */
  private interface Treatment {
    void at(int step) throws Exception;
  }

  private void feed(SinkFixture fixture, Treatment treatment) throws Exception {
    for (int at = 0; at < RECORDS; at += STEP) {
      treatment.at(at / STEP);
      fixture.append("race/" + at / STEP % 5, at + 1L, STEP);
    }
  }

  protected static Map<String, String> expected() {
    Map<String, String> expected = new TreeMap<>();
    for (int at = 0; at < RECORDS; at++) {
      Record record = SinkFixture.record("race/" + at / STEP % 5, at + 1L);
      expected.put(record.id(), new String(record.data(), StandardCharsets.UTF_8));
    }
    return expected;
  }

  private void run(Driver driver, Treatment treatment) throws Exception {
    try (RunningSink running = start(driver)) {
      feed(running.fixture(), treatment);
      running.awaitStored();
      assertEquals(expected(), stored());
      assertTrue(running.fixture().dead.isEmpty(), "nothing was called bad");
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aKilledAndARestartedServerMissNothing(Driver driver) throws Exception {
    run(
        driver,
        step -> {
          if (step == 5) {
            server().kill();
          } else if (step == 12) {
            server().startAgain();
          } else if (step == 20) {
            server().restart();
          }
        });
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aFrozenServerMissesNothingAndTheLogTakesRecordsMeanwhile(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      feed(
          running.fixture(),
          step -> {
            if (step == 5) {
              server().freeze();
            }
          });
      SinkFixture.until(() -> running.count("retries") >= 1);
      assertTrue(running.sink().state().inFlightBytes() <= 1 << 20);
      server().thaw();
      running.awaitStored();
      assertEquals(expected(), stored());
    } finally {
      server().thaw();
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void anEmptiedServerIsFilledAgain(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      feed(running.fixture(), step -> {});
      running.awaitStored();
      server().empty();
      running.append("race/0", RECORDS + 1L, 1);
      Map<String, String> expected = expected();
      Record last = SinkFixture.record("race/0", RECORDS + 1L);
      expected.put(last.id(), new String(last.data(), StandardCharsets.UTF_8));
      SinkFixture.until(() -> running.count("rewinds") > 0);
      for (int i = 0; i < 6_000 && !expected.equals(stored()); i++) {
        Thread.sleep(20);
      }
      running.awaitStored();
      assertEquals(expected, stored());
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void goesOnWhereItWasAfterAStart(Driver driver) throws Exception {
    try (SinkFixture fixture = new SinkFixture(directory)) {
      feed(fixture, step -> {});
      catchUp(fixture, driver);
      fixture.append("race/0", RECORDS + 1L, 5);
    }
    try (SinkFixture fixture = new SinkFixture(directory)) {
      catchUp(fixture, driver);
      assertEquals(5, fixture.count("stored") + fixture.count("known"));
      assertEquals(RECORDS + 5, stored().size());
    }
  }

  private void catchUp(SinkFixture fixture, Driver driver) throws Exception {
    try (Store store = store(config(driver));
        Sink sink = fixture.start("test", store, config(driver), SamplingConfig.every(1))) {
      SinkFixture.until(() -> sink.lagBytes() == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void answersQuestionsPageByPage(Driver driver) throws Exception {
    Store store = store(config(driver));
    try (RunningSink running = start(driver, store)) {
      feed(running.fixture(), step -> {});
      running.awaitStored();
      List<String> all = ids(store, "race/+", 0, Long.MAX_VALUE, 700, false);
      assertEquals(RECORDS, all.size());
      List<String> one = ids(store, "race/3", 0, Long.MAX_VALUE, 150, true);
      assertEquals(
          expected().keySet().stream()
              .filter(id -> id.startsWith("race/3-"))
              .sorted(Comparator.comparing(ServerSinkTest::number).reversed())
              .toList(),
          one);
      List<String> some = ids(store, "#", 500_000_000L, 600_000_000L, 1_000, false);
      assertEquals(101, some.size());
      assertEquals("race/4-500", some.get(0));
      assertEquals(List.of(), ids(store, "nobody/#", 0, Long.MAX_VALUE, 10, false));
    }
  }

  /** Sensors number their own messages, and may have the same clock. */
  @ParameterizedTest
  @MethodSource("drivers")
  void anIdBelongsToItsTopic(Driver driver) throws Exception {
    List<Placed> records = new ArrayList<>();
    for (int n = 0; n < TOPICS; n++) {
      Record record = new Record("7", "s/" + n, 5, new byte[] {'{', '}'});
      records.add(new Placed(new Position(0, 7, n + 1), record));
    }
    try (Store store = store(config(driver))) {
      await(store.open(1));
      StoreBatch parcel = new StoreBatch(1, records, 4_000, Optional.empty());
      assertEquals(TOPICS, await(store.write(parcel)));
      assertEquals(knowsRepeats() ? 0 : TOPICS, await(store.write(parcel)));
      List<String> topics = topics(store, false);
      assertEquals(TOPICS, Set.copyOf(topics).size());
      List<String> inOrder = topics.stream().sorted().toList();
      assertEquals(inOrder, topics);
      Collections.reverse(topics);
      assertEquals(topics, topics(store, true));
    }
  }

  private static List<String> topics(Store store, boolean newestFirst) throws Exception {
    return pages(store, "#", 0, Long.MAX_VALUE, 7, newestFirst).stream()
        .map(Record::topic)
        .collect(Collectors.toList());
  }

  /** Has the store written by a Galop of schema version 1, which knew an id on one topic only. */
  protected abstract void beVersion1(int records) throws Exception;

  @ParameterizedTest
  @MethodSource("drivers")
  void whatAnOlderGalopStoredIsKeptAndFoundAndKnown(Driver driver) throws Exception {
    try (Store store = store(config(driver))) {
      await(store.open(1));
    }
    beVersion1(OLD);
    List<Placed> same = new ArrayList<>();
    for (int n = 0; n < OLD; n++) {
      Record record = new Record("id" + n, "t", n, new byte[] {'{', '}'});
      same.add(new Placed(new Position(Topic.shard("t", 4), 7, n + 1), record));
    }
    try (Store store = store(config(driver))) {
      SinkFixture.until(() -> isOpen(store));
      for (int at = 0; at < OLD; at += 100) {
        StoreBatch some = new StoreBatch(1, same.subList(at, at + 100), 4_000, Optional.empty());
        assertEquals(knowsRepeats() ? 0 : 100, await(store.write(some)));
      }
      List<Record> found = pages(store, "#", 0, Long.MAX_VALUE, 100, false);
      assertEquals(
          same.stream().map(placed -> placed.record().id()).toList(),
          found.stream().map(Record::id).toList());
      Record other = new Record("id0", "u", 0, new byte[] {'{', '}'});
      List<Placed> one = List.of(new Placed(new Position(0, 7, OLD + 1), other));
      assertEquals(1, await(store.write(new StoreBatch(1, one, 100, Optional.empty()))));
    }
  }

  private static boolean isOpen(Store store) {
    try {
      await(store.open(1));
      return true;
    } catch (Exception e) {
      return false;
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static long number(String id) {
    return Long.parseLong(id.substring(id.indexOf('-') + 1));
  }

  private static List<String> ids(
      Store store, String filter, long fromUs, long toUs, int limit, boolean newestFirst)
      throws Exception {
    return pages(store, filter, fromUs, toUs, limit, newestFirst).stream().map(Record::id).toList();
  }

  private static List<Record> pages(
      Store store, String filter, long fromUs, long toUs, int limit, boolean newestFirst)
      throws Exception {
    List<Record> records = new ArrayList<>();
    Optional<ColdKey> next = Optional.empty();
    do {
      ColdQuery query =
          new ColdQuery(
              TopicFilter.parse(filter, 100), fromUs, toUs, limit, 30_000, newestFirst, next);
      ColdPage page =
          store.query(query).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
      page.records().stream().map(Placed::record).forEach(records::add);
      assertTrue(page.records().size() <= limit);
      next = page.next();
    } while (next.isPresent());
    return records;
  }
}
