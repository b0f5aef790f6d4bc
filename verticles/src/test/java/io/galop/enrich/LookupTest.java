package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.enrich.LookupCacheConfig;
import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.LookupConfig.OnMiss;
import io.galop.config.enrich.LookupFileConfig;
import io.galop.e2e.Await;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class LookupTest {
  private static final String TABLE =
      "id,name,weight,active,code,note\n"
          + "7,\"Star, \"\"S\"\"\",11.56,true,007,\n"
          + "8,Sand,-3,false,1e5,x\n";

  private static final LookupCacheConfig NO_CACHE =
      new LookupCacheConfig(65_536, 1, 0, 1, 10, 1, 1, 1, 1);

  @TempDir Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Path table;

  @BeforeEach
  void writeTable() throws Exception {
    table = directory.resolve("runners.csv");
    Files.writeString(table, TABLE);
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static LookupConfig config(String field, int level, OnMiss onMiss, long refreshMs) {
    return new LookupConfig(
        List.of("#"),
        "runners.csv",
        "",
        field,
        level,
        "ref",
        onMiss,
        refreshMs,
        100,
        new LookupFileConfig(),
        LookupConfig.OnUnavailable.STALE,
        NO_CACHE);
  }

  private Lookup started(LookupConfig config) throws Exception {
    Lookup lookup = new Lookup(vertx, config, directory.toString(), new EnrichMeters(meters));
    await(lookup.start());
    return lookup;
  }

  private static List<String> enrich(Lookup lookup, Record... records) throws Exception {
    return await(lookup.enrich(List.of(records), new StepTally())).stream()
        .map(EnrichFixture::show)
        .toList();
  }

  private double count(String name) {
    return meters.get(name).counter().count();
  }

  @Test
  void addsTheRowOfAField() throws Exception {
    Lookup lookup = started(config("runner", 0, OnMiss.PASS, 0));
    assertEquals(
        List.of(
            "a t {\"runner\":7,\"ref\":{\"name\":\"Star, \\\"S\\\"\",\"weight\":11.56,"
                + "\"active\":true,\"code\":\"007\"}}",
            "b t {\"runner\":\"8\",\"ref\":{\"name\":\"Sand\",\"weight\":-3,\"active\":false,"
                + "\"code\":\"1e5\",\"note\":\"x\"}}",
            "c t {\"runner\":9}",
            "d t {}"),
        enrich(
            lookup,
            record("a", "t", "{\"runner\":7}"),
            record("b", "t", "{\"runner\":\"8\"}"),
            record("c", "t", "{\"runner\":9}"),
            record("d", "t", "{}")));
    assertEquals(2, count("galop.enrich.lookup.misses"));
  }

  @ParameterizedTest
  @CsvSource({"7, 1", "race/7, 2", "race/7/odds, 2", "race/1/7, 3"})
  void addsTheRowOfALevelOfTheTopic(String topic, int level) throws Exception {
    Lookup lookup = started(config("", level, OnMiss.DROP, 0));
    assertEquals(1, enrich(lookup, record("a", topic, "{}"), record("b", "x", "{}")).size());
    assertEquals(1, count("galop.enrich.dropped"));
  }

  @Test
  void aMissBecomesADeadLetterWhereItIsToBeRejected() throws Exception {
    Lookup lookup = started(config("runner", 0, OnMiss.REJECT, 0));
    assertEquals(
        List.of(
            "a#0@47mKTaMaEn $dead-letter/lookup/runners"
                + " {\"id\":\"a\",\"topic\":\"t\",\"timeUs\":1000000,\"reason\":\"lookup_miss\",\"detail\":\"the"
                + " table runners.csv has no row '9', the key in the field"
                + " 'runner'\",\"data\":{\"runner\":9}}",
            "b#0@47mKTaMaEn $dead-letter/lookup/runners"
                + " {\"id\":\"b\",\"topic\":\"t\",\"timeUs\":1000000,\"reason\":\"lookup_miss\",\"detail\":\"the"
                + " field 'runner' holds no key\",\"data\":{}}"),
        enrich(lookup, record("a", "t", "{\"runner\":9}"), record("b", "t", "{}")));
    assertEquals(2, count("galop.enrich.dead.letters"));
  }

  @Test
  void aChangedFileIsReadAgainAndABrokenOneLeavesTheOldRows() throws Exception {
    Lookup lookup = started(config("runner", 0, OnMiss.PASS, 10));
    Record nine = record("a", "t", "{\"runner\":9}");
    Files.writeString(table, "id,name\n9,New\n");
    Await.until("the new row is read", 120, () -> enrich(lookup, nine).get(0).contains("New"));
    Files.writeString(table, "id,name\n9\n");
    Await.until(
        "the broken file is told", 120, () -> count("galop.enrich.lookup.refresh.failures") > 0);
    assertEquals(List.of("a t {\"runner\":9,\"ref\":{\"name\":\"New\"}}"), enrich(lookup, nine));
    Files.writeString(table, "id,name\n9,Mended\n");
    Await.until(
        "the mended row is read", 120, () -> enrich(lookup, nine).get(0).contains("Mended"));
    await(lookup.close());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`id,n\n1,a\n1,b`   | table runners.csv: line 3: the key '1' stands there a second time",
        "`id,n,,n,\n1,a,,b,` | table runners.csv: line 1: has the column 'n' a second time",
        "``                 | table runners.csv: line 1: must name the columns, the file is empty",
        "`id,n\n1`          | table runners.csv: line 2: has 1 cells, the first line has 2"
      })
  void aBrokenTableStopsTheStart(String csv, String expected) throws Exception {
    Files.writeString(table, csv);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> started(config("runner", 0, OnMiss.PASS, 0)));
    assertEquals(expected, failure.getCause().getMessage());
  }

  @Test
  void aTableThatIsNowhereOrTooLargeOrWithoutTheColumnStopsTheStart() throws Exception {
    Files.writeString(table, "id\n" + "x\n".repeat(101));
    assertTrue(problem("runners.csv", "").contains("line 102: is beyond maxRows, 100"));
    assertTrue(problem("none.csv", "").contains("table none.csv: is not in " + directory));
    Files.writeString(table, TABLE);
    assertTrue(problem("runners.csv", "nam").contains("line 1: has no column 'nam'"));
    Files.write(table, new byte[] {'i', 'd', '\n', (byte) 0xff});
    assertTrue(problem("runners.csv", "").contains("is not UTF-8"));
  }

  private String problem(String file, String column) {
    LookupConfig config =
        new LookupConfig(
            List.of("#"),
            file,
            column,
            "r",
            0,
            "ref",
            OnMiss.PASS,
            0,
            100,
            new LookupFileConfig(),
            LookupConfig.OnUnavailable.STALE,
            NO_CACHE);
    StepFile<ReferenceTable> table = Lookup.file(config, directory.toString());
    return assertThrows(IllegalArgumentException.class, table::load).getMessage();
  }
}
