package io.galop.extend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.yaml.ConfigException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node does with verticles, good and bad ones. */
@Tag("slow")
@Timeout(180)
class VerticlesTest {
  @TempDir Path directory;

  private String problem(String verticles, String... more) {
    ConfigException refused =
        assertThrows(
            ConfigException.class, () -> VerticleNode.start(directory, verticles, more).close());
    assertEquals(1, refused.problems().size(), refused.problems()::toString);
    return refused.problems().get(0);
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(directory.resolve(file), text);
  }

  private void assertStartsWith(String expected, String actual) {
    assertTrue(actual.startsWith(expected), actual);
  }

  @Test
  void whatCannotBeStartedSaysWhere() throws Exception {
    write("broken.js", "const a = 1\nlet = = 2\n");
    write("throws.js", "function start() {\n  null.x\n}\n");
    write("rejects.js", "async function start() {\n  throw new Error('no luck')\n}\n");
    assertStartsWith(
        "verticles[0].name: SyntaxError: broken.js:2:", problem("[{name: 'js:broken.js'}]"));
    assertEquals(
        "verticles[0]: js:throws.js cannot be started: TypeError: Cannot read property 'x' of null"
            + " (throws.js, line 2)",
        problem("[{name: 'js:throws.js'}]"));
    assertEquals(
        "verticles[0]: js:rejects.js cannot be started: Error: no luck (rejects.js, line 2)",
        problem("[{name: 'js:rejects.js'}]"));
    assertStartsWith(
        "verticles[0].name: there is no file nowhere.js in ", problem("[{name: 'js:nowhere.js'}]"));
    assertStartsWith("verticles[0].name: there is no class a.B", problem("[{name: 'java:a.B'}]"));
    assertStartsWith(
        "verticles[0].name: java.lang.String cannot be deployed: it must be a class that extends"
            + " io.vertx.core.VerticleBase",
        problem("[{name: 'java:java.lang.String'}]"));
    assertStartsWith(
        "verticles[0].name: there is no language 'rb:'; here are ", problem("[{name: 'rb:a.rb'}]"));
  }

  @Test
  void wrongConfigurationIsRefusedWithItsPath() {
    assertStartsWith(
        "verticles[0].instance: unknown key, known here: name, instances",
        problem("[{name: 'js:a.js', instance: 2}]"));
    assertStartsWith(
        "verticles[0].worker: must be true except for java: verticles",
        problem("[{name: 'js:a.js', worker: false}]"));
    assertStartsWith(
        "verticles[0].name: must be a language and a file or class",
        problem("[{name: 'alarm.js'}]"));
  }

  @Test
  void aNodeWithoutAFeedSaysSo() {
    String name = "js:verticles/limit-alarm.js";
    String settings = "settings: {filter: 'sensor/#', field: value, limit: '80'}";
    String problem =
        problem(
            "[{name: '%s', %s}]".formatted(name, settings), "node.roles=[ingest, enrich, persist]");
    assertTrue(
        problem.contains("galop.consume needs a feed, which only nodes with the role broadcast"),
        problem);
    assertTrue(problem.endsWith("(verticles/limit-alarm.js, line 8)"), problem);
  }

  @Test
  void whatAHandlerThrowsCostsThatRecordOnly() throws Exception {
    write(
        "fragile.js",
        """
        galop.consume('in/#', record => {
          if (record.data.n % 2) throw new RangeError('odd')
          galop.publish('out/even', record.data)
        })
        galop.every(20, async () => { throw new Error('late') })
        """);
    try (VerticleNode node = VerticleNode.start(directory, "[{name: 'js:fragile.js'}]")) {
      node.publish(
          IntStream.range(0, 10).mapToObj(n -> line("in/a", "{\"n\":" + n + "}")).toList());
      assertEquals(5, node.history("out/even", 5).size());
      node.awaitCount("js:fragile.js", "errors", 8);
      node.awaitCount("js:fragile.js", "ticks", 3);
    }
  }

  private static String line(String topic, String data) {
    return "{\"topic\":\"%s\",\"data\":%s}".formatted(topic, data);
  }

  @Test
  void whatIsPublishedIsToldOrRejectedWithItsReason() throws Exception {
    write(
        "rejected.js",
        """
        async function attempt(topic, data, options) {
          try {
            await galop.publish(topic, data, options)
            return 'acknowledged'
          } catch (e) {
            return (e.reason || e.name) + ' ' + e.message
          }
        }
        async function start() {
          const results = [
            await attempt('ok', { n: 1 }, { id: 'a', timeUs: 5 }),
            await attempt('a//b', {}),
            await attempt('$own', {}),
            await attempt('ok', { text: 'x'.repeat(100000) }),
            await attempt('ok', {}, { id: 'a#b' }),
            await attempt('ok', { n: 0 / 0 }),
            await attempt('ok', 5),
            await attempt('ok', {}, { time: 5 })
          ]
          await galop.publish('results', { results })
        }
        """);
    try (VerticleNode node = VerticleNode.start(directory, "[{name: 'js:rejected.js'}]")) {
      List<?> results =
          node.history("results", 1).get(0).getJsonObject("data").getJsonArray("results").getList();
      List<String> expected =
          List.of(
              "acknowledged",
              "topic_not_allowed topic_not_allowed: ",
              "topic_not_allowed topic_not_allowed: ",
              "too_large too_large: ",
              "bad_id bad_id: ",
              "TypeError the field 'n' is NaN, which JSON cannot hold",
              "TypeError data must be an object",
              "TypeError publish knows the options id and timeUs, not 'time'");
      for (int i = 0; i < expected.size(); i++) {
        assertStartsWith(expected.get(i), String.valueOf(results.get(i)));
      }
      assertEquals(4, node.status("js:rejected.js").getLong("rejected"));
      JsonObject stored = node.history("ok", 1).get(0);
      assertEquals("a", stored.getString("id"));
      assertEquals(5, stored.getLong("time"));
    }
  }

