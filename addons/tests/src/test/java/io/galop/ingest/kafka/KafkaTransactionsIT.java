package io.galop.ingest.kafka;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.node.Readiness;
import io.galop.servers.KafkaServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transaction that stays open in a real Kafka is told, and its end. */
@Timeout(300)
class KafkaTransactionsIT {
  private static final TopicPartition PARTITION = new TopicPartition("in", 0);

  private final Readiness readiness = new Readiness();

  private KafkaTransactions transactions(KafkaServer server) {
    String sources =
        ("ingest.kafka.sources=[{name: plant, servers: [\"%s\"], topics: [in],"
                + " properties: {default.api.timeout.ms: '10000'}}]")
            .formatted(server.address());
    var source =
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(sources), Map.of())
            .ingest()
            .kafka()
            .sources()
            .get(0);
    KafkaMeters meters = new KafkaMeters(new SimpleMeterRegistry(), "plant");
    return new KafkaTransactions(source, new KafkaHealth(source, readiness, meters), 1);
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    return new KafkaProducer<>(settings, bytes, bytes);
  }

  @Test
  void whatStaysOpenIsToldUntilItEnds() throws Exception {
    ProducerRecord<byte[], byte[]> message = new ProducerRecord<>("in", new byte[] {'{', '}'});
    try (KafkaServer server = new KafkaServer();
        KafkaProducer<byte[], byte[]> plain =
            producer(Map.of("bootstrap.servers", server.address()));
        KafkaProducer<byte[], byte[]> open =
            producer(Map.of("bootstrap.servers", server.address(), "transactional.id", "open"))) {
      plain.send(message).get();
      open.initTransactions();
      open.beginTransaction();
      open.send(message).get();
      plain.send(message).get();
      try (KafkaTransactions transactions = transactions(server)) {
        lookUntil(transactions, () -> !readiness.warnings().isEmpty());
        String said = readiness.warnings().toString();
        assertTrue(
            said.contains("messages of the Kafka source plant: in-0 from offset 1 on"), said);
        open.commitTransaction(); // which shows a while later
        lookUntil(transactions, () -> readiness.warnings().isEmpty());
      }
    }
  }

  private static void lookUntil(KafkaTransactions transactions, BooleanSupplier holds)
      throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!holds.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "not within a minute");
      transactions.look(Set.of(PARTITION));
      Thread.sleep(100);
    }
  }
}
