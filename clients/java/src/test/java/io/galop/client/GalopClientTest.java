package io.galop.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client at a node that says what it is told to. */
@Timeout(60)
class GalopClientTest {
  private static final String LIVE = "{'type':'live','address':'race/#','pos':'1.5-9,2.5-4'}";

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final Seen seen = new Seen();
  private final SubscribeOptions usual =
      SubscribeOptions.create().onStatus(now -> told.add(now.state() + " " + now.reason()));
  private FakeNode node;
  private GalopClient client;

  @BeforeEach
  void start() throws Exception {
    node = new FakeNode();
  }

  @AfterEach
  void stop() throws Exception {
    if (client != null) {
      client.close();
    }
    node.close();
  }

  private Subscription watch(SubscribeOptions options) throws Exception {
    if (client == null) {
      client = GalopClient.connect(node.url());
    }
    Subscription subscription = client.subscribe("race/#", options);
    subscription.subscribe(seen);
    assertEquals("subscribed", seen.next());
    return subscription;
  }

  private void awaitStatus(String status) throws Exception {
    for (String now = ""; !now.equals(status); ) {
      now = told.poll(20, TimeUnit.SECONDS);
      assertTrue(now != null, "is not told " + status);
    }
  }

  @Test
  void resumesAtTheNextNodeOfTheListFromWhereItWas() throws Exception {
    try (FakeNode other = new FakeNode()) {
      client = GalopClient.builder().url(node.url()).url(other.url() + "/").connect();
      watch(usual.snapshot());
      FakeNode.Viewer first = node.viewer();
      Map<String, Object> asked = first.next();
      assertEquals("race/#", asked.get("address"));
      assertEquals(Map.of("words", true, "deltas", true, "snapshot", true), asked.get("headers"));
      first.record("race/#", "race/1", "a", "1.5-8");
      FeedRecord record = seen.record();
      assertEquals(
          "race/1 a 7 1.5-8",
          record.topic() + " " + record.id() + " " + record.time() + " " + record.position().get());
      assertEquals("{\"n\": [1,2.5,null]}", record.json());
      assertEquals(Arrays.asList(1L, 2.5, null), record.data().get("n"));
      assertTrue(record.isCatchingUp());
      first.say(LIVE);
      awaitStatus("LIVE ");
      first.record("race/#", "race/1", "b", "1.6-1");
      assertFalse(seen.record().isCatchingUp());
      first.kill();
      awaitStatus("STALE connection");
      FakeNode.Viewer second = other.viewer();
      assertEquals("1.6-1,2.5-4", second.nextHeader("since"));
      second.say("{'type':'resumed','address':'race/#','complete':true,'body':{}}");
      second.record("race/#", "race/1", "c", "1.6-2");
      assertTrue(seen.record().isCatchingUp());
      second.say(LIVE);
      awaitStatus("LIVE ");
    }
  }

  @Test
  void isToldOfAGapAndShownAllAnew() throws Exception {
    watch(usual);
    FakeNode.Viewer first = node.viewer();
    assertEquals("", first.nextHeader("since"), "asks for the Positions of now");
    first.say(LIVE);
    awaitStatus("LIVE ");
    first.kill();
    FakeNode.Viewer second = node.viewer();
    assertEquals("1.5-9,2.5-4", second.nextHeader("since"));
    second.say("{'type':'resumed','address':'race/#','complete':false,'body':{}}");
    awaitStatus("GAP lost");
    second.record("race/#", "race/1", "a", "1.3-1");
    assertTrue(seen.record().isAfterGap());
    second.say("{'type':'live','address':'race/#','pos':'','partial':true}");
    awaitStatus("GAP partial");
    second.say("{'type':'stale','address':'race/#','body':{'reason':'feed'}}");
    awaitStatus("STALE feed");
    second.kill();
    assertEquals("1.3-1", node.viewer().nextHeader("since"), "the old Positions mean nothing");
  }

