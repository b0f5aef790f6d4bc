package io.galop.ingest.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.config.ConfigLoader;
import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.intake.DoorMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What the dead letter of a message holds. */
class KafkaRecordsTest {
  private static final String SOURCE =
      "ingest.kafka.sources=[{name: plant, servers: [\"a:1\"], topics: [in],"
          + " topic: \"plant/{data.kind}\"}]";

  private static String letter(String value) {
    List<String> sets =
        List.of(SOURCE, "ingest.allowTopics=[\"plant/#\"]", "ingest.limits.maxDataBytes=1024");
    IngestConfig config = ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()).ingest();
    MeterRegistry registry = new SimpleMeterRegistry();
    KafkaRecords records =
        new KafkaRecords(
            config.kafka().sources().get(0),
            config,
            1,
            new DoorMeters(registry, "kafka"),
            new KafkaMeters(registry, "plant"));
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    ConsumerRecord<byte[], byte[]> message = new ConsumerRecord<>("in", 0, 0, new byte[0], bytes);
    KafkaAttempt attempt =
        records.read(new KafkaChunk(new TopicPartition("in", 0), List.of(message)));
    assertEquals(value, new String(bytes, StandardCharsets.UTF_8), "it may be read again");
    assertEquals(1, attempt.letters().size());
    return new String(attempt.letters().get(0).data(), StandardCharsets.UTF_8);
  }

  @Test
  void keepsAValueInOneLine() {
    String letter = letter("{\n\"a\":\r\n1.50}");
    assertEquals(
        "{ \"a\":  1.50}", letter.substring(letter.indexOf("\"data\":") + 7, letter.length() - 1));
  }

  @Test
  void keepsAValueBeyondTheLimitAsText() {
    String value = "{\"a\":\"" + "x".repeat(2000) + "\"}";
    JsonObject data = new JsonObject(letter(value)).getJsonObject("data");
    assertEquals(new JsonObject().put("text", value), data);
  }
}
