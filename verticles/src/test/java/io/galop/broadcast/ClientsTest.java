package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.hub.Disconnect;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified clients from npm on all transports that they have outside of a browser. */
@Tag("slow")
@Timeout(180)
class ClientsTest extends FeedTest {
  /** What is easily broken on the way: quotes, line ends, control characters, other scripts. */
  private static final List<String> TEXTS =
      List.of(
          "plain",
          "a\"b\\c/",
          "tab\t line\n cr\r",
          "\u0001\u001f",
          "\u2028\u2029\u200c",
          "\ufffe",
          "Zażółć gęślą jaźń",
          "競馬",
          "🐎🏁",
          "</script>");

  private String url;

  @BeforeEach
  void startFeed() throws Exception {
    startAt();
  }

  private void startAt(String... settings) throws Exception {
    start(settings);
    url = "http://127.0.0.1:" + feed.port() + "/live";
  }

  private static String data(int n) {
    return new JsonObject().put("n", n).put("text", TEXTS.get(n % TEXTS.size())).encode();
  }

  private void publish(int from, int to) throws Exception {
    for (int n = from; n < to; n++) {
      String topic = "race/" + n % 7;
      String id = "é" + n;
      String data = data(n);
      feed.onOwners(() -> feed.owner(topic).publish(topic, id, data));
    }
  }

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(n -> "é" + n).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "xhr-streaming", "xhr-polling", "eventsource"})
  void seesEveryRecordOnceAndUnchanged(String transport) throws Exception {
    publish(0, 7);
    try (NodeClient client =
        NodeClient.start("viewer.js", url, transport, "race/#", "--snapshot")) {
      client.await("live", 1);
      for (int n = 7; n < 307; n += 10) {
        publish(n, n + 10);
        Thread.sleep(2);
      }
      client.await("rec", 307);
      assertEquals(transport, client.all("open").get(0).getString("transport"));
      assertEquals(ids(0, 307).stream().sorted().toList(), client.ids().stream().sorted().toList());
      for (JsonObject record : client.all("rec")) {
        JsonObject data = record.getJsonObject("body").getJsonObject("data");
        assertEquals(new JsonObject(data(data.getInteger("n"))), data);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "xhr-streaming", "xhr-polling"})
  void comesBackToWhatItMissed(String transport) throws Exception {
    try (NodeClient client =
        NodeClient.start("viewer.js", url, transport, "race/#", "--snapshot", "--reconnect")) {
      client.await("live", 1);
      publish(0, 50);
      client.await("rec", 50);
      disconnect(Disconnect.SLOW);
      publish(50, 100);
      JsonObject farewell = client.await("err", 1).get(0);
      assertEquals(3008, farewell.getInteger("failureCode"));
      client.await("close", 1);
      client.await("live", 2);
      publish(100, 120);
      client.await("rec", 120);
      assertEquals(ids(0, 120).stream().sorted().toList(), client.ids().stream().sorted().toList());
      assertTrue(client.await("resumed", 1).get(0).getBoolean("complete"));
    }
  }

  private void disconnect(Disconnect why) {
    feed.endpoints.forEach(
        endpoint -> endpoint.hub().post(() -> endpoint.hub().disconnectAll(why)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"@vertx/eventbus-bridge-client.js", "vertx3-eventbus-client"})
  void clientOfTheBridgeReceives(String name) throws Exception {
    try (NodeClient client = NodeClient.start("bridge-client.js", url, "race/3", name)) {
      LiveClient.await(
          "registered", () -> feed.endpoints.stream().anyMatch(e -> !e.hub().isEmpty()));
      List<JsonObject> records = new ArrayList<>();
      int n = 0;
      while (records.isEmpty()) {
        publish(n, n += 7);
        Thread.sleep(20);
        records = client.all("rec");
      }
      JsonObject first = records.get(0);
      assertEquals("race/3", first.getString("address"));
      JsonObject data = first.getJsonObject("body").getJsonObject("data");
      assertEquals(new JsonObject(data(data.getInteger("n"))), data);
      assertEquals("race/3", first.getJsonObject("headers").getString("topic"));
    }
  }

  /** What its handler did not ask for would be taken for a record. */
  @ParameterizedTest
  @ValueSource(strings = {"@vertx/eventbus-bridge-client.js", "vertx3-eventbus-client"})
  void clientOfTheBridgeGetsRecordsOnlyAndHasNothingToComplainOf(String name) throws Exception {
    stopFeed();
    startAt("broadcast.staleAfterMs=4000");
    LiveClient own = feed.connect();
    own.register("race/3");
    try (NodeClient client = NodeClient.start("bridge-client.js", url, "race/3", name, "a/#/b")) {
      JsonObject refused = client.await("refused", 1).get(0).getJsonObject("error");
      assertTrue(refused.getString("message").contains("#"), refused::encode);
      for (int round = 0; round < 2; round++) {
        int told = round + 1;
        feed.eachOwner(owner -> owner.silent(true));
        LiveClient.await("stale", () -> own.count("stale") == told);
        feed.eachOwner(owner -> owner.silent(false));
        LiveClient.await("fresh", () -> own.count("fresh") == told);
      }
      publish(0, 7);
      client.await("rec", 1);
      assertEquals(Set.of("open", "refused", "rec"), client.types());
    }
  }
}