  @Test
  void keepsThePositionsOfOtherShardsAtTwoGapsInTheMiddle() throws Exception {
    watch(usual);
    FakeNode.Viewer first = node.viewer();
    first.next();
    first.say(LIVE);
    awaitStatus("LIVE ");
    for (int gap = 0; gap < 2; gap++) {
      first.say("{'type':'resumed','address':'race/#','complete':false,'body':{}}");
      awaitStatus("GAP lost");
    }
    first.kill();
    assertEquals("1.5-9,2.5-4", node.viewer().nextHeader("since"));
  }

  @Test
  void beginsASnapshotAnewThatWasNotOver() throws Exception {
    watch(usual.snapshot());
    FakeNode.Viewer first = node.viewer();
    first.next();
    first.record("race/#", "race/1", "a", "1.5-8");
    seen.record();
    first.kill();
    assertEquals("none", node.viewer().nextHeader("since"));
  }

  @Test
  void comesBackForADeltaThatItCannotRead() throws Exception {
    watch(usual);
    FakeNode.Viewer first = node.viewer();
    first.next();
    first.say(LIVE);
    String base =
        "{\"type\":\"rec\",\"address\":\"race/#\",\"body\":{\"id\":\"a\",\"time\":7,\"data\":{\"n\":1}},"
            + "\"headers\":{\"topic\":\"race/1\",\"pos\":\"1.6-1\"}}";
    first.sayAsIs("AB" + base);
    assertEquals("{\"n\":1}", seen.record().json());
    first.sayAsIs("ABAAA", base.replace("1.6-1", "1.6-9")); // of another length
    assertEquals("1.6-1,2.5-4", node.viewer().nextHeader("since"));
    assertTrue(seen.isSilent());
  }

  @Test
  void endsWhenComingBackWouldBeRefused() throws Exception {
    Subscription subscription = watch(usual);
    FakeNode.Viewer first = node.viewer();
    first.next();
    first.say(
        "{'type':'err','body':'message_too_large','failureCode':3500,'failureType':'disconnect','message':'m'}");
    first.close(3500);
    FeedException why = assertInstanceOf(FeedException.class, seen.next());
    assertEquals("message_too_large 3500", why.reason() + " " + why.code());
    assertEquals(Status.State.CLOSED, subscription.status().state());
    assertEquals("closed", assertThrows(FeedException.class, () -> client.subscribe("a")).reason());
  }

  @Test
  void endsTheRefusedSubscriptionOnly() throws Exception {
    watch(usual);
    assertEquals(
        "already_subscribed",
        assertThrows(FeedException.class, () -> client.subscribe("race/#")).reason());
    FakeNode.Viewer first = node.viewer();
    first.next();
    first.say("{'type':'err','address':'race/#','body':'access_denied','message':'no'}");
    FeedException why = assertInstanceOf(FeedException.class, seen.next());
    assertEquals("access_denied no (access_denied)", why.reason() + " " + why.getMessage());
    assertEquals("unregister", first.next().get("type"));
    client.subscribe("race/#");
    assertEquals("register", first.next().get("type"));
  }

  @Test
  void saysWhyTheNodeRefusesItAndTriesAnotherToken() throws Exception {
    node.answer = "401 {\"error\":\"it is old\",\"reason\":\"token_expired\"}";
    AtomicInteger asked = new AtomicInteger();
    BlockingQueue<Connection> states = new LinkedBlockingQueue<>();
    client =
        GalopClient.builder()
            .url(node.url())
            .token(() -> "t+" + asked.incrementAndGet())
            .onConnection(states::add)
            .connect();
    assertEquals("GET /live/websocket?token=t%2B1", node.requests.take());
    assertEquals("GET /live/info?token=t%2B1", node.requests.take());
    assertEquals(Connection.State.CONNECTING, states.take().state());
    Connection waiting = states.take();
    assertEquals(
        "WAITING 401 token_expired it is old",
        waiting.state() + " " + waiting.code() + " " + waiting.reason() + " " + waiting.message());
    assertTrue(waiting.retryMs() > 0);
    node.answer = "";
    assertEquals("GET /live/websocket?token=t%2B2", node.requests.take());
    node.viewer();
  }

