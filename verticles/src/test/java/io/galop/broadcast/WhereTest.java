package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Registrations that say which records they want, and what of them, and change their mind. */
@Tag("slow")
@Timeout(180)
class WhereTest extends FeedTest {
  private static final String EVEN = "data.n % 2 == 0";
  private static final String ODD = "data.n % 2 == 1";

  private LiveClient register(String filter, Object... headers) throws Exception {
    return register(feed.connect(), filter, headers);
  }

  private static LiveClient register(LiveClient client, String filter, Object... headers)
      throws Exception {
    client.send(message("register", filter, headers));
    return client;
  }

  private static String message(String type, String filter, Object... headers) {
    JsonObject named = new JsonObject();
    for (int i = 0; i < headers.length; i += 2) {
      named.put((String) headers[i], headers[i + 1]);
    }
    return new JsonObject().put("type", type).put("address", filter).put("headers", named).encode();
  }

  private static void update(LiveClient client, String filter, Object... headers) throws Exception {
    long before = client.count("updated");
    client.send(message("update", filter, headers));
    LiveClient.await("updated", () -> client.count("updated") > before);
  }

  private static List<Integer> numbers(LiveClient client) {
    return client.all("rec").stream().map(WhereTest::number).toList();
  }

  private static Integer number(JsonObject record) {
    return record.getJsonObject("body").getJsonObject("data").getInteger("n");
  }

  private static List<Integer> every(int step, int from, int to) {
    return IntStream.iterate(from, n -> n < to, n -> n + step).boxed().toList();
  }

  private static void awaitLast(LiveClient client, int number) throws Exception {
    LiveClient.await("record " + number, () -> numbers(client).contains(number));
  }

  @Test
  void sendsTheRecordsThatAreWantedLiveAndFromBefore() throws Exception {
    start();
    LiveClient even = register("a/#", "where", EVEN, "since", "");
    LiveClient odd = register("a/#", "where", ODD, "since", "");
    even.awaitFirst("live");
    odd.awaitFirst("live");
    feed.publish("a/1", 0, 100);
    awaitLast(even, 98);
    awaitLast(odd, 99);
    assertEquals(every(2, 0, 100), numbers(even));
    assertEquals(every(2, 1, 100), numbers(odd));

    LiveClient resumed = register("a/#", "where", EVEN, "since", since("a/1", 1, 50));
    resumed.awaitFirst("live");
    assertTrue(isComplete(resumed));
    assertEquals(every(2, 50, 100), numbers(resumed));

    feed.publish("a/2", 100);
    LiveClient snapshot = register("a/#", "where", EVEN, "snapshot", true);
    snapshot.awaitFirst("live");
    assertEquals(List.of(100), numbers(snapshot), "the latest of a/1 is odd");
  }

  /** What is sent is what the condition says over all that was published. */
  @Test
  void changesWithoutAGapAndWithoutASnapshot() throws Exception {
    start();
    LiveClient client = register("a/1", "where", EVEN, "since", "");
    client.awaitFirst("live");
    feed.publish("a/1", 0, 10);
    awaitLast(client, 8);
    update(client, "a/1", "where", ODD);
    feed.publish("a/1", 10, 20);
    awaitLast(client, 19);
    update(client, "a/1", "where", "");
    feed.publish("a/1", 20, 30);
    awaitLast(client, 29);
    List<Integer> expected = new ArrayList<>(every(2, 0, 10));
    expected.addAll(every(2, 11, 20));
    expected.addAll(every(1, 20, 30));
    assertEquals(expected, numbers(client));
    assertEquals(1, client.count("live"), "no second snapshot");
  }

  /** Nothing behind the answer is of the old condition, nor is anything missing. */
  @Test
  void changesWhatWaitsForASlowConnectionToo() throws Exception {
    start(
        "broadcast.outboxBytes=4096",
        "broadcast.socketBytes=4608",
        "broadcast.where.maxLoadPercent=90");
    int records = 20_000;
    LiveClient client = register("a/1", "where", EVEN, "since", "");
    client.awaitFirst("live");
    client.stall();
    feed.publish("a/1", 0, records);
    Thread.sleep(500);
    client.send(message("update", "a/1", "where", ODD));
    Thread.sleep(200);
    client.goOn();
    feed.publish("a/1", records, records + 2);
    LiveClient.await("the last", () -> numbers(client).contains(records + 1));
    int answer = client.messages.indexOf(client.awaitFirst("updated"));
    List<Integer> before = numbersOf(client.messages.subList(0, answer));
    List<Integer> after = numbersOf(client.messages.subList(answer, client.messages.size()));
    assertEquals(every(2, 0, before.size() * 2), before);
    int first = after.get(0);
    assertTrue(first < records, "it was behind, and goes on at " + first);
    assertEquals(last(before) + 1, first, "nothing is missing between the two");
    assertEquals(every(2, first, records + 2), after);
    LiveClient.await("the books balance", () -> feed.counted("waiting") == 0);
  }

