package io.galop.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.StoreConfig;
import io.galop.persist.kafka.KafkaStoreBrick;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.BadRecordException;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.servers.KafkaServer;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a store says of how far it is, with a real Kafka, however calls of the sink mix. */
@Timeout(300)
class KafkaCursorIT {
  private static final long LOG = 7;
  private static final long OTHER_LOG = 8;
  private static final String CURSORS = "galop-cursor";
  private static final Optional<LogPosition> AT_NONE = Optional.empty();

  private static StoreConfig config(KafkaServer server) {
    return config(server, "");
  }

  /**
   * @param more keys of the store, each behind a comma
   */
  private static StoreConfig config(KafkaServer server, String more) {
    String stores =
        "persist.cold.stores=[{kafka: {servers: [\"%s\"]%s}}]".formatted(server.address(), more);
    return ConfigLoader.load(Optional.empty(), Map.of(), List.of(stores), Map.of())
        .persist()
        .cold()
        .stores()
        .get(0);
  }

  private static StoreBatch batch(int from, int to, Optional<LogPosition> cursor) {
    List<Placed> records =
        IntStream.range(from, to)
            .mapToObj(
                n ->
                    new Placed(
                        new Position(n % 2, 2, n / 2 + 1),
                        new Record(
                            "id-" + n, "t/" + n % 2, 1, "{}".getBytes(StandardCharsets.UTF_8))))
            .toList();
    return new StoreBatch(LOG, records, 100, cursor);
  }

  private static <T> T get(Future<T> answer) throws Exception {
    return answer.toCompletionStage().toCompletableFuture().get(120, TimeUnit.SECONDS);
  }

  @Test
  void whatIsCommittedIsNotWrittenAgainAndAnOldCursorTakesNothingBack() throws Exception {
    try (KafkaServer server = new KafkaServer()) {
      LogPosition early = new LogPosition(1, 50);
      LogPosition late = new LogPosition(1, 100);
      try (Store store = new KafkaStoreBrick().open(config(server))) {
        assertEquals(Optional.empty(), get(store.open(LOG)));
        assertEquals(10, get(store.write(batch(0, 10, Optional.of(late)))));
        get(store.saveCursor(LOG, early));
        assertEquals(4, get(store.write(batch(6, 14, Optional.empty()))));
      }
      try (Store store = new KafkaStoreBrick().open(config(server))) {
        assertEquals(Optional.empty(), get(store.open(OTHER_LOG)));
        assertEquals(Optional.of(late), get(store.open(LOG)));
        assertEquals(0, get(store.write(batch(0, 14, Optional.empty()))));
        assertEquals(1, get(store.write(batch(14, 15, Optional.empty()))));
      }
      assertEquals(15, new Broker(server).read("t", 1).size());
      try (Store store = new KafkaStoreBrick().open(config(server))) {
        get(store.open(LOG));
        get(store.saveCursor(LOG, early));
        assertEquals(15, get(store.write(batch(0, 15, Optional.empty()))), "the Log is an old one");
        assertEquals(Optional.of(early), get(store.open(LOG)));
      }
    }
  }

  /** A transaction of a node that stands still hides what others commit behind it. */
  @Test
  void anOpenTransactionOfAnotherTakesNoCursorBack() throws Exception {
    LogPosition early = new LogPosition(1, 50);
    LogPosition late = new LogPosition(1, 100);
    String loose = ", properties: {isolation.level: read_uncommitted, auto.offset.reset: latest}";
    try (KafkaServer server = new KafkaServer();
        Store store = new KafkaStoreBrick().open(config(server, loose))) {
      get(store.open(LOG));
      assertEquals(10, get(store.write(batch(0, 10, Optional.of(early)))));
      try (KafkaProducer<byte[], byte[]> other = transaction(server)) {
        other.send(new ProducerRecord<>(CURSORS, utf8("kafka/other"), utf8("{}"))).get();
        assertEquals(4, get(store.write(batch(10, 14, Optional.of(late)))));
        ExecutionException refused =
            assertThrows(ExecutionException.class, () -> get(store.open(LOG)));
        assertTrue(refused.getMessage().contains("cannot be read in time"), refused.getMessage());
        other.abortTransaction();
      }
      assertEquals(Optional.of(late), get(store.open(LOG)));
      assertEquals(0, get(store.write(batch(0, 14, Optional.empty()))));
      assertEquals(14, new Broker(server).read("t", 1).size());
    }
  }

