package io.galop.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much the program wishes of a filter, and how much of that operators leave. */
@Timeout(60)
class PacesTest {
  private static final String LIVE = "{'type':'live','address':'race/#','pos':'1.5-9,2.5-4'}";

  private FakeNode node;
  private GalopClient client;

  @BeforeEach
  void start() throws Exception {
    node = new FakeNode();
    client = GalopClient.connect(node.url());
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    node.close();
  }

  private Subscription watch(SubscribeOptions options) {
    return client.subscribe("race/#", options);
  }

  @Test
  void changesItsPaces() throws Exception {
    Subscription subscription = watch(SubscribeOptions.create().maxRate(5).where("data.n > 1"));
    FakeNode.Viewer first = node.viewer();
    first.next();
    first.say(LIVE);
    CompletionStage<Void> update =
        subscription.update(Wishes.create().anyRate().maxBytesPerSecond(2_000));
    Map<String, Object> asked = first.next();
    assertEquals(Map.of("maxRate", "", "maxBytesPerSecond", 2_000L), asked.get("headers"));
    first.say("{'type':'updated','address':'race/#','body':{}}");
    update.toCompletableFuture().get(20, TimeUnit.SECONDS);
    first.kill();
    Map<?, ?> again = (Map<?, ?>) node.viewer().next().get("headers");
    assertEquals(2_000L, again.get("maxBytesPerSecond"));
    assertEquals("data.n > 1", again.get("where"), "what was not named stays");
    assertFalse(again.containsKey("maxRate"), again::toString);
  }

  @Test
  void tellsWhatOperatorsCapsLeave() throws Exception {
    BlockingQueue<Caps> capped = new LinkedBlockingQueue<>();
    Subscription subscription = watch(SubscribeOptions.create().onCapped(capped::add));
    assertEquals(Caps.NONE, subscription.caps());
    FakeNode.Viewer first = node.viewer();
    first.next();
    first.say(
        "{'type':'capped','address':'race/#','body':{'maxBytesPerSecond':20000,"
            + "'lower':[{'topics':'race/1/#','maxRate':0.5}],'more':2}}");
    Caps caps = capped.poll(20, TimeUnit.SECONDS);
    assertEquals(
        new Caps(
            OptionalDouble.empty(),
            OptionalLong.of(20_000),
            List.of(new Caps.Lower("race/1/#", 0.5)),
            2),
        caps);
    assertEquals(caps, subscription.caps());
    first.say(LIVE);
    CompletionStage<Void> update = subscription.update(Wishes.create().maxRate(1));
    first.next();
    first.say("{'type':'updated','address':'race/#','body':{'maxRate':1}}");
    update.toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertEquals(OptionalDouble.of(1), capped.poll(20, TimeUnit.SECONDS).maxRate());
    first.kill();
    FakeNode.Viewer second = node.viewer();
    second.next();
    second.say(LIVE);
    assertEquals(Caps.NONE, capped.poll(20, TimeUnit.SECONDS), "this node caps nothing");
  }
}
