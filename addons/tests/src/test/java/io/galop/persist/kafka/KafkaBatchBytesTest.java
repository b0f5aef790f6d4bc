package io.galop.persist.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.KafkaConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much a producer of the store sends at once. */
class KafkaBatchBytesTest {
  private static final long TIMEOUT_MS = 300;

  private final KafkaBatchBytes bytes = new KafkaBatchBytes(config(), TIMEOUT_MS);

  private static KafkaConfig config() {
    String store =
        "persist.cold.stores=[{kafka: {servers: [\"127.0.0.1:1\"], topics: [\"t/#\"],"
            + " kafkaTopic: t}}]";
    return (KafkaConfig)
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(store), Map.of())
            .persist()
            .cold()
            .stores()
            .get(0);
  }

  private static Config limit(String value) {
    return new Config(List.of(new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, value)));
  }

  private Object fitted(Map<String, Object> properties) throws Exception {
    return bytes.fitted(properties).get(ProducerConfig.BATCH_SIZE_CONFIG);
  }

  @Test
  void theLeastOfAllTopicsCountsWhateverIsLearntLater() throws Exception {
    assertEquals(null, fitted(Map.of()));
    bytes.note("small", limit("1000"));
    bytes.note("large", limit("5000"));
    bytes.note("silent", new Config(List.of()));
    bytes.note("secret", limit(null));
    assertEquals(1000, fitted(Map.of()));
    bytes.note("small", limit("8000"));
    assertEquals(5000, fitted(Map.of()));
  }

  /** Not even where nobody answers: then the producer goes on as it is. */
  @Test
  void whatWasLearntHoldsOnThoughNobodyAnswers() throws Exception {
    bytes.note("small", limit("1000"));
    bytes.onFailed(new TimeoutException(), List.of(new ProducerRecord<>("large", new byte[0])));
    assertEquals(1000, fitted(Map.of()));
  }

  @ParameterizedTest
  @CsvSource({"' 2000 ', true", "500, false", "many, false"})
  void onlyMoreIsMadeLess(String configured, boolean isMore) {
    assertEquals(isMore, KafkaBatchBytes.isMore(configured, 1_000));
  }
}