  @Test
  void publishingIsInOrderAndBounded() throws Exception {
    write(
        "flood.js",
        """
        function start() {
          const all = []
          for (let n = 0; n < 3000; n++) all.push(galop.publish('flood/a', { n, pad: 'x'.repeat(50) }))
          return Promise.allSettled(all).then(settled => {
            const over = settled.filter(one => one.status === 'rejected')
            const reasons = [...new Set(over.map(one => one.reason.reason))]
            return galop.publish('flood/sum', { taken: settled.length - over.length, reasons })
          })
        }
        """);
    String verticles = "[{name: 'js:flood.js', maxInFlightBytes: '400000'}]";
    try (VerticleNode node = VerticleNode.start(directory, verticles, "persist.cold.every=1")) {
      JsonObject sum = node.history("flood/sum", 1).get(0).getJsonObject("data");
      int taken = sum.getInteger("taken");
      assertTrue(taken > 1000 && taken < 3000, sum::encode);
      assertEquals("[\"over_in_flight\"]", sum.getJsonArray("reasons").encode());
      assertEquals(taken + 1, node.status("js:flood.js").getLong("published"));
      assertEquals(3000 - taken, node.status("js:flood.js").getLong("rejected"));
      // History is by time and id, so two of the same microsecond may come the other way round.
      List<Long> times =
          node.history("flood/a", 100).stream()
              .sorted(Comparator.comparing(one -> one.getJsonObject("data").getInteger("n")))
              .map(record -> record.getLong("time"))
              .toList();
      assertEquals(times.stream().sorted().toList(), times);
    }
  }

  @Test
  void whoIsTooSlowLosesTheOldestAndIsTold() throws Exception {
    write(
        "slow.js",
        """
        const Thread = Java.type('java.lang.Thread')
        const missed = []
        galop.consume('in/#', record => {
          if (record.data.n === 0) Thread.sleep(8000) // all others come meanwhile
          if (record.data.n === 1999) galop.publish('last', { missed })
        }, why => missed.push(why))
        """);
    String verticles = "[{name: 'js:slow.js', maxWaitingBytes: '65536'}]";
    try (VerticleNode node = VerticleNode.start(directory, verticles)) {
      node.publish(
          IntStream.range(0, 2000).mapToObj(n -> line("in/a", "{\"n\":" + n + "}")).toList());
      JsonObject last = node.history("last", 1).get(0).getJsonObject("data");
      List<?> missed = last.getJsonArray("missed").getList();
      assertEquals(List.of("behind"), missed.stream().distinct().toList());
      JsonObject status = node.status("js:slow.js");
      assertTrue(status.getLong("dropped") > 1000, status::encode);
      assertEquals(2000, status.getLong("dropped") + status.getLong("consumed"), status::encode);
    }
  }

  @Test
  void anEndlessLoopHoldsUpNobodyElseAndIsCutOffAtTheEnd() throws Exception {
    write("loop.js", "galop.every(10, () => { for (;;) {} })\n");
    write("stops.js", "function stop() { return galop.publish('stopped', {}) }\n");
    String verticles = "[{name: 'js:stops.js'}, {name: 'js:loop.js', stopTimeoutMs: '500'}]";
    long began;
    try (VerticleNode node = VerticleNode.start(directory, verticles)) {
      node.awaitCount("js:loop.js", "ticks", 1);
      BlockingQueue<JsonObject> seen = node.watch("#");
      for (int n = 0; n < 50; n++) {
        node.publish(List.of(line("a", "{}")));
        assertTrue(seen.poll(60, TimeUnit.SECONDS) != null);
      }
      began = System.nanoTime();
    }
    assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(30), "was not cut off");
    try (VerticleNode again = VerticleNode.start(directory, "[]")) {
      assertEquals(1, again.history("stopped", 1).size());
    }
  }

  @Test
  void vertxIsThereForWhatElseIsNeeded() throws Exception {
    write(
        "http.js",
        """
        function start() {
          return vertx.createHttpServer()
            .requestHandler(request => request.response().end(`${galop.instance}/${galop.instances}`))
            .listen(0, '127.0.0.1')
            .onSuccess(server => galop.publish('port', { port: server.actualPort() }))
        }
        """);
    try (VerticleNode node = VerticleNode.start(directory, "[{name: 'js:http.js'}]")) {
      int port = node.history("port", 1).get(0).getJsonObject("data").getInteger("port");
      assertEquals("0/1", VerticleNode.body("http://127.0.0.1:" + port + "/"));
    }
  }
}
