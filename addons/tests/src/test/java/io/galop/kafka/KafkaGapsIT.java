package io.galop.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.KafkaServer;
import io.galop.servers.PackedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the packed jar says of messages that a real Kafka has no more, and where it goes on. */
@Timeout(600)
class KafkaGapsIT {
  private static final String TOPIC = "plant";

  /** Longer than the source takes to look at its topics. */
  private static final long LOOKS_MS = 16_000;

  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);

  @TempDir Path directory;

  private Path config(KafkaServer server, String properties) throws Exception {
    return Files.writeString(
        directory.resolve("galop.yaml"),
        """
        ingest:
          kafka:
            sources:
              - name: plant
                servers: ["%s"]
                topics: [plant]
                properties: {%s}
        """
            .formatted(server.address(), properties));
  }

  private static void produce(KafkaServer server, int messages) {
    Map<String, Object> settings = Map.of("bootstrap.servers", server.address(), "acks", "all");
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < messages; i++) {
        producer.send(new ProducerRecord<>(TOPIC, "{\"n\":" + i + "}"));
      }
    }
  }

  private static boolean isCommitted(Admin admin, long offset) throws Exception {
    return Map.of(PARTITION, offset).equals(Broker.committed(admin, "galop"));
  }

  private static boolean says(PackedNode node, String words) throws Exception {
    return node.get("management", "/status").contains(words);
  }

  @Test
  void tellsOfTopicsThatAreNotThereOfDeletedMessagesAndOfATopicMadeAnew() throws Exception {
    PackedNode.install(directory, "kafka");
    try (KafkaServer server = new KafkaServer("auto.create.topics.enable=false\n");
        Admin admin = new Broker(server).admin()) {
      Path config = config(server, "");
      String missing = "the Kafka source plant waits for topics that are not there: plant";
      try (PackedNode node = PackedNode.run(directory, "node", config)) {
        Broker.until("it is told", 60, () -> says(node, missing));
        new Broker(server).create(TOPIC, 1);
        Broker.until("no more", 60, () -> !says(node, missing));
        produce(server, 100);
        Broker.until("all is read", 60, () -> isCommitted(admin, 100));
        assertEquals(0, node.terminate(), node.text());
      }
      produce(server, 100);
      admin.deleteRecords(Map.of(PARTITION, RecordsToDelete.beforeOffset(150))).all().get();
      try (PackedNode node = PackedNode.run(directory, "node", config)) {
        Broker.until("it goes on", 60, () -> isCommitted(admin, 200));
        assertEquals(50, node.metric("galop_ingest_kafka_missed_total", "source=\"plant\""));
        assertTrue(node.text().contains("missed the offsets 100 to 149 of plant-0"), node.text());
        makeAnew(admin, new Broker(server));
        produce(server, 30);
        Broker.until(
            "it is told", 60, () -> says(node, "has read plant-0 up to offset 200, but it ends"));
        Broker.until("it is committed", 60, () -> isCommitted(admin, 30));
        assertEquals(0, node.terminate(), node.text());
      }
    }
  }

  /** All of the topic would come twice. The other property is one that an admin refuses. */
  @Test
  void goesToTheEndWithLatestWhereATopicEndsBeforeTheGroup() throws Exception {
    PackedNode.install(directory, "kafka");
    try (KafkaServer server = new KafkaServer();
        Admin admin = new Broker(server).admin()) {
      new Broker(server).create(TOPIC, 1);
      produce(server, 50);
      admin
          .alterConsumerGroupOffsets("galop", Map.of(PARTITION, new OffsetAndMetadata(80)))
          .all()
          .get(60, TimeUnit.SECONDS);
      String properties = "auto.offset.reset: latest, default.api.timeout.ms: '10000'";
      try (PackedNode node = PackedNode.run(directory, "node", config(server, properties))) {
        Broker.until("it is told", 60, () -> says(node, "it goes on at its end"));
        Thread.sleep(LOOKS_MS);
        produce(server, 7);
        Broker.until("it is committed", 60, () -> isCommitted(admin, 57));
        assertEquals(7, node.metric("galop_ingest_acknowledged_total", "door=\"kafka\""));
        assertEquals(0, node.metric("galop_ingest_kafka_failures_total", "source=\"plant\""));
        assertEquals(0, node.terminate(), node.text());
      }
    }
  }

  /** What came while the node was away is behind the place at which the group began. */
  @Test
  void aNewGroupWithLatestMissesNothingThatComesAfterItsBegin() throws Exception {
    PackedNode.install(directory, "kafka");
    try (KafkaServer server = new KafkaServer();
        Admin admin = new Broker(server).admin()) {
      new Broker(server).create(TOPIC, 1);
      produce(server, 50);
      Path config = config(server, "auto.offset.reset: latest");
      try (PackedNode node = PackedNode.run(directory, "node", config)) {
        Broker.until("its begin is committed", 60, () -> isCommitted(admin, 50));
        node.kill();
      }
      produce(server, 7);
      try (PackedNode node = PackedNode.run(directory, "node", config)) {
        Broker.until("all is read", 60, () -> isCommitted(admin, 57));
        assertEquals(7, node.metric("galop_ingest_acknowledged_total", "door=\"kafka\""));
        assertEquals(0, node.terminate(), node.text());
      }
    }
  }

  /** The log is longer than the group's offset again: only the leader's epoch shows it. */
  @Test
  void goesBackToWhereALogWasCutOffThoughItHasGrownSince() throws Exception {
    PackedNode.install(directory, "kafka");
    try (KafkaServer server = new KafkaServer();
        Admin admin = new Broker(server).admin()) {
      new Broker(server).create(TOPIC, 1);
      for (int i = 0; i < 20; i++) {
        produce(server, 5);
      }
      Path config = config(server, "");
      try (PackedNode node = PackedNode.run(directory, "node", config)) {
        Broker.until("all is read", 60, () -> isCommitted(admin, 100));
        assertEquals(0, node.terminate(), node.text());
      }
      server.killCutOffAndStart("plant-0");
      long end = Broker.ends(admin, TOPIC, 1).get(PARTITION);
      assertTrue(end > 40 && end < 60, "it ends at " + end);
      produce(server, 70);
      try (PackedNode node = PackedNode.run(directory, "node", config)) {
        Broker.until("it is told", 60, () -> says(node, "where it differs from what was read"));
        Broker.until("it is committed", 60, () -> isCommitted(admin, end + 70));
        assertEquals(70, node.metric("galop_ingest_acknowledged_total", "door=\"kafka\""));
        assertEquals(1, node.metric("galop_ingest_kafka_cut_total", "source=\"plant\""));
        assertEquals(0, node.terminate(), node.text());
      }
    }
  }

  /** At once, so that the consumer keeps its partition. */
  private static void makeAnew(Admin admin, Broker broker) throws Exception {
    admin.deleteTopics(List.of(TOPIC)).all().get(60, TimeUnit.SECONDS);
    Broker.until("it is made anew", 60, () -> isMade(broker));
  }

  private static boolean isMade(Broker broker) throws Exception {
    try {
      broker.create(TOPIC, 1);
      return true;
    } catch (ExecutionException e) { // it is still being deleted
      return false;
    }
  }
}
