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
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
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

  private final KafkaConfig config;
  private final long timeoutMs;
  private final Set<ConfigResource> late = new HashSet<>();
  private OptionalInt most = OptionalInt.empty();

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
      ask();
      late.clear();
    }
    Map<String, Object> all = new HashMap<>(properties);
    String now = String.valueOf(all.getOrDefault(ProducerConfig.BATCH_SIZE_CONFIG, "16384"));
    if (most.isPresent() && Integer.parseInt(now) > most.getAsInt()) {
      all.put(ProducerConfig.BATCH_SIZE_CONFIG, most.getAsInt());
    }
    return all;
  }

  /** Not of a user who may not know: the producer goes on as it is. */
  private void ask() throws IOException, InterruptedException {
    try (Admin admin =
        Admin.create(ClientProperties.of(config, Map.of(), KafkaTimeouts.ofAdmin(timeoutMs)))) {
      most =
          admin.describeConfigs(late).all().get(timeoutMs, TimeUnit.MILLISECONDS).values().stream()
              .mapToInt(KafkaBatchBytes::most)
              .min();
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("the limits of topics are not shown", e);
    }
  }

  private static int most(Config topic) {
    return Integer.parseInt(topic.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
  }
}
