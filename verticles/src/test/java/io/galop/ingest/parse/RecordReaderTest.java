package io.galop.ingest.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.ingest.IngestConfig;
import io.galop.record.Record;
import io.galop.record.Rejection;
import io.galop.record.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordReaderTest {
  private static final String GOOD =
      "{\"topic\":\"a/b\",\"data\":{\"v\":1},\"id\":\"i\",\"time\":7}";

  private final List<Record> records = new ArrayList<>();
  private final List<Rejection> rejections = new ArrayList<>();
  private final RecordSink sink =
      new RecordSink() {
        @Override
        public void accept(Record record, int shard, int line) {
          assertEquals(Topic.shard(record.topic(), 16), shard);
          records.add(record);
        }

        @Override
        public void reject(Rejection rejection) {
          rejections.add(rejection);
        }
      };
  private final RecordReader reader =
      reader("ingest.limits.maxDepth=3", "ingest.limits.maxFields=3", "ingest.limits.maxIdBytes=8");

  private static RecordReader reader(String... sets) {
    IngestConfig config =
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(sets), Map.of()).ingest();
    Instant now = Instant.parse("2026-01-01T00:00:00.123456Z");
    return new RecordReader(config, 16, Clock.fixed(now, ZoneOffset.UTC));
  }

  private void read(RecordReader with, String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    with.readLine(bytes, 0, bytes.length, 1, sink);
  }

  private String rejection(String line) {
    rejections.clear();
    read(reader, line);
    assertEquals(1, rejections.size(), line);
    return rejections.get(0).reason().word() + ": " + rejections.get(0).detail();
  }

  private Record record(String line) {
    records.clear();
    rejections.clear();
    read(reader, line);
    assertEquals(List.of(), rejections);
    return records.get(0);
  }

  @Test
  void takesFieldsInAnyOrderAndLeavesTheDataAsItIs() {
    Record record =
        record(
            " { \"data\" : {\"ä\" : [1, \"\\n"
                + "}\"]} , \"id\":\"\\u0061ä\", \"topic\":\"a\\/\\\"\" }\r");
    assertEquals("{\"ä\" : [1, \"\\n}\"]}", new String(record.data(), StandardCharsets.UTF_8));
    assertEquals("aä", record.id());
  }

  @Test
  void makesIdAndTimeWhereNoneIsGiven() {
    Record one = record("{\"topic\":\"a\",\"data\":{}}");
    Record other = record("{\"topic\":\"a\",\"data\":{}}");
    assertEquals(1_767_225_600_123_456L, one.timeUs());
    assertTrue(!one.id().equals(other.id()) && one.id().length() > 10);
  }

  @Test
  void passesOverBlankLines() {
    read(reader, " \t\r");
    read(reader, "");
    assertEquals(List.of(), records);
    assertEquals(List.of(), rejections);
  }

  @Test
  void namesFieldRuleAndWhatToDo() {
    assertEquals("malformed: the line is no JSON object; send one object a line", rejection("[1]"));
    assertEquals(
        "malformed: '}' is not expected at byte 28; send valid JSON",
        rejection("{\"topic\":\"a\",\"data\":{},\"id\"}"));
    assertEquals(
        "malformed: '{' is not expected at byte 49; send valid JSON", rejection(GOOD + "{}"));
    assertEquals(
        "malformed: field 'id' is there twice; send it once",
        rejection("{\"id\":\"a\",\"i\\u0064\":\"b\"}"));
    assertEquals(
        "unknown_field: field 'ts' is not known; an envelope has topic, data, id and time; move it"
            + " into data",
        rejection("{\"topic\":\"a\",\"ts\":1}"));
    assertEquals("malformed: field 'topic' is missing; name the topic", rejection("{\"data\":{}}"));
    assertEquals(
        "malformed: field 'topic' must be a JSON string; name the topic to publish to",
        rejection("{\"topic\":1}"));
    assertEquals(
        "malformed: field 'data' must be a JSON object; wrap other values",
        rejection("{\"topic\":\"a\",\"data\":[1]}"));
    assertEquals(
        "too_deep: field 'data': nested more than 3 deep at byte 36; nest less, or raise"
            + " ingest.limits.maxDepth",
        rejection("{\"topic\":\"a\",\"data\":{\"a\":{\"b\":{\"c\":[]}}}}"));
    assertEquals(
        "too_many_fields: field 'data': more than 3 fields at byte 40; send fewer, or raise"
            + " ingest.limits.maxFields",
        rejection("{\"topic\":\"a\",\"data\":{\"a\":1,\"b\":{\"c\":2},\"d\":3}}"));
  }

  @Test
  void checksTopics() {
    assertTrue(
        rejection("{\"topic\":\"\",\"data\":{}}")
            .startsWith("topic_not_allowed: topic '' is empty"));
    assertTrue(rejection("{\"topic\":\"a/+\",\"data\":{}}").contains("wildcard"));
    assertTrue(rejection("{\"topic\":\"$dead\",\"data\":{}}").contains("Galop's own"));
    assertTrue(rejection("{\"topic\":\"\\ud800\",\"data\":{}}").contains("half a character"));
    assertTrue(
        rejection("{\"topic\":\"" + "x".repeat(300) + "\",\"data\":{}}")
            .contains("longer than 256"));
  }

  @Test
  void checksTopicsAgainstTheAllowedFilters() {
    RecordReader some = reader("ingest.allowTopics=[race/#, sensor/+]");
    read(some, "{\"topic\":\"race/1/x\",\"data\":{}}");
    read(some, "{\"topic\":\"sensor/a\",\"data\":{}}");
    read(some, "{\"topic\":\"sensor/a/b\",\"data\":{}}");
    read(some, "{\"topic\":\"other\",\"data\":{}}");
    assertEquals(2, records.size());
    assertEquals(
        "topic 'other' matches no filter of ingest.allowTopics; publish to another",
        rejections.get(1).detail());
  }

  @Test
  void checksIdsAndTimes() {
    for (String id : List.of("", "a#1", "a\\n", "123456789", "äääää", "\\ud800", "ä#")) {
      String line = "{\"topic\":\"a\",\"data\":{},\"id\":\"" + id + "\"}";
      assertTrue(rejection(line).startsWith("bad_id: field 'id' "), id);
    }
    for (String time : List.of("-1", "1.5", "1e9", "\"7\"", "null", "9007199254740992", "1x", "")) {
      String line = "{\"topic\":\"a\",\"data\":{},\"time\":" + time + "}";
      assertTrue(rejection(line).startsWith("bad_time: field 'time' must be a whole number"), time);
    }
    assertEquals(
        9_007_199_254_740_991L,
        record("{\"topic\":\"a\",\"data\":{},\"time\":9007199254740991}").timeUs());
  }

  /** Whatever comes, the answer is a record or a rejection, and the reader can go on. */
  @Test
  void survivesAnyBytes() {
    Random random = new Random(11);
    byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 200_000; round++) {
      byte[] bytes = good.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      records.clear();
      rejections.clear();
      int to = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
      reader.readLine(bytes, 0, to, 1, sink);
      assertTrue(records.size() + rejections.size() <= 1);
      assertTrue(to == 0 || records.size() + rejections.size() == 1 || isBlank(bytes, to));
    }
    rejections.clear();
    assertEquals("i", record(GOOD).id());
  }

  private static boolean isBlank(byte[] bytes, int to) {
    return new String(bytes, 0, to, StandardCharsets.ISO_8859_1).isBlank();
  }

  @Test
  void takesTopicsThatFallOnTheSameSlot() {
    for (int i = 0; i < 60_000; i++) {
      String topic = "t/" + i;
      assertEquals(topic, record("{\"topic\":\"" + topic + "\",\"data\":{}}").topic());
    }
  }
}
