package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.enrich.SchemaConfig;
import io.galop.e2e.Await;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class SchemaStepTest {
  private static final String READING =
      """
      {
        "$defs": {"celsius": {"type": "number", "minimum": -60, "maximum": 200}},
        "type": "object",
        "required": ["celsius"],
        "properties": {
          "celsius": {"$ref": "#/$defs/celsius"},
          "at": {"type": "string", "format": "date-time"},
          "unit": {"pattern": "^[a-z]+$"}
        },
        "additionalProperties": false
      }
      """;

  @TempDir Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = directory.resolve("reading.json");
    Files.writeString(file, READING);
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private SchemaStep started(long refreshMs) throws Exception {
    SchemaConfig config = new SchemaConfig(List.of("plant/#"), "reading.json", refreshMs);
    SchemaStep step = new SchemaStep(vertx, config, directory.toString(), new EnrichMeters(meters));
    await(step.start());
    return step;
  }

  private static List<String> check(SchemaStep step, Record... records) throws Exception {
    return await(step.enrich(List.of(records), new StepTally())).stream()
        .map(EnrichFixture::show)
        .toList();
  }

  @Test
  void lastsThroughWhatConformsAndKeepsTheRestAsDeadLetters() throws Exception {
    SchemaStep step = started(0);
    List<String> out =
        check(
            step,
            record("a", "plant/1", "{\"celsius\": 21.50}"),
            record("b", "plant/1", "{\"celsius\":\"warm\"}"),
            record("c", "office/1", "{\"celsius\":\"warm\"}"),
            record("d", "plant/2", "{\"celsius\":1e3,\"unit\":\"C\",\"by\":1}"));
    assertEquals("a plant/1 {\"celsius\": 21.50}", out.get(0));
    assertTrue(out.get(1).contains("$dead-letter/schema/reading"), out.get(1));
    assertTrue(out.get(1).contains("\"reason\":\"schema_violated\""), out.get(1));
    assertTrue(out.get(1).contains("at /celsius: string found, number expected"), out.get(1));
    assertTrue(out.get(1).endsWith("\"data\":{\"celsius\":\"warm\"}}"), out.get(1));
    assertEquals("c office/1 {\"celsius\":\"warm\"}", out.get(2));
    for (String place : List.of("at /celsius: ", "at /unit: ", "at the top: property 'by'")) {
      assertTrue(out.get(3).contains(place), out.get(3));
    }
    assertEquals(4, out.size());
    assertEquals(2, meters.get("galop.enrich.dead.letters").counter().count());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"celsius\":null}",
        "{\"celsius\":200.00000000000000001}",
        "{\"celsius\":1e400}",
        "{\"celsius\":1,\"at\":\"yesterday\"}"
      })
  void refuses(String data) throws Exception {
    String out = check(started(0), record("a", "plant/1", data)).get(0);
    assertTrue(out.contains("$dead-letter/schema/reading"), out);
  }

  /** Each of them held up the event loop, failed the Batch for ever, or took all memory. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{\"multipleOf\": 0.01}~1e99999999~exponent beyond 400",
        "{\"multipleOf\": 0.01}~1e999999999~exponent beyond 400",
        "{\"enum\": [1, 2.5]}~1e999999999~exponent beyond 400",
        "{\"enum\": [1, 2.5]}~-1e-999999999~exponent beyond 400",
        "{\"pattern\": \"^(a|aa)+$\"}~\"A*!\"~it goes too deep",
        "{\"pattern\": \"^(([a-z])+.)+[A-Z]([a-z])+$\"}~\"A*\"~takes too long",
        "{\"format\": \"hostname\"}~\"A*.a\"~at /x: ",
        "{\"format\": \"idn-email\"}~\"A*@A*\"~at /x: ",
      })
  @Timeout(20)
  void noRecordHoldsUpTheOthers(String schema, String value, String said) throws Exception {
    Files.writeString(file, "{\"properties\": {\"x\": %s}}".formatted(schema));
    String data = "{\"x\":%s}".formatted(value.replace("A*", "a".repeat(50_000)));
    SchemaStep step = started(0);
    Record fine = record("b", "plant/1", "{}");
    List<String> out = check(step, record("a", "plant/1", data), fine);
    assertTrue(out.get(0).contains("\"reason\":\"schema_violated\""), said);
    int at = out.get(0).indexOf(said);
    assertTrue(at > 0, () -> out.get(0).substring(0, 400));
    assertEquals("b plant/1 {}", out.get(1));
  }

  /** Each of them for itself takes less than half of what a record may. */
  @Test
  void manyTextsTogetherDoNotHoldUpTheOthersEither() throws Exception {
    String pattern = "{\"items\": {\"pattern\": \"^(([a-z])+.)+[A-Z]([a-z])+$\"}}";
    Files.writeString(file, "{\"properties\": {\"x\": %s}}".formatted(pattern));
    SchemaStep step = started(0);
    String text = '"' + "a".repeat(500) + '"';
    String one = check(step, record("a", "plant/1", "{\"x\":[" + text + "]}")).get(0);
    assertTrue(one.contains("at /x/0: does not match"), one);
    String all = String.join(",", Collections.nCopies(40, text));
    String many = check(step, record("a", "plant/1", "{\"x\":[" + all + "]}")).get(0);
    assertTrue(many.contains("takes too long"), many);
    assertEquals(one, check(step, record("a", "plant/1", "{\"x\":[" + text + "]}")).get(0));
  }

  @Test
  void aLongTextIsNoReasonToGiveUp() throws Exception {
    Files.writeString(file, "{\"properties\": {\"x\": {\"pattern\": \"^[a-z ]*end$\"}}}");
    String data = "{\"x\":\"%send\"}".formatted("words ".repeat(100_000));
    assertEquals("a plant/1 " + data, check(started(0), record("a", "plant/1", data)).get(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"type\": \"number\",|schema reading.json: line 1: Unexpected end-of-input",
        "[]|schema reading.json: line 1: a JSON Schema is an object, or true or false",
        "{\"type\": \"numbr\"}|schema reading.json: at /type: ",
        "{\"properties\": {\"a\": {\"minimum\": \"1\"}}}|schema reading.json: at"
            + " /properties/a/minimum: ",
        "{\"properties\": {\"a\": {\"pattern\": \"(\"}}}|schema reading.json: at"
            + " /properties/a/pattern: ",
        "{\"$ref\": \"#/$defs/none\"}|schema reading.json: the schema: ",
        "{\"$ref\": \"other.json\"}|schema reading.json: the schema: ",
        "{\"$ref\": \"http://127.0.0.1:1/a.json\"}|schema reading.json: the schema: ",
        "{\"$schema\": \"http://127.0.0.1:1/a.json\"}|schema reading.json: the schema: "
      })
  void aFaultySchemaIsNamedWithPlaceAndRule(String text, String message) throws Exception {
    Files.writeString(file, text);
    SchemaConfig config = new SchemaConfig(List.of("#"), "reading.json", 0);
    StepFile<DataSchema> wrong = SchemaStep.file(config, directory.toString());
    String said = assertThrows(IllegalArgumentException.class, wrong::load).getMessage();
    assertTrue(said.startsWith(message), said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema"
      })
  void readsTheDraftThatIsNamed(String draft) throws Exception {
    Files.writeString(file, READING.replaceFirst("\\{", "{\"\\$schema\": \"" + draft + "\","));
    SchemaStep step = started(0);
    String out = check(step, record("a", "plant/1", "{\"celsius\":\"warm\"}")).get(0);
    assertTrue(out.contains("number expected"), out);
  }

  @Test
  void aChangedFileHoldsAndABrokenOneLeavesTheSchemaBefore() throws Exception {
    SchemaStep step = started(5);
    Files.writeString(file, "{\"type\": \"array\"");
    Await.until(
        "the broken file is told",
        120,
        () -> meters.get("galop.enrich.schema.refresh.failures").counter().count() > 0);
    Record fine = record("a", "plant/1", "{\"celsius\":1}");
    assertEquals(List.of("a plant/1 {\"celsius\":1}"), check(step, fine));
    Files.writeString(file, "{\"type\": \"array\"}");
    Await.until(
        "the new schema holds", 120, () -> check(step, fine).get(0).contains("array expected"));
    await(step.close());
  }
}
