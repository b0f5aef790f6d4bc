package io.galop.kafka;

import io.galop.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What a test asks of a broker, with Kafka's own clients. */
final class Broker {
  private final KafkaServer server;

  Broker(KafkaServer server) {
    this.server = server;
  }

  Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", server.address()));
  }

  void create(String topic, int partitions) throws Exception {
    try (Admin admin = admin()) {
      NewTopic fresh = new NewTopic(topic, Optional.of(partitions), Optional.empty());
      admin.createTopics(List.of(fresh)).all().get(60, TimeUnit.SECONDS);
    }
  }

  /** The partitions of a topic, each with its end. */
  static Map<TopicPartition, Long> ends(Admin admin, String topic, int partitions)
      throws Exception {
    Map<TopicPartition, OffsetSpec> asked =
        java.util.stream.IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(Collectors.toMap(one -> one, one -> OffsetSpec.latest()));
    return admin.listOffsets(asked).all().get(60, TimeUnit.SECONDS).entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
  }

  /** What a group has committed. */
  static Map<TopicPartition, Long> committed(Admin admin, String group) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> offsets =
        admin
            .listConsumerGroupOffsets(group)
            .partitionsToOffsetAndMetadata()
            .get(60, TimeUnit.SECONDS);
    return offsets.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().offset()));
  }

  /**
   * All that is committed in some partitions of a topic, in the order of each. Waits for the end of
   * transactions: that of a commit shows a while after the producer was told.
   */
  List<ConsumerRecord<String, String>> read(String topic, int partitions) throws Exception {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", server.address(), "isolation.level", "read_committed");
    List<TopicPartition> all =
        java.util.stream.IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    List<ConsumerRecord<String, String>> read = new ArrayList<>();
    try (Admin admin = admin();
        KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = ends(admin, topic, partitions);
      while (all.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
        consumer.poll(Duration.ofMillis(200)).forEach(read::add);
      }
    }
    return read;
  }

  static String header(ConsumerRecord<String, String> message, String name) {
    return new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  /** Waits until something holds. */
  static void until(String what, int seconds, Callable<Boolean> holds) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!holds.call()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + seconds + " s: " + what);
      }
      Thread.sleep(100);
    }
  }
}
