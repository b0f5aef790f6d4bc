package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.hub.Pacing;
import io.galop.broadcast.hub.RecordReceiver;
import io.galop.broadcast.hub.Registration;
import io.galop.node.FeedTap;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong with the feed in a way that nobody has thought of is told, too. */
@Timeout(180)
class FeedFaultTest extends FeedTest {
  private static final String TOPIC = "race/1";

  /** The owner lives and says that there is more. */
  @Test
  void anOwnerThatSendsNothingOfWhatItHasMakesTheFeedStale() throws Exception {
    start("broadcast.staleAfterMs=4000");
    LiveClient client = witness(TOPIC);
    feed.publish(TOPIC, 1);
    client.awaitIds(1);
    feed.eachOwner(owner -> owner.isStuck = true);
    feed.publish(TOPIC, 2);
    JsonObject stale = client.awaitFirst("stale");
    assertEquals("feed", stale.getJsonObject("body").getString("reason"));
    LiveClient.await("unready", () -> !feed.node.readiness().isReady());
    feed.eachOwner(owner -> owner.isStuck = false);
    client.awaitFirst("fresh");
    assertEquals(ids(TOPIC, 1, 3), client.awaitIds(2));
    assertEquals(1, client.count("stale"));
    feed.awaitReady();
  }

  /** It is behind the node then, and never comes again. */
  @Test
  void aRecordThatTheNodeCouldNotTakeIsAGap() throws Exception {
    start();
    LiveClient client = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    client.awaitIds(10);
    feed.verticle.feed().taps().add(failsOnceAt(TOPIC + ":12"));
    feed.publish(TOPIC, 11, 13);
    assertEquals(false, client.awaitFirst("resumed").getBoolean("complete"));
    feed.publish(TOPIC, 13);
    LiveClient.await("the next", () -> client.ids().contains(TOPIC + ":13"));
    assertTrue(client.ids().contains(TOPIC + ":12"), "as the latest of its topic");
  }

  /** Browsers are told of it when it was loaded once more. */
  @Test
  void aGapThatCouldNotBeToldIsToldWithTheNextLoad() throws Exception {
    start();
    LiveClient client = witness(TOPIC);
    feed.publish(TOPIC, 1, 11);
    client.awaitIds(10);
    AtomicInteger gaps = new AtomicInteger();
    feed.verticle.feed().taps().add(failsOnceAt(TOPIC + ":12"));
    feed.verticle.feed().taps().add(failsAtTheFirstGap(gaps));
    feed.publish(TOPIC, 11, 13);
    assertEquals(false, client.awaitFirst("resumed").getBoolean("complete"));
    assertEquals(2, gaps.get());
    feed.publish(TOPIC, 13);
    LiveClient.await("the next", () -> client.ids().contains(TOPIC + ":13"));
    assertTrue(client.ids().contains(TOPIC + ":12"), "as the latest of its topic");
  }

  /** Without another record, of which there may be none for long. */
  @Test
  void whoMayHaveMissedARecordIsToldAtOnce() throws Exception {
    start();
    LiveClient client = witness(TOPIC);
    for (LiveEndpoint endpoint : feed.endpoints) {
      RecordReceiver receiver = unreadable();
      endpoint
          .hub()
          .post(
              () ->
                  endpoint
                      .hub()
                      .register(
                          new Registration(
                              receiver, TopicFilter.parse(TOPIC, 9), Pacing.EVERY, true)));
    }
    feed.publish(TOPIC, 1);
    assertEquals(3011, client.awaitFirst("err").getInteger("failureCode"));
  }

  private static RecordReceiver unreadable() {
    return (RecordReceiver)
        Proxy.newProxyInstance(
            RecordReceiver.class.getClassLoader(),
            new Class<?>[] {RecordReceiver.class},
            (proxy, method, args) -> {
              if (method.getName().equals("look")) {
                throw new IllegalStateException("a fault of the test");
              }
              return method.getReturnType() == boolean.class ? false : null;
            });
  }

  private static FeedTap failsAtTheFirstGap(AtomicInteger gaps) {
    return new FeedTap() {
      @Override
      public void onRecord(int shard, Record record) {}

      @Override
      public void onGap(int shard) {
        if (gaps.incrementAndGet() == 1) {
          throw new IllegalStateException("a fault of the test");
        }
      }
    };
  }

  private static FeedTap failsOnceAt(String id) {
    return new FeedTap() {
      private boolean hasFailed;

      @Override
      public void onRecord(int shard, Record record) {
        if (record.id().equals(id) && !hasFailed) {
          hasFailed = true;
          throw new IllegalStateException("a fault of the test");
        }
      }

      @Override
      public void onGap(int shard) {}
    };
  }
}
