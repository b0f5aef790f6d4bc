package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.Schema;
import io.galop.broadcast.edge.TestTokens;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/asyncapi.yaml describes what a node takes and sends: all of it, and nothing else. */
@Tag("slow")
@Timeout(180)
class AsyncApiTest extends FeedTest {
  private final HttpClient http = HttpClient.newHttpClient();
  private final Set<String> asked = new TreeSet<>();
  @TempDir private Path directory;
  private Map<String, Schema> ask;
  private Map<String, Schema> show;
  private Map<String, Schema> stream;

  private void read() throws Exception {
    AsyncApi api = AsyncApi.read();
    ask = api.messages("ask");
    show = api.messages("show");
    stream = api.messages("stream");
  }

  /** Sends what the document allows. */
  private void say(LiveClient client, JsonObject message) throws Exception {
    assertEquals(List.of(), AsyncApi.faults(ask, message));
    asked.add(message.getString("type"));
    client.send(message.encode());
  }

  private void register(LiveClient client, String filter, Object... headers) throws Exception {
    JsonObject named = new JsonObject();
    for (int i = 0; i < headers.length; i += 2) {
      named.put((String) headers[i], headers[i + 1]);
    }
    JsonObject message = new JsonObject().put("type", "register").put("address", filter);
    say(client, message.put("headers", named));
  }

  private CompletableFuture<List<JsonObject>> stream(String query, String token) {
    URI address = URI.create("http://127.0.0.1:" + feed.port() + "/stream/race/%23" + query);
    HttpRequest request =
        HttpRequest.newBuilder(address).header("Authorization", "Bearer " + token).build();
    return http.sendAsync(request, BodyHandlers.ofLines())
        .thenApplyAsync(answer -> answer.body().map(JsonObject::new).toList());
  }

  @Test
  void everyMessageIsDescribedAndEveryDescriptionIsOfAMessage() throws Exception {
    read();
    TestTokens issuer = TestTokens.of("HS256", directory);
    List<String> settings = new ArrayList<>(issuer.settings());
    settings.add("broadcast.freshness=[{filter: 'race/+/odds', maxAgeMs: 700}]");
    settings.add("broadcast.caps=[{topics: 'race/+/odds', maxRate: 100}]");
    settings.addAll(List.of("broadcast.staleAfterMs=4000", "broadcast.heartbeatMs=1000"));
    settings.addAll(List.of("broadcast.drainSeconds=1", "broadcast.drainWaitSeconds=1"));
    start(settings.toArray(String[]::new));
    String token = issuer.token("anna", 600, "race/#");
    LiveClient client =
        LiveClient.connect(feed.vertx, feed.port(), "/live/websocket?token=" + token);
    register(client, "race/#", "since", "", "snapshot", true);
    client.awaitFirst("live");
    feed.publish("race/1/odds", 1);
    client.awaitIds(1);
    String position = client.lastPosition();
    CompletableFuture<List<JsonObject>> lines = stream("?since=" + position, token);

    say(client, new JsonObject().put("type", "ping").put("clock", true));
    client.awaitFirst("pong");
    say(
        client,
        new JsonObject()
            .put("type", "shown")
            .put("pos", position)
            .put("time", 1)
            .put("error", 0.5));
    JsonObject headers = new JsonObject().put("token", issuer.token("anna", 900, "race/#"));
    say(client, new JsonObject().put("type", "token").put("headers", headers));
    client.awaitFirst("token");
    awaitWord(client, "stale", true);
    register(client, "race/1/+", "snapshot", "true", "mode", "latest", "maxRate", 5, "words", true);
    LiveClient.await("a snapshot", () -> client.count("live") >= 2);
    JsonObject wishes =
        new JsonObject().put("where", "data.n > 0").put("fields", "n").put("maxRate", "");
    JsonObject update = new JsonObject().put("type", "update").put("address", "race/1/+");
    say(client, update.put("headers", wishes));
    client.awaitFirst("updated");
    say(client, new JsonObject().put("type", "unregister").put("address", "race/1/+"));
    feed.publish("race/1/odds", 2);
    awaitWord(client, "fresh", true);
    register(client, "plant/#");
    client.send("{\"type\":\"nonsense\"}");
    LiveClient.await("both refusals", () -> client.count("err") >= 2);
    feed.eachOwner(owner -> owner.silent(true));
    awaitWord(client, "stale", false);
    feed.eachOwner(owner -> owner.silent(false));
    awaitWord(client, "fresh", false);
    Future<?> drained = feed.verticle.drain();
    LiveClient.await("farewell", client::isClosed);
    TestFeed.await(drained);

    assertTrue(client.all("err").get(2).containsKey("retryAfterMs"));
    assertDescribed(show, client.messages);
    assertDescribed(stream, lines.get(60, TimeUnit.SECONDS));
    assertEquals(ask.keySet(), asked, "what is described and nobody says");
  }

  private static void awaitWord(LiveClient client, String type, boolean isOfTopic)
      throws Exception {
    LiveClient.await(
        type,
        () -> client.all(type).stream().anyMatch(word -> word.containsKey("headers") == isOfTopic));
  }

  private static void assertDescribed(Map<String, Schema> messages, List<JsonObject> heard) {
    List<String> faults = new ArrayList<>();
    heard.forEach(message -> faults.addAll(AsyncApi.faults(messages, message)));
    assertEquals(List.of(), faults);
    Set<String> types =
        heard.stream().map(one -> one.getString("type")).collect(Collectors.toSet());
    assertEquals(messages.keySet(), new TreeSet<>(types), "what is described and nobody sends");
  }

  @Test
  void whatIsOtherwiseIsSeen() throws Exception {
    read();
    JsonObject headers = new JsonObject().put("topic", "a").put("pos", "1.2-3");
    JsonObject body = new JsonObject().put("id", "x").put("time", 1).put("data", new JsonObject());
    JsonObject record =
        new JsonObject()
            .put("type", "rec")
            .put("address", "a")
            .put("body", body)
            .put("headers", headers);
    assertEquals(List.of(), AsyncApi.faults(show, record));
    for (JsonObject wrong :
        List.of(
            record.copy().put("type", "other"),
            record.copy().put("more", 1),
            record.copy().put("headers", headers.copy().put("pos", "1-2")),
            record.copy().put("body", new JsonObject()))) {
      assertFalse(AsyncApi.faults(show, wrong).isEmpty(), wrong::encode);
    }
  }
}