  private static int last(List<Integer> numbers) {
    return numbers.get(numbers.size() - 1);
  }

  private static List<Integer> numbersOf(List<JsonObject> messages) {
    return messages.stream()
        .filter(message -> "rec".equals(message.getString("type")))
        .map(WhereTest::number)
        .toList();
  }

  /** The newest that is wanted, not the newest. */
  @Test
  void conflatesWhatIsWanted() throws Exception {
    start();
    LiveClient client = register("a/1", "where", EVEN, "maxRate", 2, "since", "");
    client.awaitFirst("live");
    feed.publish("a/1", 0, 100);
    awaitLast(client, 98);
    assertTrue(numbers(client).stream().allMatch(n -> n % 2 == 0), numbers(client).toString());
    feed.publish("a/1", 100, 103);
    update(client, "a/1", "where", ODD);
    feed.publish("a/1", 103);
    awaitLast(client, 103);
    int answer = client.messages.indexOf(client.awaitFirst("updated"));
    List<JsonObject> after = client.messages.subList(answer, client.messages.size());
    assertEquals(List.of(103), numbersOf(after));
  }

  @Test
  void showsTheFieldsThatAreWanted() throws Exception {
    start();
    LiveClient client = register("a/1", "fields", "m,o", "where", "data.n == 1", "since", "");
    client.awaitFirst("live");
    String data = "{\"n\":1,\"m\":2,\"o\":{\"n\":3}}";
    feed.onOwner("a/1", owner -> owner.publish("a/1", "x", data));
    client.awaitIds(1);
    update(client, "a/1", "fields", List.of("n"));
    feed.onOwner("a/1", owner -> owner.publish("a/1", "y", data));
    client.awaitIds(2);
    List<String> shown =
        client.all("rec").stream()
            .map(record -> record.getJsonObject("body").getJsonObject("data").encode())
            .toList();
    assertEquals(List.of("{\"m\":2,\"o\":{\"n\":3}}", "{\"n\":1}"), shown);
  }

  @Test
  void tellsNothingOfWhatATokenHides(@TempDir Path directory) throws Exception {
    TestTokens issuer = TestTokens.of("ES256", directory);
    start(issuer.settings().toArray(String[]::new));
    JsonObject view = new JsonObject().put("omit", List.of("n"));
    String token = issuer.sign(TestTokens.claims("anna", 600, "#").put("view", view));
    LiveClient client =
        LiveClient.connect(feed.vertx, feed.port(), "/live/websocket?token=" + token);
    register(client, "a/1", "where", "data.n == 1", "fields", "n", "since", "");
    register(client, "a/+", "where", "!has(data.n)", "fields", "n", "since", "");
    LiveClient.await("both", () -> client.count("live") == 2);
    feed.publish("a/1", 1);
    client.awaitIds(1);
    client.settle();
    assertEquals(1, client.count("rec"));
    JsonObject record = client.all("rec").get(0);
    assertEquals("a/+", record.getString("address"));
    assertEquals("{}", record.getJsonObject("body").getJsonObject("data").encode());
  }

  /** The latest record is odd; of the even one before it nothing is kept. */
  @Test
  void theNewestOfAllDoesNotMakeUpForTheNewestThatIsWanted() throws Exception {
    start();
    LiveClient first = register("a/1", "where", EVEN, "mode", "latest", "since", "");
    assertTrue(isComplete(first));
    feed.publish("a/1", 0, 4);
    awaitLast(first, 2);
    LiveClient back = register("a/1", "where", EVEN, "mode", "latest", "since", since("a/1", 1, 1));
    assertFalse(isComplete(back));
  }

