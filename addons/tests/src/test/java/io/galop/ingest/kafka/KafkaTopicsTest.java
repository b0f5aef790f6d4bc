package io.galop.ingest.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.node.Readiness;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looks at the topics of a source: whatever they meet, the source goes on at once. */
class KafkaTopicsTest {
  private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(900);

  private final Readiness readiness = new Readiness();

  private static KafkaSourceConfig source(String properties) {
    String source =
        "ingest.kafka.sources=[{name: plant, servers: [\"127.0.0.1:1\"], topics: [in],"
            + " properties: {%s}}]".formatted(properties);
    return ConfigLoader.load(Optional.empty(), Map.of(), List.of(source), Map.of())
        .ingest()
        .kafka()
        .sources()
        .get(0);
  }

  private KafkaTopics topics(String properties) {
    KafkaSourceConfig source = source(properties);
    KafkaMeters meters = new KafkaMeters(new SimpleMeterRegistry(), "plant");
    return new KafkaTopics(source, new KafkaHealth(source, readiness, meters), 0);
  }

  /** The second is what a consumer takes and an admin does not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "default.api.timeout.ms: '10000'",
        "security.protocol: SSL, ssl.truststore.location: /nowhere"
      })
  void aLookNeitherWaitsNorThrows(String properties) throws Exception {
    try (KafkaTopics topics = topics(properties)) {
      MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
      consumer.assign(List.of(new TopicPartition("in", 0)));
      topics.look(consumer); // loads classes
      long begin = System.nanoTime();
      topics.look(consumer);
      topics.look(consumer);
      assertTrue(System.nanoTime() - begin < LONGEST_NS, "it waited");
      assertEquals(Map.of(), readiness.warnings());
    }
  }

  @Test
  void aTopicThatMayNotBeSeenIsNoReasonToEnd() throws Exception {
    try (KafkaTopics topics = topics("")) {
      topics.look(
          new MockConsumer<>("none") {
            @Override
            public List<PartitionInfo> partitionsFor(String topic, Duration atMost) {
              throw new TopicAuthorizationException(topic);
            }
          });
      assertEquals(Map.of(), readiness.warnings());
    }
  }
}