  private static KafkaProducer<byte[], byte[]> transaction(KafkaServer server) {
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            server.address(),
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            "another",
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            600_000);
    ByteArraySerializer bytes = new ByteArraySerializer();
    KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings, bytes, bytes);
    producer.initTransactions();
    producer.beginTransaction();
    return producer;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** 60 waits of 2 s would be too long. */
  @Test
  void aTopicThatIsMissingIsWaitedForOnceABatch() throws Exception {
    try (KafkaServer server = new KafkaServer("auto.create.topics.enable=false\n");
        Store store = new KafkaStoreBrick().open(config(server, ", sink: {timeoutMs: 6000}"))) {
      Broker.until("it opens", 120, () -> succeeds(store.open(LOG)));
      long begun = System.nanoTime();
      assertThrows(ExecutionException.class, () -> get(store.write(batch(0, 60, AT_NONE))));
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
      assertTrue(seconds < 60, seconds + " s");
      new Broker(server).create("t", 1);
      Broker.until("it writes", 120, () -> succeeds(reopened(store)));
      assertEquals(60, new Broker(server).read("t", 1).size());
    }
  }

  /** The broker says so of one record; what became of the others of the batch says nothing. */
  @Test
  void aRecordLargerThanASegmentIsABadOneAndTheOthersAreWritten() throws Exception {
    String large = ", properties: {max.request.size: '8388608'}";
    try (KafkaServer server =
            new KafkaServer("message.max.bytes=8388608\nlog.segment.bytes=1048576\n");
        Store store = new KafkaStoreBrick().open(config(server, large))) {
      get(store.open(LOG));
      byte[] data = utf8("{\"a\":\"" + "x".repeat(2_000_000) + "\"}");
      Placed big = new Placed(new Position(0, 2, 100), new Record("big", "t/0", 1, data));
      List<Placed> all = new ArrayList<>(List.of(big));
      all.addAll(batch(0, 10, AT_NONE).records());
      StoreBatch mixed = new StoreBatch(LOG, all, 100, AT_NONE);
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> get(store.write(mixed)));
      assertInstanceOf(BadRecordException.class, refused.getCause());
      assertEquals(10, get(store.write(batch(0, 10, AT_NONE))));
      assertEquals(10, new Broker(server).read("t", 1).size());
    }
  }

  /** The producer would split what is too large at once into the same again. */
  @Test
  void aTopicThatTakesLessThanTheProducerSendsAtOnceIsWritten() throws Exception {
    try (KafkaServer server = new KafkaServer();
        Store store = new KafkaStoreBrick().open(config(server, ", sink: {timeoutMs: 6000}"))) {
      Broker broker = new Broker(server);
      broker.create("t", 1);
      try (Admin admin = broker.admin()) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "t");
        ConfigEntry limit = new ConfigEntry("max.message.bytes", "1000");
        AlterConfigOp set = new AlterConfigOp(limit, AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(topic, List.of(set))).all().get();
      }
      Broker.until("it writes", 120, () -> succeeds(reopened(store)));
      assertEquals(60, broker.read("t", 1).size());
      byte[] data = utf8("{\"a\":\"" + "x".repeat(2_000) + "\"}");
      Placed big = new Placed(new Position(0, 2, 100), new Record("big", "t/0", 1, data));
      StoreBatch large = new StoreBatch(LOG, List.of(big), 100, AT_NONE);
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> get(store.write(large)));
      assertInstanceOf(BadRecordException.class, refused.getCause());
    }
  }

  private static Future<Integer> reopened(Store store) {
    return store.open(LOG).compose(cursor -> store.write(batch(0, 60, AT_NONE)));
  }

  private static boolean succeeds(Future<?> answer) throws Exception {
    return get(answer.map(true).otherwise(false));
  }
}
