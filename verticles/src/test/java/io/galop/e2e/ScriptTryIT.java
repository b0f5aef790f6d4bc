package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A script is tried on records of a node that runs, live ones and what its commands print. */
@Timeout(300)
class ScriptTryIT {
  private static final int TOPICS = 3;
  private static final String PAD = "x".repeat(1_000);
  @TempDir Path directory;

  /** A node that is fed until it is closed: ten records at a time, numbered from 0. */
  private static final class FedNode implements AutoCloseable {
    private final GalopProcess node;
    private final long pauseMs;
    private final Thread feed = new Thread(this::feed, "feed");
    private volatile boolean ended;
    private volatile int acknowledged;

    /**
     * @param pauseMs between ten records and the next ten
     */
    FedNode(Path data, long pauseMs) {
      this.pauseMs = pauseMs;
      node = GalopProcess.run(data, List.of(), List.of());
      feed.start();
    }

    private void feed() {
      try {
        for (int n = 0; !ended; n += 10) {
          StringBuilder lines = new StringBuilder();
          IntStream.range(n, n + 10)
              .mapToObj(
                  i ->
                      "{\"topic\":\"try/%d\",\"id\":\"r%d\",\"time\":%d,\"data\":{\"n\":%d,\"pad\":\"%s\"}}\n"
                          .formatted(i % TOPICS, i, 1_000_000L + i, i, PAD))
              .forEach(lines::append);
          var answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines.toString());
          acknowledged += new JsonObject(answer.body()).getInteger("accepted");
          TimeUnit.MILLISECONDS.sleep(pauseMs);
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    String url() {
      return "http://" + node.address("http");
    }

    void stop() throws InterruptedException {
      ended = true;
      feed.join();
    }

    @Override
    public void close() throws Exception {
      stop();
      node.close();
    }
  }

  private String script(String pause) throws Exception {
    return Files.writeString(
            directory.resolve("twice.js"),
            """
            let seen = 0
            function enrich(record, state) {
              %s
              if (record.data.n %% 10 === 7) throw new RangeError('no sevens')
              if (record.data.n %% 10 === 5) return null
              state.calls = (state.calls || 0) + 1
              return { data: { n: record.data.n, twice: 2 * record.data.n, seen: ++seen, calls: state.calls } }
            }
            """
                .formatted(pause))
        .toString();
  }

  private static List<JsonObject> records(String text) {
    return text.lines().filter(line -> line.startsWith("{")).map(JsonObject::new).toList();
  }

  /**
   * Of each topic the records in their order and without a gap, all but fives and sevens, with what
   * the state has counted; and every record in the sum.
   */
  private static void assertTried(String text, int count) {
    List<JsonObject> made = records(text);
    for (int topic = 0; topic < TOPICS; topic++) {
      String name = "try/" + topic;
      assertTopic(made.stream().filter(r -> r.getString("topic").equals(name)).toList());
    }
    for (int i = 0; i < made.size(); i++) {
      assertEquals(i + 1, made.get(i).getJsonObject("data").getInteger("seen"));
    }
    long failed =
        text.lines()
            .filter(line -> line.endsWith("rejected: RangeError: no sevens (twice.js, line 4)"))
            .count();
    String sum =
        String.format(
            Locale.ROOT,
            "%,d records in, %,d out, %,d dropped, %,d failed; ",
            count,
            made.size(),
            count - made.size() - failed,
            failed);
    assertTrue(text.lines().anyMatch(line -> line.startsWith(sum)), sum + "\n" + text);
    assertTrue(failed > 0 && made.size() >= count / 2, text);
  }

  private static void assertTopic(List<JsonObject> made) {
    int n = number(made.get(0));
    int calls = 0;
    for (JsonObject record : made) {
      while (n % 10 == 5 || n % 10 == 7) {
        n += TOPICS;
      }
      JsonObject data = record.getJsonObject("data");
      assertEquals(n, number(record), made::toString);
      assertEquals("r" + n, record.getString("id"));
      assertEquals(1_000_000L + n, record.getLong("time"));
      assertEquals(2 * n, data.getInteger("twice"));
      assertEquals(++calls, data.getInteger("calls"));
      n += TOPICS;
    }
  }

  private static int number(JsonObject record) {
    return record.getJsonObject("data").getInteger("n");
  }

  @Test
  void liveRecordsAreTriedAndTheNodeIsLeftAsItIs() throws Exception {
    try (FedNode fed = new FedNode(directory.resolve("data"), 50)) {
      String script = script("");
      Cli.Ended tried =
          Cli.run("script", "try", script, "--from", "try/#", "--url", fed.url(), "--count", "60");
      assertEquals(1, tried.code(), tried.text());
      assertTried(tried.text(), 60);
      assertEquals(
          1, tried.text().lines().filter(l -> l.contains("JavaScript and Python")).count());
      String one =
          Cli.ok(
              "script",
              "try",
              "celsius.js",
              "--setting",
              "field=n",
              "--from",
              "try/0",
              "--url",
              fed.url(),
              "--count=1");
      assertTrue(one.contains("1 records in"), one);
      fed.stop();
      Cli.Ended nowhere =
          Cli.run("script", "try", script, "--from", "try/#", "--url", "http://127.0.0.1:1");
      assertEquals(1, nowhere.code(), nowhere.text());
      assertTrue(nowhere.text().contains("no live feed at http://127.0.0.1:1"), nowhere.text());
      Cli.Ended noUrl = Cli.run("script", "try", script, "--from", "a", "--url", "127.0.0.1:80");
      assertEquals(2, noUrl.code(), noUrl.text());
      assertTrue(noUrl.text().contains("--url must be http://HOST:PORT"), noUrl.text());
      Cli.Ended wrong = Cli.run("script", "try", script, "--from", "a//b", "--url", fed.url());
      assertEquals(2, wrong.code(), wrong.text());
      assertTrue(wrong.text().contains("there is no file a//b, and filter 'a//b'"), wrong.text());
      String stored = Stored.get(fed.node.http("/history/try/%23?limit=10000")).body();
      assertEquals(fed.acknowledged, stored.lines().count());
      assertTrue(!stored.contains("twice"), "what was tried is shown to nobody else");
    }
  }

  @Test
  void whatCommandsPrintIsTriedToo() throws Exception {
    Path data = directory.resolve("data");
    String script = script("");
    Path live = directory.resolve("live.jsonl");
    Path history = directory.resolve("history.jsonl");
    int count;
    try (FedNode fed = new FedNode(data, 200)) {
      Files.writeString(live, Cli.ok("subscribe", "try/#", "--url", fed.url(), "--count", "40"));
      fed.stop();
      count = fed.acknowledged;
      Files.writeString(history, Cli.ok("history", "try/#", "--url", fed.url(), "--limit=10000"));
    }
    Path log = directory.resolve("log.jsonl");
    Files.writeString(log, Cli.ok("log", "export", "--data-dir", data.toString()));
    assertTried(tried(script, live), 40);
    assertTried(tried(script, history), count);
    assertEquals(count * 8 / 10, records(tried(script, log)).size());
  }

  private static String tried(String script, Path from) throws Exception {
    Cli.Ended tried = Cli.run("script", "try", script, "--from", from.toString());
    assertEquals(1, tried.code(), tried.text());
    return tried.text();
  }

  /** More wait than are held between the feed and the script: then the feed waits too. */
  @Test
  void aSlowScriptMissesNothing() throws Exception {
    try (FedNode fed = new FedNode(directory.resolve("data"), 50)) {
      int count = 400;
      String script = script("for (const end = Date.now() + 10; Date.now() < end;) { }");
      Cli.Ended tried =
          Cli.run(
              "script", "try", script, "--from", "try/#", "--url", fed.url(), "--count=" + count);
      assertTried(tried.text(), count);
    }
  }
}