  @Test
  void doesNotTryAFixedTokenAgain() throws Exception {
    node.answer = "401 {\"error\":\"it is wrong\",\"reason\":\"token_invalid\"}";
    client = GalopClient.builder().url(node.url()).token("t").connect();
    watch(usual);
    assertEquals("token_invalid", assertInstanceOf(FeedException.class, seen.next()).reason());
  }

  private static String token(String subject, long secondsLeft) {
    String claims =
        "{\"sub\":\""
            + subject
            + "\",\"exp\":"
            + (System.currentTimeMillis() / 1000 + secondsLeft)
            + "}";
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return "e30." + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".x";
  }

  @Test
  void renewsATokenBeforeItExpires() throws Exception {
    List<String> tokens = List.of(token("a", 2), token("b", 3600));
    AtomicInteger asked = new AtomicInteger();
    client =
        GalopClient.builder()
            .url(node.url())
            .token(() -> tokens.get(Math.min(1, asked.getAndIncrement())))
            .onToken((reason, message) -> told.add(reason + " " + message))
            .connect();
    FakeNode.Viewer viewer = node.viewer();
    Map<String, Object> renewal =
        Map.of("type", "token", "headers", Map.of("token", tokens.get(1)));
    assertEquals(renewal, viewer.next());
    viewer.say("{'type':'err','body':'keys_awaited','message':'m'}");
    assertEquals("keys_awaited m", told.poll(20, TimeUnit.SECONDS));
    assertEquals(renewal, viewer.next(), "what was refused is sent again");
    viewer.say("{'type':'err','body':'invalid_header','message':'m'}");
    assertEquals("invalid_header m", told.poll(20, TimeUnit.SECONDS));
    assertEquals(renewal, viewer.next());
    viewer.say("{'type':'token','body':{'expires':1}}");
    assertEquals(" ", told.poll(20, TimeUnit.SECONDS));
    viewer.say("{'type':'err','body':'invalid_header','message':'of something else'}");
    viewer.say("{'type':'err','body':'token_other_subject','message':'m'}");
    assertEquals("token_other_subject m", told.poll(20, TimeUnit.SECONDS));
    assertEquals(OptionalLong.empty(), Renewal.expiryMs("a.b.c"));
  }

