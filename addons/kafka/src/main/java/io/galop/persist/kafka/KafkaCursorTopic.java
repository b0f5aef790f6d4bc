package io.galop.persist.kafka;

import io.galop.config.persist.KafkaConfig;
import io.galop.kafka.ClientProperties;
import io.galop.persist.store.LogProgress;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The compacted topic in which Logs say how far they are. Blocking. */
final class KafkaCursorTopic {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaCursorTopic.class);
  private static final Map<String, String> SETTINGS =
      Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          TopicConfig.SEGMENT_BYTES_CONFIG,
          "8388608");
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConfig config;
  private final long timeoutMs;
  private boolean hasLooked;

  /**
   * @param timeoutMs of each call
   */
  KafkaCursorTopic(KafkaConfig config, long timeoutMs) {
    this.config = config;
    this.timeoutMs = timeoutMs;
  }

  /** Makes the topic unless it is there. */
  void ensure() throws IOException, InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      if (isThere(admin)) {
        look(admin);
        return;
      }
      NewTopic topic = new NewTopic(config.cursorTopic(), Optional.of(1), Optional.empty());
      answer(admin.createTopics(List.of(topic.configs(SETTINGS))).all());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private Admin admin() throws IOException {
    return Admin.create(ClientProperties.of(config, Map.of(), KafkaTimeouts.ofAdmin(timeoutMs)));
  }

  /** A broker that is away is no store that is too slow for its batches, as a timeout would be. */
  private <T> T answer(Future<T> asked)
      throws IOException, InterruptedException, ExecutionException {
    try {
      return asked.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no broker answers");
    }
  }

  /** Not of a user who may not know: that is no reason to store nothing. */
  private void look(Admin admin) throws InterruptedException {
    if (hasLooked) {
      return;
    }
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, config.cursorTopic());
    try {
      Config settings =
          Objects.requireNonNull(answer(admin.describeConfigs(List.of(topic)).all()).get(topic));
      ConfigEntry policy = settings.get(TopicConfig.CLEANUP_POLICY_CONFIG);
      if (policy != null && !TopicConfig.CLEANUP_POLICY_COMPACT.equals(policy.value())) {
        LOG.warn(
            "the topic {} has cleanup.policy={}: after its retention Kafka forgets how far the store"
                + " {} is, and records come again; set it to compact",
            config.cursorTopic(),
            policy.value(),
            config.name());
      }
      hasLooked = true;
    } catch (ExecutionException | IOException e) {
      LOG.debug("the settings of {} are not shown", config.cursorTopic(), e);
    }
  }

  private boolean isThere(Admin admin)
      throws IOException, InterruptedException, ExecutionException {
    try {
      answer(admin.describeTopics(List.of(config.cursorTopic())).allTopicNames());
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Where the topic ends. A consumer that reads what is committed would be told where the first
   * open transaction of anybody begins: what is committed behind it would be missed.
   */
  private long end(TopicPartition partition)
      throws IOException, InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      ListOffsetsOptions all = new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED);
      return answer(
              admin
                  .listOffsets(Map.of(partition, OffsetSpec.latest()), all)
                  .partitionResult(partition))
          .offset();
    }
  }

  /**
   * The newest progress of a Log; a new one if it says none.
   *
   * @throws IOException also if a transaction of another that may take a while is open
   */
  LogProgress read(long log) throws IOException, InterruptedException, ExecutionException {
    Map<String, Object> usual =
        Map.of(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) timeoutMs);
    Map<String, Object> fixed =
        Map.of(
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    TopicPartition partition = new TopicPartition(config.cursorTopic(), 0);
    LogProgress newest = new LogProgress();
    String key = key(log);
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            ClientProperties.of(config, usual, fixed),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = end(partition);
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
      while (consumer.position(partition) < end) {
        if (System.nanoTime() - deadline > 0) {
          throw new IOException(config.cursorTopic() + " cannot be read in time");
        }
        for (ConsumerRecord<String, byte[]> message : consumer.poll(POLL)) {
          newest =
              key.equals(message.key()) && message.value() != null
                  ? LogProgress.of(new JsonObject(Buffer.buffer(message.value())))
                  : newest;
        }
      }
    }
    return newest;
  }

  /** What says how far a Log is, for the transaction of its records. */
  ProducerRecord<byte[], byte[]> message(long log, LogProgress progress) {
    byte[] key = key(log).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return new ProducerRecord<>(
        config.cursorTopic(), 0, key, progress.json().toBuffer().getBytes());
  }

  private String key(long log) {
    return String.format(Locale.ROOT, "%s/%016x", config.name(), log);
  }
}