  @Test
  void asManyAsAllowedAlsoWhereTheyWaitForTheirAnswers() throws Exception {
    start("broadcast.where.maxConditions=1");
    for (String known : List.of(EVEN, ODD)) {
      LiveClient before = register("a/1", "where", known, "since", "");
      before.awaitFirst("live");
      before.send(message("unregister", "a/1"));
      before.settle();
    }
    LiveClient client = register("a/1", "where", EVEN, "since", "");
    register(client, "a/2", "where", ODD, "since", "");
    assertEquals("max_handlers_reached", client.awaitFirst("err").getString("body"));
    client.awaitFirst("live");
    client.settle();
    assertEquals(1, client.count("live"));
  }

  private static String slowToRead(int number) {
    return "data.n == 1 || ".repeat(60) + "data.n == " + number;
  }

  /** A client does not come back by itself if a registration is refused. */
  @Test
  void whoComesWhileTooManyConditionsAreReadComesBack() throws Exception {
    start();
    LiveClient client = feed.connect();
    try {
      for (int i = 0; i < 90; i++) {
        client.send(message("register", "a/" + i, "where", slowToRead(i)));
      }
    } catch (ExecutionException closed) {
      // As it is meant to be.
    }
    LiveClient.await("the end", client::isClosed);
    assertEquals("busy", client.awaitFirst("err").getString("body"));
    assertEquals(1, client.count("err"));
  }

  @Test
  void oneConnectionHasOnlySoManyConditionsRead() throws Exception {
    start("broadcast.maxFilters=2");
    LiveClient client = feed.connect();
    for (int i = 0; i < 20; i++) {
      client.send(message("register", "a/1", "where", slowToRead(i)));
      client.send(message("unregister", "a/1"));
    }
    assertEquals("max_handlers_reached", client.awaitFirst("err").getString("body"));
  }

  @Test
  void refusesWhatItCannotDo() throws Exception {
    start("broadcast.where.maxConditions=1", "broadcast.where.maxCharacters=40");
    LiveClient client = register("a/1", "where", "data.n >");
    client.awaitFirst("err");
    register(client, "a/1", "where", "true || " + "true || ".repeat(10) + "true");
    register(client, "a/1", "where", EVEN, "since", "");
    client.awaitFirst("live");
    register(client, "a/2", "where", ODD);
    LiveClient.await("three refusals", () -> client.count("err") >= 3);
    client.send(message("update", "a/3", "where", EVEN));
    client.send(message("update", "a/1", "mode", "latest"));
    LiveClient.await("five refusals", () -> client.count("err") >= 5);
    List<String> words = client.all("err").stream().map(err -> err.getString("body")).toList();
    assertEquals(
        List.of(
            "invalid_header",
            "invalid_header",
            "max_handlers_reached",
            "not_registered",
            "invalid_header"),
        words);
    String first = client.all("err").get(0).getString("message");
    assertTrue(first.startsWith("header where: column "), first);
    feed.publish("a/1", 1, 3);
    client.awaitIds(1);
    assertEquals(List.of(2), numbers(client), "a refused update changes nothing");
  }

  private HttpResponse<Stream<String>> stream(String query) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + feed.port() + "/stream/a/%23?" + query);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofLines());
  }

  @Test
  void aStreamTakesTheSame() throws Exception {
    start();
    feed.publish("a/1", 0, 10);
    String wrong = URLEncoder.encode("data.n ==", StandardCharsets.UTF_8);
    for (int i = 0; i < 2; i++) {
      HttpResponse<Stream<String>> refused = stream("where=" + wrong);
      assertEquals(400, refused.statusCode());
      String why = refused.body().findFirst().orElseThrow();
      assertTrue(why.contains("header where: column "), why);
    }
    String where = URLEncoder.encode(ODD, StandardCharsets.UTF_8);
    String since = since("a/1", 1, 4);
    List<JsonObject> lines =
        stream("where=" + where + "&fields=m&since=" + since)
            .body()
            .map(JsonObject::new)
            .takeWhile(line -> !"live".equals(line.getString("type")))
            .toList();
    List<String> ids =
        lines.stream()
            .filter(line -> "rec".equals(line.getString("type")))
            .map(line -> line.getJsonObject("body").getString("id"))
            .toList();
    assertEquals(List.of("a/1:5", "a/1:7", "a/1:9"), ids);
    Map<String, Object> data =
        lines.get(lines.size() - 1).getJsonObject("body").getJsonObject("data").getMap();
    assertEquals(Map.of(), data);
  }
}