  @Test
  void changesItsWishesWhileItLives() throws Exception {
    Subscription subscription = watch(usual.where("data.n > 1"));
    FakeNode.Viewer first = node.viewer();
    assertEquals("data.n > 1", first.nextHeader("where"));
    CompletionStage<Void> early = subscription.update("data.n > 2", List.of("n", "m"));
    assertEquals("update_pending", failure(subscription.update("", List.of())).reason());
    first.say(LIVE);
    Map<String, Object> update = first.next();
    assertEquals("update", update.get("type"));
    assertEquals(Map.of("where", "data.n > 2", "fields", "n,m"), update.get("headers"));
    first.say("{'type':'updated','address':'race/#','body':{}}");
    early.toCompletableFuture().get(20, TimeUnit.SECONDS);
    CompletionStage<Void> wrong = subscription.update("data.", List.of());
    first.next();
    first.say("{'type':'err','address':'race/#','body':'invalid_header','message':'m'}");
    assertEquals("invalid_header", failure(wrong).reason());
    CompletionStage<Void> lost = subscription.update("", List.of());
    first.next();
    first.kill();
    FakeNode.Viewer second = node.viewer();
    assertEquals("data.n > 2", second.nextHeader("where"), "as the node has taken it last");
    second.say(LIVE);
    assertEquals("update", second.next().get("type"));
    second.say("{'type':'updated','address':'race/#','body':{}}");
    lost.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** What is refused then is the registration: there is none that an update could be of. */
  @Test
  void endsARegistrationThatIsRefusedWhileAnUpdateWaits() throws Exception {
    Subscription subscription = watch(usual.where("data."));
    FakeNode.Viewer viewer = node.viewer();
    viewer.next();
    CompletionStage<Void> early = subscription.update("data.n > 2", List.of());
    viewer.say("{'type':'err','address':'race/#','body':'invalid_header','message':'m'}");
    awaitStatus("CLOSED invalid_header");
    assertEquals("invalid_header", failure(early).reason());
  }

  private static FeedException failure(CompletionStage<Void> of) {
    CompletionException thrown =
        assertThrows(CompletionException.class, () -> of.toCompletableFuture().join());
    return assertInstanceOf(FeedException.class, thrown.getCause());
  }

  @Test
  void endsASubscriptionWhoseQueueIsFull() throws Exception {
    watch(usual.queue(1, QueuePolicy.END));
    FakeNode.Viewer first = node.viewer();
    first.next();
    first.record("race/#", "race/1", "a", "1.6-1");
    first.record("race/#", "race/1", "b", "1.6-2");
    awaitStatus("CLOSED slow_consumer");
    assertEquals("a", seen.record().id());
    assertInstanceOf(FeedException.class, seen.next());
    assertEquals("unregister", first.next().get("type"));
  }

  @Test
  void noticesANodeThatSaysNothing() throws Exception {
    Subscription subscription = watch(usual);
    FakeNode.Viewer first = node.viewer();
    first.next();
    first.say(LIVE);
    awaitStatus("LIVE ");
    awaitStatus("STALE connection");
    assertEquals(Connection.State.SILENT, client.connection().state());
    CompletionStage<Void> update = subscription.update("data.n > 1", List.of());
    assertEquals("update_pending", failure(subscription.update("", List.of())).reason());
    first.say("{'type':'pong'}");
    awaitStatus("LIVE ");
    assertEquals("update", first.next().get("type"), "what was asked in silence is said after it");
    first.say("{'type':'updated','address':'race/#','body':{}}");
    update.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void closesWithAllThatItHas() throws Exception {
    Subscription subscription = watch(usual);
    node.viewer().next();
    client.close();
    assertEquals("complete", seen.next());
    awaitStatus("CLOSED ");
    assertEquals("", subscription.status().reason());
  }

  @Test
  void endsAlsoWhatComesAfterItsEnd() throws Exception {
    for (int i = 0; i < 20; i++) {
      GalopClient closing = GalopClient.connect(node.url());
      closing.close();
      try {
        CompletionStage<Void> end = closing.subscribe("race/#").forEach(record -> {});
        end.toCompletableFuture().handle((over, why) -> over).get(20, TimeUnit.SECONDS);
      } catch (FeedException told) {
        assertEquals("closed", told.reason());
      }
    }
  }

  @Test
  void comesBackLaterEachTimeAndNotWithAllOthers() {
    assertEquals(150, End.lost("").delayMs(0, 0));
    assertEquals(450, End.lost("").delayMs(0, 1));
    assertEquals(5_000, End.lost("").delayMs(1_000, 0));
    assertEquals(77, new End(3001, "shutdown", "", false, 77).delayMs(3, 0.5));
  }

  @Test
  void asksForNoMoreBytesThanItIsToHave() throws Exception {
    watch(usual.maxBytesPerSecond(5_000));
    assertEquals(5_000L, node.viewer().nextHeader("maxBytesPerSecond"));
  }

  @Test
  void refusesAnUnusableUrl() {
    for (String url : List.of("", "localhost:8080/live", "ftp://a/live", "http://a/live?token=x")) {
      assertThrows(IllegalArgumentException.class, () -> GalopClient.connect(url), url);
    }
  }
}
