package io.galop.persist.kafka;

import io.galop.config.persist.KafkaConfig;
import io.galop.kafka.ClientProperties;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How large a producer makes what it sends at once. Kafka's splits what a topic finds too large
 * into parts of its {@code batch.size} again, for ever where the topic takes less than that, and
 * says that time is over. So topics of which it has said so are asked. Blocking; one call at a
 * time.
 */
final class KafkaBatchBytes {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaBatchBytes.class);

  /** That of Kafka's producer. */
  private static final int USUAL_BYTES = 16_384;

  private final KafkaConfig config;
  private final long timeoutMs;
  private final Set<ConfigResource> late = new HashSet<>();

  /** What topics that were asked take, by their names. */
  private final Map<String, Integer> limits = new HashMap<>();

  /**
   * @param timeoutMs of each call
   */
  KafkaBatchBytes(KafkaConfig config, long timeoutMs) {
    this.config = config;
    this.timeoutMs = timeoutMs;
  }

  /** What was to be sent has failed. */
  void onFailed(Exception failure, List<ProducerRecord<byte[], byte[]>> messages) {
    if (failure instanceof org.apache.kafka.common.errors.TimeoutException) {
      messages.forEach(
          message -> late.add(new ConfigResource(ConfigResource.Type.TOPIC, message.topic())));
    }
  }

  /** The properties of a producer, with less at once where a topic takes no more. */
  Map<String, Object> fitted(Map<String, Object> properties)
      throws IOException, InterruptedException {
    if (!late.isEmpty()) {
      try {
        ask();
      } finally {
        late.clear();
      }
    }
    Map<String, Object> all = new HashMap<>(properties);
    OptionalInt least = limits.values().stream().mapToInt(limit -> limit).min();
    if (least.isPresent() && isMore(all.get(ProducerConfig.BATCH_SIZE_CONFIG), least.getAsInt())) {
      all.put(ProducerConfig.BATCH_SIZE_CONFIG, least.getAsInt());
    }
    return all;
  }

  /** What is no number is for Kafka's client to refuse. */
  static boolean isMore(@Nullable Object configured, int limit) {
    try {
      return configured == null
          ? USUAL_BYTES > limit
          : Integer.parseInt(configured.toString().trim()) > limit;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Not of topics that the user may not see: the producer goes on as it is. */
  private void ask() throws IOException, InterruptedException {
    try (Admin admin =
        Admin.create(ClientProperties.of(config, Map.of(), KafkaTimeouts.ofAdmin(timeoutMs)))) {
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
      for (var topic : admin.describeConfigs(late).values().entrySet()) {
        try {
          long leftNs = Math.max(0, deadline - System.nanoTime());
          note(topic.getKey().name(), topic.getValue().get(leftNs, TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException e) {
          LOG.debug("the limits of {} are not shown", topic.getKey(), e);
        }
      }
    }
  }

  /** What was learnt of other topics holds on. */
  void note(String topic, Config settings) {
    ConfigEntry limit = settings.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    if (limit != null && limit.value() != null) {
      limits.put(topic, Integer.parseInt(limit.value()));
    }
  }
}
