package io.galop.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.json.JsonLine;
import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server that answers history with what the test wants, and takes what is published. */
@Timeout(180)
class HttpCommandsTest {
  private final Vertx vertx = Vertx.vertx();
  private final TestConsole console = new TestConsole();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> published = new CopyOnWriteArrayList<>();
  private final List<String> statuses = new CopyOnWriteArrayList<>();
  private String history = "";
  private int historyStatus = 200;
  private String incomplete = "";
  private String answer = "";
  private int answerStatus = 202;
  private HttpServer server;

  @BeforeEach
  void open() {
    server =
        vertx
            .createHttpServer(Http1.options())
            .requestHandler(this::serve)
            .listen(0, "127.0.0.1")
            .await();
  }

  /** The scheme is what is left out most often. */
  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1:8080", "localhost:8080", "ftp://a", "http:/a", "http://a:99999"})
  void whatIsNoAddressOfANodeIsWrongUsage(String url) {
    for (String command : List.of("history", "subscribe")) {
      TestConsole told = new TestConsole();
      assertEquals(2, told.run(command, "a", "--url", url), told.err());
      String right = "--url must be http://HOST:PORT or https://HOST:PORT";
      assertTrue(told.err().contains(right), told.err());
    }
    assertEquals(2, console.run("status", "--url", url), console.err());
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private void serve(HttpServerRequest request) {
    asked.add(request.method() + " " + request.uri() + " " + request.getHeader("Authorization"));
    if (request.path().equals("/publish")) {
      request
          .body()
          .onSuccess(
              body -> {
                published.addAll(body.toString().lines().toList());
                request.response().setStatusCode(answerStatus).end(answer);
              });
    } else if (!statuses.isEmpty()) {
      request.response().end(statuses.remove(0));
    } else {
      if (!incomplete.isEmpty()) {
        request.response().putHeader("X-Galop-Incomplete", incomplete);
      }
      request.response().setStatusCode(historyStatus).end(history);
    }
  }

  private String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  @Test
  void historyStreamsLinesAndEncodesFilterAndTimes() {
    history = "{\"id\":\"1\"}\n{\"id\":\"2\"}\n";
    int exit =
        console.run(
            "history",
            "race/+/runner 1/#",
            "--from",
            "1970-01-01T00:00:05Z",
            "--limit",
            "2",
            "--order",
            "desc",
            "--url",
            url());
    assertEquals(0, exit, console.err());
    assertEquals(history, console.out());
    assertEquals(
        List.of("GET /history/race/%2B/runner%201/%23?from=5000000&limit=2&order=desc null"),
        asked);
  }

  @Test
  void aRefusedHistoryIsWrongUsageAndABrokenOneAFailure() {
    historyStatus = 400;
    history = "limit must be at most 10000";
    assertEquals(2, console.run("history", "a", "--limit", "99999", "--url", url()));
    assertTrue(console.err().contains("answers 400: limit must be at most 10000"), console.err());
    historyStatus = 503;
    assertEquals(1, console.run("history", "a", "--url", url()));
    assertEquals(2, console.run("history", "a", "--from", "noon", "--url", url()));
  }

  private static String letter(String id) {
    return ("{\"id\":\"L\",\"topic\":\"$dead-letter/script/s\",\"time\":9,\"data\":{\"id\":\"%s\",\"topic\":\"odds/raw\",\"timeUs\":7,\"reason\":\"script_failed\",\"detail\":\"boom\",\"data\":{\"x\":1.50}}}\n")
        .formatted(id);
  }

  @Test
  void redrivesTheOriginalsUnderNewIds() {
    history = letter("a") + letter("b") + letter("b~1") + letter("c#2") + letter("s~1");
    history += letter("s~2");
    answer = "{\"accepted\":5,\"rejected\":[]}";
    int exit =
        console.run("dead-letter", "redrive", "--script", "s", "--token", "t", "--url", url());
    assertEquals(0, exit, console.err());
    assertEquals(
        List.of(
            "{\"topic\":\"odds/raw\",\"id\":\"a~1\",\"time\":7,\"data\":{\"x\":1.50}}",
            "{\"topic\":\"odds/raw\",\"id\":\"b~2\",\"time\":7,\"data\":{\"x\":1.50}}",
            "{\"topic\":\"odds/raw\",\"id\":\"c.2~1\",\"time\":7,\"data\":{\"x\":1.50}}",
            "{\"topic\":\"odds/raw\",\"id\":\"s~1~1\",\"time\":7,\"data\":{\"x\":1.50}}",
            "{\"topic\":\"odds/raw\",\"id\":\"s~2~1\",\"time\":7,\"data\":{\"x\":1.50}}"),
        published);
    assertEquals(
        List.of("GET /history/%24dead-letter/script/s?limit=1000 null", "POST /publish Bearer t"),
        asked);
    assertEquals(List.of("acknowledged 5 of 5"), console.outLines());
  }

  @Test
  void redrivePassesOverMessagesOfKafka(@TempDir Path directory) throws Exception {
    String ofKafka = letter("k").replace("$dead-letter/script/s", "$dead-letter/kafka/plant");
    history = ofKafka + letter("a");
    answer = "{\"accepted\":1,\"rejected\":[]}";
    assertEquals(0, console.run("dead-letter", "redrive", "--url", url()), console.err());
    String record = "{\"topic\":\"odds/raw\",\"id\":\"a~1\",\"time\":7,\"data\":{\"x\":1.50}}";
    assertEquals(List.of(record), published);
    assertEquals(List.of("acknowledged 1 of 1"), console.outLines());
    assertTrue(console.err().contains("passed over 1 that are"), console.err());

    Path file = Files.writeString(directory.resolve("m.ndjson"), aboutALetterOfKafka());
    assertEquals(
        0, console.run("dead-letter", "redrive", "--file", file.toString(), "--url", url()));
    assertEquals(List.of(record), published);
  }

  @Test
  void redriveReadsBeyondLettersThatItPassesOver() {
    String ofKafka = letter("k").replace("$dead-letter/script/s", "$dead-letter/kafka/plant");
    statuses.addAll(List.of(ofKafka, letter("a")));
    answer = "{\"accepted\":1,\"rejected\":[]}";
    int exit = console.run("dead-letter", "redrive", "--limit", "1", "--url", url());
    assertEquals(0, exit, console.err());
    assertEquals(List.of("acknowledged 1 of 1"), console.outLines());
    assertEquals(
        "GET /history/%24dead-letter/%23?limit=1&after=9%3AL%09%24dead-letter%2Fkafka%2Fplant null",
        asked.get(1));
  }

  @Test
  void lettersOfANodeThatDoesNotAnswerAreMissed() {
    incomplete = "node-2";
    history = letter("a");
    answer = "{\"accepted\":1,\"rejected\":[]}";
    for (String how : List.of("list", "redrive")) {
      assertEquals(1, console.run("dead-letter", how, "--url", url()));
      assertTrue(console.err().contains("no answer of node-2"), console.err());
    }
    assertEquals(1, published.size());
  }

  @Test
  void allAndPointsExcludeEachOther() {
    int exit = console.run("history", "a", "--points", "5", "--all", "--url", url());
    assertEquals(2, exit);
    assertTrue(console.err().contains("leave out --all"), console.err());
    assertEquals(List.of(), asked);
  }

  /** As a store makes one. */
  private static String aboutALetterOfKafka() {
    String data =
        new String(JsonLine.scan(letter("k").getBytes(UTF_8), Set.of("data")).get("data"), UTF_8);
    return "{\"id\":\"k#m\",\"topic\":\"$dead-letter/kafka/plant\",\"timeUs\":7,\"data\":%s}\n"
        .formatted(data);
  }

  @Test
  void redrivesTheFileOfAStore(@TempDir Path directory) throws Exception {
    String data =
        new String(JsonLine.scan(letter("a").getBytes(UTF_8), Set.of("data")).get("data"), UTF_8);
    String about = "{\"id\":\"a#m\",\"topic\":\"$dead-letter/store/m\",\"timeUs\":7,\"data\":";
    Path file = directory.resolve("m.ndjson");
    Files.writeString(
        file, data.replace("\"a\"", "\"b\"") + "\n{\"id\":\"to\n" + about + data + "}\n");
    answer = "{\"accepted\":2,\"rejected\":[]}";
    assertEquals(
        1, console.run("dead-letter", "redrive", "--file", file.toString(), "--url", url()));
    assertEquals(
        List.of(
            "{\"topic\":\"odds/raw\",\"id\":\"b~1\",\"time\":7,\"data\":{\"x\":1.50}}",
            "{\"topic\":\"odds/raw\",\"id\":\"a~1\",\"time\":7,\"data\":{\"x\":1.50}}"),
        published);
    assertEquals(List.of("acknowledged 2 of 2"), console.outLines());
    assertTrue(console.err().contains("m.ndjson: line 2 is no valid JSON"), console.err());
  }

  @Test
  void redriveNamesWhatIsRefusedAgain() {
    history = letter("a");
    answerStatus = 400;
    answer =
        "{\"accepted\":0,\"rejected\":[{\"line\":1,\"reason\":\"too_large\",\"detail\":\"by"
            + " far\"}]}";
    assertEquals(1, console.run("dead-letter", "redrive", "--url", url()));
    assertEquals(List.of("acknowledged 0 of 1"), console.outLines());
    assertTrue(console.err().contains("dead letter 1 rejected: too_large: by far"), console.err());
  }

  @Test
  void listPrintsThemAll() {
    history = letter("a") + letter("b");
    assertEquals(0, console.run("dead-letter", "list", "--limit", "5", "--url", url()));
    assertEquals(history, console.out());
    assertEquals(List.of("GET /history/%24dead-letter/%23?limit=5 null"), asked);
  }

  private static String status(boolean ready, long timeMs, long taken, long stored) {
    return ("{\"node\":\"n\",\"ready\":%b,\"reasons\":{%s},\"timeMs\":%d,\"uptimeMs\":3723000,"
            + "\"members\":[],\"listeners\":{},\"records\":{\"taken\":%d},\"log\":{\"bytes\":5000000,"
            + "\"segments\":2,\"queueBytes\":0,\"overQuota\":true,\"damaged\":0},\"sinks\":[{\"name\":"
            + "\"redis\",\"lagRecords\":1500,\"lagBytes\":90000,\"lagSeconds\":2.5,\"stored\":%d,"
            + "\"retries\":4,\"deadLetters\":1}],\"feed\":{\"followers\":1,\"lagRecords\":0}}")
        .formatted(ready, ready ? "" : "\"feed\":\"nobody stores\"", timeMs, taken, stored);
  }

  @Test
  void statusShowsRatesBetweenTwoAnswers() {
    statuses.addAll(List.of(status(true, 1_000, 100, 50), status(true, 3_000, 1_100, 1_050)));
    assertEquals(0, console.run("status", "--interval-ms", "1", "--url", url()), console.err());
    assertEquals("n is ready, up 1:02:03", console.outLines().get(0));
    assertTrue(console.out().contains("taken 1,100 (500/s)"), console.out());
    assertTrue(
        console
            .out()
            .contains(
                "redis: behind 1,500 records, 90,000 bytes, 2.5 s, stored 1,050 (500/s), retries 4,"
                    + " dead letters 1"),
        console.out());
    assertTrue(console.out().contains("OVER QUOTA"), console.out());
  }

  @Test
  void statusOfANodeThatIsNotReadyFailsAndSaysWhy() {
    statuses.add(status(false, 1_000, 0, 0));
    assertEquals(1, console.run("status", "--interval-ms", "0", "--url", url()));
    assertEquals("n is NOT READY, up 1:02:03", console.outLines().get(0));
    assertTrue(console.outLines().get(1).endsWith("feed: nobody stores"), console.out());
  }

  @Test
  void statusOfSomethingElseFailsInOneSentence() {
    history = "<html>";
    assertEquals(1, console.run("status", "--url", url()));
    assertTrue(console.err().contains("is not the management port of a node"), console.err());
    historyStatus = 404;
    assertEquals(1, console.run("status", "--url", url()));
    assertTrue(console.err().contains("has no /status; is that the right port?"), console.err());
    assertEquals(2, console.run("status", "--url", "localhost:9090"));
    assertTrue(console.err().contains("--url must be http://HOST:PORT"), console.err());
  }
}
