package io.galop.ingest.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the dead letter of a message holds. */
class KafkaRecordsTest {
  private static final String SOURCE =
      "ingest.kafka.sources=[{name: plant, servers: [\"a:1\"], topics: [in],"
          + " topic: \"plant/{data.kind}\"}]";

  private static KafkaRecords records(String source) {
    List<String> sets =
        List.of(source, "ingest.allowTopics=[\"plant/#\"]", "ingest.limits.maxDataBytes=1024");
    IngestConfig config = ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()).ingest();
    MeterRegistry registry = new SimpleMeterRegistry();
    return new KafkaRecords(
        config.kafka().sources().get(0),
        config,
        1,
        new DoorMeters(registry, "kafka"),
        new KafkaMeters(registry, "plant"));
  }

  private static KafkaAttempt read(KafkaRecords records, ConsumerRecord<byte[], byte[]> message) {
    return records.read(new KafkaChunk(new TopicPartition("in", 0), List.of(message)));
  }

  private static String only(KafkaAttempt attempt) {
    assertEquals(1, attempt.letters().size());
    return new String(attempt.letters().get(0).data(), StandardCharsets.UTF_8);
  }

  private static String letter(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    ConsumerRecord<byte[], byte[]> message = new ConsumerRecord<>("in", 0, 0, new byte[0], bytes);
    String letter = only(read(records(SOURCE), message));
    assertEquals(value, new String(bytes, StandardCharsets.UTF_8), "it may be read again");
    return letter;
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

  @Test
  void takesNoKeyThatIsNoUtf8ForATopic() {
    KafkaRecords records = records(SOURCE.replace("data.kind", "key"));
    byte[] value = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    for (byte odd : new byte[] {(byte) 0xfe, (byte) 0xff}) {
      String letter =
          only(read(records, new ConsumerRecord<>("in", 0, 0, new byte[] {odd, 'a'}, value)));
      assertTrue(letter.contains("the message has a {key} that is no UTF-8"), letter);
    }
    byte[] sign = "\ufffd".getBytes(StandardCharsets.UTF_8);
    KafkaAttempt fine = read(records, new ConsumerRecord<>("in", 0, 0, sign, value));
    assertEquals(List.of(), fine.letters());
  }

  @ParameterizedTest
  @ValueSource(longs = {9_007_199_254_741L, Long.MAX_VALUE / 1000 + 2, Long.MAX_VALUE})
  void takesNoTimeBeyondTheLatest(long timeMs) {
    byte[] value = "{\"kind\":1}".getBytes(StandardCharsets.UTF_8);
    ConsumerRecord<byte[], byte[]> message =
        new ConsumerRecord<>(
            "in",
            0,
            0,
            timeMs,
            TimestampType.CREATE_TIME,
            0,
            value.length,
            new byte[0],
            value,
            new RecordHeaders(),
            Optional.empty());
    String letter = only(read(records(SOURCE), message));
    assertTrue(letter.contains("bad_time"), letter);
  }
}
