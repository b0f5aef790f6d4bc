package io.galop.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.KafkaServer;
import io.galop.servers.PackedNode;
import io.galop.servers.Ports;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packed jars consume topics of a real Kafka while nodes are killed. */
@Timeout(1200)
class KafkaDoorIT {
  private static final int PARTITIONS = 4;
  private static final int MESSAGES = 12_000;
  private static final int BAD_EACH = 1_000;
  private static final int KEYS = 20;

  @TempDir Path directory;
  private final int[] ports = {Ports.free(), Ports.free(), Ports.free()};

  private Path config(KafkaServer server) throws IOException {
    return Files.writeString(
        directory.resolve("galop.yaml"),
        """
        cluster:
          members: ["127.0.0.1:%d", "127.0.0.1:%d", "127.0.0.1:%d"]
          name: kafka-%d
          busPort: 0
        ingest:
          kafka:
            sources:
              - name: plant
                servers: ["%s"]
                group: galop-test
                topics: [plant]
                topic: "plant/{key}"
                properties: {session.timeout.ms: "6000", heartbeat.interval.ms: "1000"}
        """
            .formatted(ports[0], ports[1], ports[2], System.nanoTime(), server.address()));
  }

  private PackedNode start(int number, String roles, Path config) throws Exception {
    return PackedNode.run(
        directory,
        "node" + number,
        config,
        "node.roles=[" + roles + "]",
        "node.name=n" + number,
        "cluster.port=" + ports[number]);
  }

  /** Some are bad, so that those behind them show whether they are in the way. */
  private static void produce(KafkaServer server, int from, int to) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", server.address(), "acks", "all", "linger.ms", 5);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int i = from; i < to; i++) {
        String value = i % BAD_EACH == 1 ? "no json " + i : "{\"n\":" + i + "}";
        producer.send(new ProducerRecord<>("plant", "key" + i % KEYS, value));
      }
    }
  }

  private static double acknowledged(PackedNode node) throws IOException, InterruptedException {
    return node.metric("galop_ingest_acknowledged_total", "door=\"kafka\"");
  }

  private static boolean isConsumed(Admin admin) throws Exception {
    Map<TopicPartition, Long> ends = Broker.ends(admin, "plant", PARTITIONS);
    return ends.equals(Broker.committed(admin, "galop-test"));
  }

  @Test
  void eachOffsetIsStoredOnceThoughNodesAreKilledAndPartitionsMove() throws Exception {
    PackedNode.install(directory, "kafka");
    try (KafkaServer server = new KafkaServer()) {
      Broker broker = new Broker(server);
      broker.create("plant", PARTITIONS);
      Path config = config(server);
      PackedNode storing = start(0, "enrich,persist", config);
      PackedNode first = start(1, "ingest", config);
      produce(server, 0, MESSAGES / 4);
      PackedNode reader = first;
      Broker.until("the door reads", 120, () -> acknowledged(reader) > 0);
      PackedNode second = start(2, "ingest", config);
      Thread more = new Thread(() -> produce(server, MESSAGES / 4, MESSAGES / 2));
      more.start();
      Broker.until("partitions have moved", 120, () -> partitions(second) > 0);
      first.kill();
      more.join();
      produce(server, MESSAGES / 2, 3 * MESSAGES / 4);
      storing.kill();
      storing = start(0, "enrich,persist", config);
      first = start(1, "ingest", config);
      produce(server, 3 * MESSAGES / 4, MESSAGES);
      assertEquals(0, second.terminate(), second.text());
      PackedNode last = first;
      Broker.until("the other has all partitions", 120, () -> partitions(last) == PARTITIONS);
      Map<TopicPartition, Long> ends;
      try (Admin admin = broker.admin()) {
        Broker.until("all is consumed", 300, () -> isConsumed(admin));
        ends = Broker.ends(admin, "plant", PARTITIONS);
      }
      assertEquals(0, first.terminate(), first.text());
      assertEquals(0, storing.terminate(), storing.text());
      check(ends);
    }
  }

  private static double partitions(PackedNode node) throws IOException, InterruptedException {
    return node.metric("galop_ingest_kafka_partitions", "source=\"plant\"");
  }

  private void check(Map<TopicPartition, Long> ends) throws Exception {
    Map<String, Integer> expected = new TreeMap<>();
    ends.forEach(
        (partition, end) -> {
          for (long offset = 0; offset < end; offset++) {
            expected.put("plant-" + partition.partition() + "-" + offset, 1);
          }
        });
    assertEquals(MESSAGES, expected.size());
    Map<String, Integer> stored = new TreeMap<>();
    Map<String, Integer> newest = new HashMap<>();
    List<String> overtaken = new ArrayList<>();
    for (JsonObject record : export("#")) {
      stored.merge(record.getString("id"), 1, Integer::sum);
      int n = record.getJsonObject("data").getInteger("n");
      Integer before = newest.put(record.getString("topic"), n);
      if (before != null && before > n) {
        overtaken.add(record.encode());
      }
    }
    assertEquals(MESSAGES - MESSAGES / BAD_EACH, stored.size());
    List<JsonObject> letters = export("$dead-letter/kafka/plant");
    letters.forEach(letter -> stored.merge(letter.getString("id"), 1, Integer::sum));
    assertEquals(expected, stored);
    assertEquals(List.of(), overtaken);
    JsonObject letter = letters.get(0).getJsonObject("data");
    assertEquals("malformed", letter.getString("reason"));
    assertTrue(letter.getJsonObject("data").getString("text").startsWith("no json "));
  }

  /** What is in the Log, record by record: history would hide what is there twice. */
  private List<JsonObject> export(String filter) throws Exception {
    String data = directory.resolve("node0").toString();
    List<String> command = List.of("log", "export", "--data-dir", data, "--filter", filter);
    PackedNode export = PackedNode.start(directory, "export", command);
    assertEquals(0, export.awaitExit(), export.text());
    return export.text().lines().filter(line -> line.startsWith("{")).map(JsonObject::new).toList();
  }
}
