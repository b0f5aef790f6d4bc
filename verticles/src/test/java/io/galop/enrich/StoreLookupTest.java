package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.enrich.LookupConfig;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.galop.servers.MariaDbServer;
import io.galop.servers.MongoServer;
import io.galop.servers.PostgresServer;
import io.galop.servers.RedisServer;
import io.galop.servers.StoreProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/**
 * Look-ups in real stores: found, kept, refreshed, coalesced, and what happens without the store.
 */
@Tag("slow")
@Timeout(180)
class StoreLookupTest {
  @RegisterExtension static final RedisServer REDIS = new RedisServer();
  @RegisterExtension static final MariaDbServer MARIADB = new MariaDbServer();
  @RegisterExtension static final PostgresServer POSTGRES = new PostgresServer();
  @RegisterExtension static final MongoServer MONGO = new MongoServer();

  private static final String PATIENT = "cache: {timeoutMs: 30000, giveUpMs: 30000}";
  private static final String HASTY =
      "cache: {timeoutMs: 200, giveUpMs: 400, retryMs: 50, maxAgeMs: 1}";

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<StoreLookup> started = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (StoreLookup each : started) {
      await(on(each::close));
    }
    await(vertx.close());
    REDIS.empty();
    MARIADB.empty();
    POSTGRES.empty();
    MONGO.empty();
  }

  private <T> Future<T> on(Supplier<Future<T>> call) {
    Promise<T> done = Promise.promise();
    context.runOnContext(none -> call.get().onComplete(done));
    return done.future();
  }

  private StoreLookup started(LookupTables table, int port, String more) throws Exception {
    String yaml =
        "enrich: {chain: [{lookup: {%s field: runner, source: {%s}, %s}}]}"
            .formatted(
                more.startsWith("table:") ? "" : "table: runners,", table.source(port), more);
    LookupConfig config =
        (LookupConfig) ConfigLoader.parse(yaml, "test.yaml").enrich().chain().get(0);
    StoreLookup lookup = new StoreLookup(vertx, config, new EnrichMeters(meters));
    await(on(lookup::start));
    started.add(lookup);
    return lookup;
  }

  private StoreLookup started(LookupTables table, String more) throws Exception {
    return started(table, table.server().port(), more);
  }

  private static Record of(String key) {
    return record("id-" + key, "t", "{\"runner\":\"" + key + "\"}");
  }

  private List<String> enrich(StoreLookup lookup, String... keys) throws Exception {
    List<Record> records = Stream.of(keys).map(StoreLookupTest::of).toList();
    return await(on(() -> lookup.enrich(records, new StepTally()))).stream()
        .map(EnrichFixture::text)
        .toList();
  }

  private static String with(String key, String name, int weight) {
    return "{\"runner\":\"%s\",\"ref\":{\"name\":\"%s\",\"weight\":%d}}"
        .formatted(key, name, weight);
  }

  private static String without(String key) {
    return "{\"runner\":\"" + key + "\"}";
  }

  private double count(String name) {
    return meters.get("galop.enrich.lookup." + name).counter().count();
  }

  /** White space within JSON is the store's own affair. */
  private static List<String> compact(List<String> texts) {
    return texts.stream().map(text -> text.replace(": ", ":").replace(", ", ",")).toList();
  }

  @ParameterizedTest
  @EnumSource
  void addsRowsAndAsksForEachOnce(LookupTables table) throws Exception {
    table.prepare();
    table.put("7", "Star", 57);
    table.put("8", "Sand", 55);
    StoreLookup lookup = started(table, PATIENT);
    long before = table.selects();
    List<String> expected = List.of(with("7", "Star", 57), without("9"), with("8", "Sand", 55));
    assertEquals(expected, compact(enrich(lookup, "7", "9", "8")));
    assertEquals(expected, compact(enrich(lookup, "7", "9", "8")));
    assertEquals(2, count("misses"));
    assertEquals(3, count("cache.misses"));
    assertEquals(3, count("cache.hits"));
    assertEquals(1, meters.get("galop.enrich.lookup.selects").timer().count());
    long asked = table == LookupTables.REDIS_HASH ? 3 : 1;
    assertTrue(before < 0 || table.selects() - before == asked, "more selects than needed");
  }

  @ParameterizedTest
  @EnumSource
  void asksOnceForWhatThousandsWaitFor(LookupTables table) throws Exception {
    table.prepare();
    table.put("7", "Star", 57);
    StoreLookup lookup = started(table, PATIENT);
    long before = table.selects();
    List<Future<List<Record>>> all =
        IntStream.range(0, 5_000)
            .mapToObj(i -> on(() -> lookup.enrich(List.of(of("7")), new StepTally())))
            .toList();
    for (Future<List<Record>> one : all) {
      assertEquals(
          List.of(with("7", "Star", 57)),
          compact(await(one).stream().map(EnrichFixture::text).toList()));
    }
    assertEquals(1, meters.get("galop.enrich.lookup.selects").timer().count());
    assertTrue(before < 0 || table.selects() - before == 1, "more than one select");
    assertEquals(5_000, count("cache.hits") + count("coalesced") + 1);
  }

  @ParameterizedTest
  @EnumSource
  void aChangedRowIsReadAgainWithoutWaiting(LookupTables table) throws Exception {
    table.prepare();
    table.put("7", "Star", 57);
    StoreLookup lookup = started(table, "refreshMs: 20, " + PATIENT);
    assertEquals(List.of(with("7", "Star", 57)), compact(enrich(lookup, "7")));
    table.put("7", "Star", 58);
    String changed = with("7", "Star", 58);
    while (!compact(enrich(lookup, "7")).equals(List.of(changed))) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertEquals(1, count("cache.misses"), "a row in use was waited for");
  }

  @ParameterizedTest
  @EnumSource
  void aFrozenStoreIsWaitedForOnceAndServedFromWhatWasRead(LookupTables table) throws Exception {
    table.prepare();
    table.put("7", "Star", 57);
    table.put("8", "Sand", 55);
    StoreLookup lookup = started(table, HASTY);
    String known = with("7", "Star", 57);
    while (!compact(enrich(lookup, "7")).equals(List.of(known))) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    table.server().freeze();
    try {
      TimeUnit.MILLISECONDS.sleep(2);
      assertEquals(List.of(known, without("8")), compact(enrich(lookup, "7", "8")));
      double late = count("timeouts");
      // On a machine that stands still for long, the whole select is given up first.
      assertTrue(late + count("failures") >= 1, "nothing was too late");
      for (int i = 0; i < 100; i++) {
        assertEquals(List.of(known, without("8")), compact(enrich(lookup, "7", "8")));
      }
      assertEquals(late, count("timeouts"), "it was waited for again");
      assertTrue(count("stale") >= 100);
    } finally {
      table.server().thaw();
    }
    while (compact(enrich(lookup, "8")).equals(List.of(without("8")))) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDeadStoreIsHandledAsConfiguredAndUsedWhenItIsBack(LookupTables table) throws Exception {
    table.prepare();
    table.put("7", "Star", 57);
    StoreLookup passing = started(table, "onUnavailable: pass, " + HASTY);
    StoreLookup rejecting = started(table, "onUnavailable: reject, " + HASTY);
    table.server().kill();
    try {
      assertEquals(List.of(without("7")), enrich(passing, "7"));
      String letter = enrich(rejecting, "7").get(0);
      assertTrue(letter.contains("\"reason\":\"lookup_unavailable\""), letter);
      assertTrue(letter.contains("the table runners did not answer in time"), letter);
    } finally {
      table.server().startAgain();
    }
    table.put("7", "Star", 59);
    for (StoreLookup lookup : List.of(passing, rejecting)) {
      while (!compact(enrich(lookup, "7")).equals(List.of(with("7", "Star", 59)))) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REDIS_HASH", "REDIS_JSON"})
  void aKeyThatHoldsSomethingElseHasNoRowAndHarmsNoOther(LookupTables table) throws Exception {
    table.put("7", "Star", 57);
    try (Jedis jedis = REDIS.client()) {
      jedis.set("runners:8", "no object");
      jedis.rpush("runners:9", "a list");
    }
    StoreLookup lookup = started(table, PATIENT);
    assertEquals(
        List.of(without("8"), with("7", "Star", 57), without("9")), enrich(lookup, "8", "7", "9"));
    assertEquals(0, count("failures"));
  }

  @Test
  void aKeyThatTheColumnCannotHoldHasNoRowAndHarmsNoOther() throws Exception {
    MARIADB.execute(
        "CREATE TABLE runners (id VARCHAR(9) CHARACTER SET latin1 PRIMARY KEY, name VARCHAR(9),"
            + " weight INT)");
    LookupTables.MYSQL.put("7", "Star", 57);
    StoreLookup lookup = started(LookupTables.MYSQL, PATIENT);
    assertEquals(
        List.of(without("🐎"), with("7", "Star", 57), without("7 ")),
        enrich(lookup, "🐎", "7", "7 "));
    assertEquals(0, count("failures"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "BIGINT", "NUMERIC", "CHAR(9)", "VARCHAR(9)", "TEXT"})
  void aKeyIsComparedAsTheColumnsTypeDoesAndFoundByItsExactText(String type) throws Exception {
    POSTGRES.execute(
        "CREATE TABLE runners (id " + type + " PRIMARY KEY, name VARCHAR(9), weight INT)",
        "INSERT INTO runners VALUES ('7', 'Star', 57)");
    StoreLookup lookup = started(LookupTables.POSTGRES, PATIENT);
    assertEquals(
        List.of(
            without("🐎"), with("7", "Star", 57), without("7 "), without("99999999999999999999")),
        enrich(lookup, "🐎", "7", "7 ", "99999999999999999999"));
    assertEquals(0, count("failures"));
  }

  @Test
  void aRowOfPostgresBecomesJsonByTheTypesOfItsColumns() throws Exception {
    POSTGRES.execute(
        "CREATE SCHEMA stable",
        "CREATE TABLE stable.\"Runners\" (\"Id\" uuid PRIMARY KEY, a numeric, b jsonb, c text[],"
            + " d timestamptz, e timestamp, f boolean, g int[], h bytea, i float8, j int, k jsonb)",
        "INSERT INTO stable.\"Runners\" VALUES ('3f333df6-90a4-4fda-8dd3-9485d27cee36', 57.50,"
            + " '{\"x\":[1]}', ARRAY['p\"q', NULL], '2014-03-16 20:00:00+00',"
            + " '2014-03-16 20:00:00', true, ARRAY[1,2], '\\x01ff', 'NaN', NULL, 'null')");
    StoreLookup lookup =
        started(LookupTables.POSTGRES, "table: stable.Runners, keyColumn: Id, " + PATIENT);
    String key = "3f333df6-90a4-4fda-8dd3-9485d27cee36";
    String row =
        "{\"a\":57.50,\"b\":{\"x\":[1]},\"c\":[\"p\\\"q\",null],\"d\":\"2014-03-16T20:00Z\","
            + "\"e\":\"2014-03-16T20:00:00Z\",\"f\":true,\"g\":[1,2],\"h\":\"Af8=\"}";
    assertEquals(List.of("{\"runner\":\"" + key + "\",\"ref\":" + row + "}"), enrich(lookup, key));
  }

  @Test
  void aStoreThatIsAwayAtTheStartIsUsedWhenItComes() throws Exception {
    LookupTables table = LookupTables.REDIS_JSON;
    try (StoreProxy proxy = new StoreProxy(REDIS.port())) {
      proxy.cut(true);
      StoreLookup lookup = started(table, proxy.port(), HASTY);
      assertEquals(List.of(without("7")), enrich(lookup, "7"));
      table.put("7", "Star", 57);
      proxy.pass();
      while (!enrich(lookup, "7").equals(List.of(with("7", "Star", 57)))) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
  }

  @Test
  void whatWaitsForAStoreKeepsItsOrder() throws Exception {
    LookupTables table = LookupTables.REDIS_JSON;
    for (int i = 0; i < 40; i += 2) {
      table.put(Integer.toString(i), "n" + i, i);
    }
    try (StoreProxy proxy = new StoreProxy(REDIS.port());
        EnrichFixture node =
            new EnrichFixture(
                "enrich: {chain: [{lookup: {table: runners, field: runner, source: {%s}, %s}}]}"
                    .formatted(table.source(proxy.port()), PATIENT))) {
      proxy.delayAnswersMs(50);
      List<Future<Void>> sent = new ArrayList<>();
      List<String> order = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        sent.add(node.send(of(Integer.toString(i))));
        order.add(i % 2 == 0 ? with("" + i, "n" + i, i) : without("" + i));
      }
      await(Future.all(sent));
      assertEquals(order, node.stored.stream().map(EnrichFixture::text).toList());
      double selects = node.meters.get("galop.enrich.lookup.selects").timer().count();
      assertTrue(selects <= 10, selects + " selects: what follows is not asked for ahead");
    }
  }

  @Test
  void mysqlsRowsAreWholeWhateverTheServerSetsForItsSessions() throws Exception {
    LookupTables.MYSQL.prepare();
    LookupTables.MYSQL.put("Zürich 🐎", "Grüße 🐎", 1);
    MARIADB.administer("SET GLOBAL init_connect = 'SET NAMES latin1'");
    try {
      StoreLookup lookup = started(LookupTables.MYSQL, PATIENT);
      assertEquals(List.of(with("Zürich 🐎", "Grüße 🐎", 1)), enrich(lookup, "Zürich 🐎"));
    } finally {
      MARIADB.administer("SET GLOBAL init_connect = ''");
    }
  }
}
