package io.galop.config.ingest;

import io.galop.config.store.KafkaAddress;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Topics of one Kafka that are consumed together. */
public record KafkaSourceConfig(
    @Doc("Its name in metrics, logs and dead letters.") String name,
    @Doc("Brokers to begin with, host:port.") List<String> servers,
    @Doc("The consumer group, which shares partitions and keeps offsets.") @Default("galop")
        String group,
    @Doc("Topics of Kafka; empty with topicPattern.") @Default("[]") List<String> topics,
    @Doc("A regular expression of Kafka topics; empty with topics.") @Default("")
        String topicPattern,
    @Doc(
            "The topic of Galop, with {topic}, {partition}, {key}, {header.NAME} and "
                + "fields as {data.race.id} in braces.")
        @Default("{topic}")
        String topic,
    @Doc("Put before ids, which are TOPIC-PARTITION-OFFSET. Change it when a topic is made anew.")
        @Default("")
        String idPrefix,
    @Doc("What becomes of a message that is no record within the limits.") @Default("dead-letter")
        OnBad onBad,
    @Doc("Most messages of a partition in flight.") @Default("2000") @Range(min = 1, max = 65_536)
        int maxInFlight,
    @Doc("How long a partition that is taken away waits for what is in flight.")
        @Default("10000")
        @Range(min = 0, max = 120_000)
        long revokeTimeoutMs,
    @Doc("Longest pause after failures and refusals; the first is 100 and each doubles.")
        @Default("10000")
        @Range(min = 100, max = 600_000)
        long maxBackoffMs,
    @Doc("Properties of Kafka's consumer, such as security.protocol; printed, so no secrets.")
        @Default("{}")
        Map<String, String> properties,
    @Doc("A file of further properties, for secrets; read at each connect.") @Default("")
        String propertiesFile)
    implements KafkaAddress {

  /** What becomes of a bad message. */
  public enum OnBad {
    /** It goes to {@code $dead-letter/kafka/NAME}, and its offset is committed. */
    DEAD_LETTER,
    /** It is counted, and its offset is committed. */
    SKIP
  }

  public KafkaSourceConfig {
    servers = KafkaAddress.checkedServers(servers);
    topics = List.copyOf(topics);
    properties = KafkaAddress.checkedProperties(properties);
    require(
        name.matches("[A-Za-z0-9._-]{1,64}"),
        "name must be 1 to 64 letters, digits, '.', '_' or '-'");
    require(!group.isBlank(), "group must be the name of a consumer group");
    require(
        topics.isEmpty() != topicPattern.isEmpty(),
        "topics must name Kafka's topics, or topicPattern match them; one of both");
    checkPattern(topicPattern);
    require(
        topic.replaceAll("\\{(topic|partition|key|(header|data)\\.[^{}]+)}", "x").matches("[^{}]+"),
        "topic must be a name with {topic}, {partition}, {key}, {header.NAME} or {data.FIELD} in"
            + " it");
    require(
        idPrefix.matches("[A-Za-z0-9._-]{0,32}"),
        "idPrefix must be up to 32 letters, digits, '.', '_' or '-'");
  }

  private static void checkPattern(String pattern) {
    try {
      Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "topicPattern must be a regular expression: " + e.getDescription(), e);
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
