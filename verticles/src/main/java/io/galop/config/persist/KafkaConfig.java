package io.galop.config.persist;

import io.galop.config.enrich.EnricherConfig;
import io.galop.config.store.KafkaAddress;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import java.util.List;
import java.util.Map;

/** Topics of a Kafka that records are written to; needs the add-on. */
@Brick("kafka")
@Doc("Topics of a Kafka, which get each record once and are not read for history.")
public record KafkaConfig(
    @Doc("Its name in meters, status and messages, and in the transactional.id.") @Default("kafka")
        String name,
    @Doc("Brokers to begin with, host:port.") List<String> servers,
    @Doc("Filters of the topics that go to Kafka.") @Default("[\"#\"]") List<String> topics,
    @Doc("Kafka's topic: {topic} is the record's, each '/' a '.'; {1} to {9} are its " + "levels.")
        @Default("{1}")
        String kafkaTopic,
    @Doc("The compacted topic that says how far each Log is; made if missing.")
        @Default("galop-cursor")
        String cursorTopic,
    @Doc("Properties of Kafka's producer, such as security.protocol; printed, so no secrets.")
        @Default("{}")
        Map<String, String> properties,
    @Doc("A file of further properties, for secrets; read at each connect.") @Default("")
        String propertiesFile,
    @Doc("How it is written; driver and inFlight do not count: one transaction after the other.")
        SinkConfig sink)
    implements StoreConfig, KafkaAddress {
  public KafkaConfig {
    StoreConfig.checkName(name);
    servers = KafkaAddress.checkedServers(servers);
    topics = EnricherConfig.checkedTopics(topics);
    sink = sink.inOrder();
    properties = KafkaAddress.checkedProperties(properties);
    require(
        kafkaTopic.replaceAll("\\{(topic|[1-9])}", "x").matches("[a-zA-Z0-9._-]{1,249}"),
        "kafkaTopic must be letters, digits, '.', '_' and '-' with {topic} or {1} to {9} in it");
    require(
        cursorTopic.matches("[a-zA-Z0-9._-]{1,249}"),
        "cursorTopic must be up to 249 letters, digits, '.', '_' or '-'");
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** Only what the filters choose. */
  @Override
  public SamplingConfig sampling() {
    return SamplingConfig.only(topics, 1);
  }

  /** Kafka deletes by its own rules. */
  @Override
  public int retentionHours() {
    return 0;
  }
}
