package io.galop.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions about the past, to a node that answers what it is told to. */
@Timeout(60)
class HistoryTest {
  private FakeNode node;
  private GalopClient client;

  @BeforeEach
  void start() throws Exception {
    node = new FakeNode();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    node.close();
  }

  @Test
  void asksForThePast() throws Exception {
    client = GalopClient.builder().url(node.url()).token("t").connect();
    node.viewer();
    node.requests.clear();
    node.answer =
        "200 {\"id\":\"a\",\"topic\":\"race/1\",\"time\":5,\"data\":{\"n\":1},\"pos\":\"1.2-3\"}\n"
            + "{\"id\":\"b\",\"topic\":\"race/1\",\"time\":6,\"data\":{\"n\":2}}\n";
    HistoryQuery query = HistoryQuery.create().from(Instant.EPOCH).limit(2).newestFirst();
    History history = past(query);
    assertEquals(
        "GET /history/race/%23?from=1970-01-01T00%3A00%3A00Z&limit=2&order=desc Bearer t",
        node.requests.take());
    assertEquals("{\"n\":1}", history.records().get(0).json());
    assertEquals("", history.incomplete());
    past(query.after(history.records().get(1)));
    assertTrue(node.requests.take().contains("&after=6%3Ab%09race%2F1 "));
    node.answer = "400 {\"error\":\"limit is wrong\",\"reason\":\"invalid_limit\"}";
    CompletionException thrown = assertThrows(CompletionException.class, () -> past(query));
    FeedException why = assertInstanceOf(FeedException.class, thrown.getCause());
    assertEquals("invalid_limit 400", why.reason() + " " + why.code());
  }

  @Test
  void asksForRowsOfThePast() throws Exception {
    client = GalopClient.connect(node.url());
    node.viewer();
    node.requests.clear();
    node.headers = "X-Galop-Incomplete: two\r\nX-Galop-Next: 60000000%3Arace%2Fa%20b\r\n";
    node.answer =
        "200 {\"topic\":\"race/1\",\"time\":0,\"data\":{\"n\":{\"min\":1,\"avg\":1.5}},\"part\":true}\n"
            + "{\"topic\":\"race/2\",\"time\":0,\"data\":{\"n\":{\"min\":2,\"avg\":null}}}\n";
    HistoryQuery query =
        HistoryQuery.create().every(Duration.ofMinutes(1)).fields("n", "a.b").agg("min", "avg");
    HistoryRows answer = client.rows("race/#", query).toCompletableFuture().join();
    assertEquals(
        "GET /history/race/%23?every=60000ms&fields=n%2Ca.b&agg=min%2Cavg", node.requests.take());
    HistoryRows.Row first = answer.rows().get(0);
    assertEquals("race/1 0 true", first.topic() + " " + first.time() + " " + first.isPart());
    assertEquals(Map.of("n", Map.of("min", 1L, "avg", 1.5)), first.data());
    assertFalse(answer.rows().get(1).isPart());
    assertEquals("two", answer.incomplete());
    client.rows("race/#", query.after(answer)).toCompletableFuture().join();
    String next = node.requests.take();
    assertTrue(next.endsWith("&after=60000000%3Arace%2Fa+b"), next);
    assertThrows(
        IllegalArgumentException.class,
        () -> query.after(new HistoryRows(List.of(), "", "", false)));
    assertThrows(IllegalArgumentException.class, () -> client.history("race/#", query));
    assertThrows(
        IllegalArgumentException.class, () -> client.rows("race/#", HistoryQuery.create()));
  }

  @Test
  void asksForPointsOfThePast() throws Exception {
    client = GalopClient.connect(node.url());
    node.viewer();
    node.requests.clear();
    node.headers = "X-Galop-Reduced: true\r\nX-Galop-Next: 5%3Arace%2F1\r\n"; // as nodes once did
    node.answer = "200 {\"topic\":\"race/1\",\"time\":5,\"data\":{\"n\":2.5}}\n";
    HistoryQuery query = HistoryQuery.create().points(3).fields("n");
    HistoryRows answer = client.rows("race/1", query).toCompletableFuture().join();
    assertEquals("GET /history/race/1?points=3&fields=n", node.requests.take());
    assertEquals(Map.of("n", 2.5), answer.rows().get(0).data());
    assertTrue(answer.isReduced());
    assertEquals("", answer.next());
    assertThrows(IllegalArgumentException.class, () -> query.after(answer));
    assertThrows(IllegalArgumentException.class, () -> client.history("race/1", query));
  }

  @Test
  void saysWhatAnAnswerIsThatIsNoneOfANode() throws Exception {
    client = GalopClient.connect(node.url());
    node.viewer();
    for (String body :
        List.of("<html><body>Sign in, please</body></html>", "{\"status\":\"up\"}")) {
      node.answer = "200 " + body;
      CompletionException thrown =
          assertThrows(CompletionException.class, () -> past(HistoryQuery.create()));
      FeedException why = assertInstanceOf(FeedException.class, thrown.getCause());
      assertEquals("invalid_answer 200", why.reason() + " " + why.code());
      assertTrue(String.valueOf(why.getMessage()).contains(body), why.getMessage());
      assertTrue(String.valueOf(why.getMessage()).contains("status 200"), why.getMessage());
    }
  }

  private History past(HistoryQuery query) {
    return client.history("race/#", query).toCompletableFuture().join();
  }
}
