package io.galop.cli.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against a server that answers page by page. */
@Timeout(180)
class HistoryCommandTest {
  private record Page(Map<String, String> headers, String body) {}

  private final Vertx vertx = Vertx.vertx();
  private final TestConsole console = new TestConsole();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Queue<Page> pages = new ArrayDeque<>();
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

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private void serve(HttpServerRequest request) {
    asked.add(request.getHeader("Accept") + " " + request.uri());
    Page page = pages.remove();
    page.headers().forEach(request.response()::putHeader);
    request.response().end(page.body());
  }

  private String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  @Test
  void rowsOfCsvComeToTheirEndUnderOneLineOfNames() {
    pages.add(
        new Page(
            Map.of(
                "X-Galop-Next",
                "60%3As%2F%C3%A4",
                "X-Galop-Incomplete",
                "persist.history.maxFolded"),
            "time,topic\r\n0,s/a\r\n60,s/ä\r\n"));
    pages.add(new Page(Map.of(), "time,topic\r\n120,s/a\r\n"));
    int exit =
        console.run(
            "history",
            "s/#",
            "--every",
            "1m",
            "--fields",
            "c",
            "--agg",
            "min",
            "--csv",
            "--url",
            url());
    assertEquals(0, exit, console.err());
    assertEquals("time,topic\r\n0,s/a\r\n60,s/ä\r\n120,s/a\r\n", console.out());
    assertEquals("", console.err(), "the next page has what the first lacks");
    String first = "text/csv /history/s/%23?every=1m&fields=c&agg=min";
    assertEquals(List.of(first, first + "&after=60%3As%2F%C3%A4"), asked);
  }

  @Test
  void allRecordsComePageByPageBehindTheLast() {
    pages.add(
        new Page(
            Map.of(),
            "{\"id\":\"a\",\"topic\":\"s/1\",\"time\":5}\n{\"id\":\"b:c\",\"topic\":\"s/2\",\"time\":-6}\n"));
    pages.add(new Page(Map.of(), "{\"id\":\"d\",\"topic\":\"s/1\",\"time\":7}\n"));
    pages.add(new Page(Map.of(), ""));
    assertEquals(0, console.run("history", "s/#", "--all", "--limit", "2", "--url", url()));
    assertEquals(3, console.out().lines().count());
    String first = "application/x-ndjson /history/s/%23?limit=2";
    assertEquals(
        List.of(first, first + "&after=-6%3Ab%3Ac%09s%2F2", first + "&after=7%3Ad%09s%2F1"), asked);
  }

  @Test
  void whatAnAnswerLacksIsTold() {
    pages.add(new Page(Map.of("X-Galop-Incomplete", "two, one/redis", "X-Galop-Next", "1:s"), ""));
    int exit =
        console.run(
            "history", "s", "--every", "1m", "--fields", "c", "--limit", "5", "--url", url());
    assertEquals(0, exit);
    assertTrue(
        console.err().contains("the answer is incomplete, without two, one/redis"), console.err());
    assertEquals(1, asked.size(), "a limit is a limit");
    assertEquals(2, console.run("history", "s", "--all", "--csv", "--url", url()));
  }
}
