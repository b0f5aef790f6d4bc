package io.galop.extend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.yaml.ConfigException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Verticles in the languages of the add-ons, in a real node. */
@Timeout(300)
class LanguageVerticlesTest {
  private static final Path DOCUMENT = Path.of("../../docs/verticles.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+) (\\S+)\\n(.*?)^```$");
  @TempDir Path directory;

  /** A language, and the same few lines in it. */
  enum Language {
    PYTHON(
        "py",
        "py",
        """
        def handle(record):
            if record.data['n'] == 1:
                raise ValueError('one')
            return galop.publish('out/' + record.topic, {
                **record.data, 'list': [1.5, None, {'t': 'x'}], 'k': [2.0, 1e3, 1e300, 2**70]})

        def start():
            galop.consume('in/#', handle)
            galop.log.info('instance %d of %d' % (galop.instance, galop.instances))

        def stop():
            return galop.publish('out/stopped', {'ok': True})
        """,
        "a = 1\nb = = 2\n",
        "def start():\n    return None.x\n",
        "def spin():\n    while True:\n        pass\n\ndef start():\n    galop.every(10, spin)\n"),
    GROOVY(
        "groovy",
        "groovy",
        """
        def start() {
          galop.consume('in/#') { record ->
            if (record.data.n == 1) throw new IllegalStateException('one')
            galop.publish("out/$record.topic", record.data
                + [list: [1.5, null, [t: "${'x'}"]], k: [2.0, 1e3, 1e300d, 2g ** 70]])
          }
          galop.log.info("instance ${galop.instance} of ${galop.instances}")
        }
        def stop() { galop.publish('out/stopped', [ok: true]) }
        """,
        "a = 1\nb = = 2\n",
        "def start() {\n  null.x\n}\n",
        "def start() {\n  galop.every(10) { while (true) {} }\n}\n"),
    KOTLIN(
        "kt",
        "kts",
        """
        fun start() {
          galop.consume("in/#") { record ->
            if (record.data["n"] == 1) throw IllegalStateException("one")
            val numbers = listOf(2.0, 1e3, 1e300, java.math.BigInteger.TWO.pow(70))
            val list = listOf(1.5, null, mapOf("t" to "x"))
            galop.publish("out/" + record.topic, record.data + mapOf("list" to list, "k" to numbers))
          }
          galop.log.info("instance " + galop.instance + " of " + galop.instances)
        }
        fun stop() = galop.publish("out/stopped", mapOf("ok" to true))
        """,
        "val a = 1\nval b = = 2\n",
        "fun start() {\n  throw IllegalStateException()\n}\n",
        "fun start() {\n  galop.every(10) { while (true) {} }\n}\n");

    private final String prefix;
    private final String suffix;
    private final String program;
    private final String broken;
    private final String throwing;
    private final String looping;

    Language(
        String prefix,
        String suffix,
        String program,
        String broken,
        String throwing,
        String looping) {
      this.prefix = prefix;
      this.suffix = suffix;
      this.program = program;
      this.broken = broken;
      this.throwing = throwing;
      this.looping = looping;
    }

    String name(String file) {
      return prefix + ":" + file + "." + suffix;
    }
  }

  private String write(Language language, String name, String text) throws IOException {
    Files.writeString(directory.resolve(name + "." + language.suffix), text);
    return language.name(name);
  }

  private String problem(String name) {
    String verticles = "[{name: '%s'}]".formatted(name);
    ConfigException refused =
        assertThrows(ConfigException.class, () -> VerticleNode.start(directory, verticles).close());
    assertEquals(1, refused.problems().size(), refused.problems()::toString);
    return refused.problems().get(0);
  }

  @ParameterizedTest
  @EnumSource
  void theExampleMakesTheSameAlarms(Language language) throws Exception {
    LimitAlarmRun.run(directory, language.name("verticles/limit-alarm"), 2);
  }

