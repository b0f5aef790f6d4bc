package io.galop.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.KafkaServer;
import io.galop.servers.PackedNode;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packed jars write to a real Kafka while node and broker are killed. */
@Timeout(1200)
class KafkaStoreIT {
  private static final int PARTITIONS = 3;
  private static final int TOPICS = 20;
  private static final int LINES = 100;
  private static final int FROZEN_SECONDS = 12;

  @TempDir Path directory;
  private int published;

  private Path config(KafkaServer server) throws IOException {
    return Files.writeString(
        directory.resolve("galop.yaml"),
        """
        persist:
          cold:
            stores:
              - kafka:
                  servers: ["%s"]
                  topics: ["race/#"]
                  kafkaTopic: "feed.{1}"
                  properties: {max.request.size: "20000"}
                  sink: {timeoutMs: 15000, maxPauseMs: 500, batchRecords: 150}
        """
            .formatted(server.address()));
  }

  /** Lines of some topics, again until they are acknowledged. */
  private void publish(PackedNode node) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++, published++) {
      String topic = "race/" + published % TOPICS;
      lines.append(line(topic, "id-" + published, "{\"n\":" + published + "}"));
    }
    lines.append(line("other/1", "other-" + published, "{}"));
    Broker.until("lines are acknowledged", 120, () -> node.publish(lines.toString()));
  }

  private static String line(String topic, String id, String data) {
    return "{\"topic\":\"%s\",\"id\":\"%s\",\"data\":%s}\n".formatted(topic, id, data);
  }

  private void publish(PackedNode node, int batches) throws Exception {
    for (int i = 0; i < batches; i++) {
      publish(node);
    }
  }

  private static double metric(PackedNode node, String name) throws Exception {
    return node.metric("galop_persist_sink_" + name, "sink=\"kafka\"");
  }

  @Test
  void eachRecordIsThereOnceInTheOrderOfItsTopicThoughNodeAndBrokerAreKilled() throws Exception {
    PackedNode.install(directory, "kafka");
    try (KafkaServer server = new KafkaServer()) {
      Broker broker = new Broker(server);
      broker.create("feed.race", PARTITIONS);
      Path config = config(server);
      PackedNode node = PackedNode.run(directory, "node", config);
      for (int kill = 0; kill < 3; kill++) {
        PackedNode killed = node;
        publish(node, 10);
        Broker.until("some is written", 120, () -> metric(killed, "stored_total") > 0);
        publish(node, 10);
        node.kill();
        node = PackedNode.run(directory, "node", config);
      }
      publish(node, 10);
      server.killAndStart();
      publish(node, 10);
      freeze(server, node);
      PackedNode last = node;
      String big = line("race/1", "big", "{\"text\":\"" + "x".repeat(30_000) + "\"}");
      assertTrue(node.publish(big));
      publish(node, 1);
      Broker.until("a letter", 240, () -> metric(last, "dead_letters_total") == 1);
      Broker.until("all is written", 240, () -> metric(last, "lag_bytes") == 0);
      check(broker.read("feed.race", PARTITIONS));
      try (Admin admin = broker.admin()) {
        Set<String> topics = admin.listTopics().names().get(60, TimeUnit.SECONDS);
        assertFalse(topics.contains("feed.other"), "only what the filters choose");
      }
      assertEquals(0, node.terminate(), node.text());
    }
  }

  /** The live path goes on, and the store says that it is away. */
  private void freeze(KafkaServer server, PackedNode node) throws Exception {
    server.freeze();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(FROZEN_SECONDS);
    int before = published;
    while (System.nanoTime() - end < 0) {
      publish(node);
      Thread.sleep(200);
    }
    assertTrue(published > before);
    Broker.until(
        "it is said", 120, () -> node.get("management", "/status").contains("the store kafka has"));
    server.thaw();
  }

  private void check(List<ConsumerRecord<String, String>> messages) {
    Map<String, String> seen = new TreeMap<>();
    Map<String, Integer> newest = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (ConsumerRecord<String, String> message : messages) {
      String position = Broker.header(message, "galop-pos");
      String id = Broker.header(message, "galop-id");
      int n = new JsonObject(message.value()).getInteger("n");
      String what = "%s at %s, %d of %s".formatted(id, position, message.offset(), message.key());
      assertEquals("race/" + n % TOPICS, message.key());
      assertTrue(Long.parseLong(Broker.header(message, "galop-time")) > 0, what);
      String twin = seen.put(id, what);
      Integer before = newest.put(message.key(), n);
      if (twin != null) {
        wrong.add(what + " is there before: " + twin);
      } else if (before != null && before > n) {
        wrong.add(what + " comes after " + before);
      }
    }
    assertEquals(List.of(), wrong);
    assertEquals(published, seen.size());
  }
}
