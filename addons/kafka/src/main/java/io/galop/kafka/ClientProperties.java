package io.galop.kafka;

import io.galop.config.store.KafkaAddress;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The properties of a client: Galop's, those of the configuration, and those of its file. */
public final class ClientProperties {
  /** What Galop's promises stand on. */
  private static final Set<String> OURS =
      Set.of(
          CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
          ConsumerConfig.GROUP_ID_CONFIG,
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          ProducerConfig.ACKS_CONFIG);

  /** Nothing listens there, and a check contacts nobody. */
  private static final String NOBODY = "127.0.0.1:1";

  private ClientProperties() {}

  /**
   * All of them; blocks.
   *
   * @param usual what holds unless the configuration says otherwise
   * @param fixed what always holds
   * @throws IOException if the file cannot be read, naming it
   */
  public static Map<String, Object> of(
      KafkaAddress address, Map<String, Object> usual, Map<String, Object> fixed)
      throws IOException {
    Map<String, Object> all = new HashMap<>(usual);
    all.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
    all.put("enable.metrics.push", "false");
    all.putAll(given(address));
    all.putAll(fixed);
    all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, String.join(",", address.servers()));
    return all;
  }

  private static Map<String, String> given(KafkaAddress address) throws IOException {
    Map<String, String> all = new TreeMap<>(address.properties());
    if (!address.propertiesFile().isEmpty()) {
      Properties more = new Properties();
      try (Reader file = Files.newBufferedReader(Path.of(address.propertiesFile()))) {
        more.load(file);
      } catch (IOException | IllegalArgumentException e) {
        throw new IOException("the file " + address.propertiesFile() + " cannot be read", e);
      }
      more.stringPropertyNames().forEach(key -> all.put(key, more.getProperty(key)));
    }
    return all;
  }

  /** What is wrong with them, each the end of a dotted path; contacts nobody, but blocks. */
  public static List<String> problems(KafkaAddress address) {
    Map<String, String> given;
    try {
      given = given(address);
    } catch (IOException e) {
      return List.of(".propertiesFile: " + e.getMessage());
    }
    List<String> problems = new ArrayList<>();
    for (String key : given.keySet()) {
      String where = address.properties().containsKey(key) ? ".properties: " : ".propertiesFile: ";
      if (OURS.contains(key)) {
        problems.add(where + key + " is set by Galop; leave it out");
      } else if (!ConsumerConfig.configNames().contains(key)
          && !ProducerConfig.configNames().contains(key)) {
        problems.add(where + key + " is no property of Kafka's clients; look for a typing error");
      }
    }
    return problems.isEmpty() ? tried(given) : problems;
  }

  /** A client that is made reads its keys and certificates. */
  private static List<String> tried(Map<String, String> given) {
    Map<String, Object> all = new HashMap<>(given);
    all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, NOBODY);
    all.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
    all.put(ConsumerConfig.GROUP_ID_CONFIG, "galop-check");
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    try {
      new KafkaConsumer<>(all, bytes, bytes)
          .close(
              CloseOptions.groupMembershipOperation(
                      CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP)
                  .withTimeout(java.time.Duration.ZERO));
      return List.of();
    } catch (KafkaException e) {
      return List.of(".properties: Kafka's client refuses them: " + reason(e));
    }
  }

  /** The innermost cause says what an operator has to know. */
  public static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String said = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    return said.replace('\n', ' ');
  }
}