  @ParameterizedTest
  @EnumSource
  void publishesConsumesStopsAndOutlivesWhatItThrows(Language language) throws Exception {
    String wave = language.name("verticles/wave");
    String settings = "settings: {topic: sensor/wave, everyMs: '20', high: '3'}";
    String program = write(language, "program", language.program);
    String verticles = "[{name: '%s'}, {name: '%s', %s}]".formatted(program, wave, settings);
    try (VerticleNode node = VerticleNode.start(directory, verticles, "persist.cold.every=1")) {
      node.publish(
          List.of(
              "{\"topic\":\"in/a\",\"data\":{\"n\":1}}",
              "{\"topic\":\"in/a\",\"data\":{\"n\":2,\"f\":0.5,\"t\":\"é\"}}"));
      assertEquals(
          "{\"n\":2,\"f\":0.5,\"t\":\"é\",\"list\":[1.5,null,{\"t\":\"x\"}],"
              + "\"k\":[2,1000,1e+300,1180591620717411303424]}",
          node.historyData("out/in/a"));
      assertEquals(1, node.status(program).getLong("errors"));
      List<Integer> values =
          node.history("sensor/wave", 5).stream()
              .map(record -> record.getJsonObject("data").getInteger("value"))
              .limit(5)
              .toList();
      assertEquals(List.of(0, 1, 2, 3, 2), values);
      assertEquals(0, node.status(wave).getLong("errors"));
    }
    try (VerticleNode again = VerticleNode.start(directory, "[]")) {
      assertEquals(1, again.history("out/stopped", 1).size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrongIsSaidWithFileAndLine(Language language) throws Exception {
    String broken = problem(write(language, "broken", language.broken));
    assertTrue(broken.startsWith("verticles[0].name: "), broken);
    assertTrue(broken.endsWith("(broken.%s, line 2)".formatted(language.suffix)), broken);
    String throwing = problem(write(language, "throwing", language.throwing));
    assertTrue(throwing.startsWith("verticles[0]: " + language.name("throwing")), throwing);
    assertTrue(throwing.endsWith("(throwing.%s, line 2)".formatted(language.suffix)), throwing);
  }

  @ParameterizedTest
  @EnumSource
  void anEndlessLoopIsCutOffAtTheEnd(Language language) throws Exception {
    String name = write(language, "looping", language.looping);
    String verticles = "[{name: '%s', stopTimeoutMs: '500'}]".formatted(name);
    long began;
    try (VerticleNode node = VerticleNode.start(directory, verticles)) {
      node.awaitCount(name, "ticks", 1);
      node.publish(List.of("{\"topic\":\"a\",\"data\":{}}"));
      began = System.nanoTime();
    }
    assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(60), "was not cut off");
  }

  @ParameterizedTest
  @EnumSource
  void theExampleOfTheDocumentRuns(Language language) throws Exception {
    for (MatchResult block : BLOCK.matcher(Files.readString(DOCUMENT)).results().toList()) {
      Files.writeString(directory.resolve(block.group(2)), block.group(3));
    }
    String settings = "settings: {filter: 'sensor/#', limit: '80'}";
    String verticles = "[{name: '%s', %s}]".formatted(language.name("alarm"), settings);
    try (VerticleNode node = VerticleNode.start(directory, verticles)) {
      node.publish(
          List.of(
              "{\"topic\":\"sensor/a\",\"id\":\"r1\",\"time\":1,\"data\":{\"value\":80}}",
              "{\"topic\":\"sensor/a\",\"id\":\"r2\",\"time\":2,\"data\":{\"value\":81}}"));
      JsonObject alarm = node.history("alarm/sensor/a", 1).get(0);
      assertEquals("alarm:r2", alarm.getString("id"));
      assertEquals(2, alarm.getLong("time"));
      assertEquals("{\"value\":81}", alarm.getJsonObject("data").encode());
    }
  }
}
