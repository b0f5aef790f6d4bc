package io.galop.persist.mongo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import io.galop.config.persist.MongoConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import io.galop.persist.sink.RunningSink;
import io.galop.persist.sink.ServerSinkTest;
import io.galop.persist.sink.SinkFixture;
import io.galop.persist.sink.StoresDocument;
import io.galop.persist.store.Store;
import io.galop.servers.MongoServer;
import io.galop.servers.StoreServer;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class MongoSinkTest extends ServerSinkTest {
  /** The filters of queries in the shell's words, which are also those of the driver's reader. */
  private static final Pattern FIND =
      Pattern.compile("galop_records\\.find\\((\\{.*?\\})\\)(?=[.\n]|$)");

  @RegisterExtension static final MongoServer MONGO = new MongoServer();

  @Override
  protected StoreServer server() {
    return MONGO;
  }

  @Override
  protected Store store(SinkConfig config) {
    return store(config, "majority");
  }

  private Store store(SinkConfig config, String writeConcern) {
    return MongoStores.of(
        vertx,
        new MongoConfig(
            "mongodb",
            List.of(MONGO.host()),
            "",
            MONGO.database(),
            "admin",
            new StoreLoginConfig("", "", "", ""),
            new StoreTlsConfig(false, "", true),
            writeConcern,
            true,
            config,
            SamplingConfig.every(1),
            24,
            2,
            16));
  }

  private static <T> T records(Function<MongoCollection<Document>, T> use) {
    return of("galop_records", use);
  }

  private static <T> T of(String collection, Function<MongoCollection<Document>, T> use) {
    try (MongoClient client = MONGO.client()) {
      return use.apply(client.getDatabase(MONGO.database()).getCollection(collection));
    }
  }

  private static long count(String collection, Bson filter) {
    return of(collection, each -> each.countDocuments(filter));
  }

  @Override
  protected Map<String, String> stored() {
    Map<String, String> found = new TreeMap<>();
    List<Document> all = records(records -> records.find().into(new ArrayList<>()));
    for (Document each : all) {
      String json = each.get("data", Document.class).toJson();
      assertFalse(each.containsKey("raw"), "text beside a document that says it all");
      found.put(
          each.getString("_id").replaceAll("\t.*", ""), json.replace(": ", ":").replace(", ", ","));
    }
    assertEquals(all.size(), found.size(), "an id is there once");
    return found;
  }

  @Override
  protected void beVersion1(int records) {
    List<Document> old = new ArrayList<>();
    for (int n = 0; n < records; n++) {
      old.add(
          new Document("_id", "id" + n)
              .append("topic", "t")
              .append("time", new Date(0))
              .append("timeUs", (long) n)
              .append("data", new Document("n", n))
              .append("shard", 0)
              .append("epoch", 7L)
              .append("offset", n + 1L)
              .append("storedAt", new Date()));
    }
    records(each -> each.insertMany(old));
    of("galop_schema", each -> each.updateOne(Filters.eq("_id", 1), Updates.set("version", 1)));
  }

  @Test
  void isEasyToQuery() throws Exception {
    try (RunningSink running = start(Driver.ASYNC)) {
      running.append("race/1", 1_395_000_000L, 3);
      running.awaitStored();
      Document second =
          records(records -> records.find(Filters.eq("data.n", 1_395_000_001)).first());
      assertEquals("race/1-1395000001\trace/1", second.getString("_id"));
      assertEquals("race/1", second.getString("topic"));
      assertEquals(new Date(1_395_000_001_000L), second.getDate("time"));
      List<String> indexes =
          records(
              records ->
                  records
                      .listIndexes()
                      .map(each -> each.getString("name"))
                      .into(new ArrayList<>()));
      assertTrue(
          indexes.containsAll(List.of("galop_by_topic", "galop_by_time", "galop_by_storage")),
          indexes.toString());
    }
  }

  @Test
  void theDocumentedQueriesFindTheRecord() throws Exception {
    try (RunningSink running = start(Driver.ASYNC)) {
      running.append(StoresDocument.TOPIC, 1_800_000_000L, 1);
      running.awaitStored();
      records(r -> r.updateMany(Filters.exists("_id"), Updates.set("data.odds", 2.5)));
      List<Bson> filters =
          FIND.matcher(StoresDocument.block("js"))
              .results()
              .<Bson>map(query -> BsonDocument.parse(query.group(1)))
              .toList();
      assertEquals(2, filters.size());
      for (Bson filter : filters) {
        long found = records(r -> r.countDocuments(filter));
        assertEquals(1, found, filter.toString());
      }
    }
  }

  /** By an index of the operator's: it is no repeat that is there already. */
  @ParameterizedTest
  @MethodSource("drivers")
  void aRecordThatAUniqueIndexKeepsOutBecomesADeadLetter(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      running.append("t", 1, 3);
      running.awaitStored();
      records(r -> r.createIndex(Indexes.ascending("data.n"), new IndexOptions().unique(true)));
      running.append("u", 3, 2);
      running.awaitStored();
      assertEquals(1, running.count("dead.letters"));
      assertEquals(4, count("galop_records", Filters.empty()));
    }
  }

  /**
   * It says so of the whole command, with the code that it has for bad values of documents, too.
   */
  @ParameterizedTest
  @MethodSource("drivers")
  void recordsWaitWhereTheServerCannotKeepThemAsConfigured(Driver driver) throws Exception {
    Assumptions.assumeTrue(MongoServer.isStandIn(), "another server may have replicas");
    storeTwo(driver, 1);
    try (RunningSink running = start(driver, store(config(driver), "2"))) {
      running.append("t", 3, 2);
      SinkFixture.until(() -> !running.fixture().readiness.warnings().isEmpty());
      String said = running.fixture().readiness.warnings().toString();
      assertTrue(said.contains("cannot use 'w' > 1"), said);
      assertEquals(0, running.count("dead.letters"));
    }
    storeTwo(driver, 5);
    assertEquals(6, stored().size());
  }

  private void open(Driver driver) throws Exception {
    try (Store store = store(config(driver))) {
      store.open(1).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
  }

  /**
   * As a migration leaves it that ends between deleting an old document and writing the new one.
   */
  private static void putAside(String id) {
    Document old = records(each -> each.findOneAndDelete(Filters.eq("_id", id)));
    of("galop_moving", each -> each.insertOne(old));
  }

  /** The old document has the value that the new one is to have. */
  @ParameterizedTest
  @MethodSource("drivers")
  void migratesWhereAUniqueIndexIsOnTheData(Driver driver) throws Exception {
    open(driver);
    beVersion1(OLD);
    records(r -> r.createIndex(Indexes.ascending("data.n"), new IndexOptions().unique(true)));
    putAside("id3");
    open(driver);
    assertEquals(OLD, stored().size());
    assertEquals(OLD, count("galop_records", Filters.regex("_id", "\tt$")));
    assertEquals(0, count("galop_moving", Filters.empty()));
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void saysWhatIsInTheWayOfAMigrationAndKeepsWhatWaits(Driver driver) throws Exception {
    open(driver);
    beVersion1(OLD);
    records(r -> r.createIndex(Indexes.ascending("data.n"), new IndexOptions().unique(true)));
    putAside("id3");
    Document another = new Document("_id", "x\tu").append("data", new Document("n", 3));
    records(r -> r.insertOne(another));
    String said = assertThrows(Exception.class, () -> open(driver)).toString();
    assertTrue(said.contains("wait in galop_records and galop_moving"), said);
    assertEquals(1, count("galop_moving", Filters.empty()));
    records(MongoSinkTest::dropIndexes);
    open(driver);
    assertEquals(OLD + 1, stored().size());
  }

  private static boolean dropIndexes(MongoCollection<Document> records) {
    records.dropIndexes();
    return true;
  }

  private void storeTwo(Driver driver, long first) throws Exception {
    try (RunningSink running = start(driver)) {
      running.append("t", first, 2);
      running.awaitStored();
    }
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void deletesWhatIsOlderThanIsKept(Driver driver) throws Exception {
    try (RunningSink running = start(driver)) {
      running.append("t", 1, 500);
      running.awaitStored();
      Date old = new Date(System.currentTimeMillis() - 86_401_000L);
      records(
          records -> records.updateMany(Filters.lte("data.n", 400), Updates.set("storedAt", old)));
      SinkFixture.until(() -> records(MongoCollection::countDocuments) == 100);
      running.append("t", 501, 1);
      SinkFixture.until(() -> records(MongoCollection::countDocuments) == 101);
    }
  }
}
