package io.galop.broadcast.mqtt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.broadcast.packet.PublishPacket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clients that go and come back. */
class KeptSessionsTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final KeptSessions sessions = new KeptSessions(2, meters);

  private static ViewerSession session() {
    ViewerSession session = new ViewerSession();
    session.put("a/#", MqttSubscriptionTest.subscription());
    return session;
  }

  private static Supplier<Future<Void>> connection() {
    Promise<Void> ended = Promise.promise();
    return ended::future;
  }

  @Test
  void whatClientsDoNotTakeIsCountedAndSaidOnce() {
    PublishPacket strange = MqttSubscriptionTest.record("a/\u0085", 5).packet();
    try (Logged log = new Logged(KeptSessions.class)) {
      sessions.notTaken(strange);
      sessions.notTaken(strange);
      assertEquals(1, log.with("topic 'a/?'").size());
    }
    assertEquals(2, meters.get("galop.broadcast.mqtt.not.taken").counter().count());
  }

  @Test
  void aSessionIsThereOnce() {
    ViewerSession left = session();
    sessions.leave("a", connection(), left, 60);
    assertSame(left, sessions.resume("a").orElseThrow());
    assertTrue(sessions.resume("a").isEmpty());
  }

  @Test
  void whatIsNotToBeKeptIsNot() {
    sessions.leave("a", connection(), session(), 0);
    sessions.leave("b", connection(), new ViewerSession(), 60);
    assertEquals(0, sessions.size());
  }

  @Test
  void theLongestAbsentGoesWhereThereIsNoRoom() {
    for (String id : new String[] {"a", "b", "a", "c"}) {
      sessions.leave(id, connection(), session(), 60);
    }
    assertTrue(sessions.resume("b").isEmpty());
    assertTrue(sessions.resume("a").isPresent());
    assertTrue(sessions.resume("c").isPresent());
    assertEquals(1, meters.get("galop.broadcast.mqtt.sessions.forgotten").counter().count());
  }

  @Test
  void whoComesAgainWaitsForItsOldConnection() {
    Promise<Void> ended = Promise.promise();
    assertTrue(sessions.enter("a", ended::future).isComplete());
    Future<Void> second = sessions.enter("a", connection());
    assertFalse(second.isComplete());
    ended.complete();
    assertTrue(second.isComplete());
  }

  /** The first still says goodbye, to a client that does not listen. */
  @Test
  void whoComesAThirdTimeWaitsForTheFirst() {
    Promise<Void> first = Promise.promise();
    sessions.enter("a", first::future);
    Supplier<Future<Void>> second = Future::succeededFuture;
    sessions.enter("a", second);
    Future<Void> third = sessions.enter("a", Future::succeededFuture);
    assertFalse(third.isComplete());
    first.complete();
    assertTrue(third.isComplete());
  }

  @Test
  void whoComesAfterOneThatWentWhileItWaitedDoesSo() {
    Promise<Void> first = Promise.promise();
    sessions.enter("a", first::future);
    Supplier<Future<Void>> second = Future::succeededFuture;
    sessions.enter("a", second);
    sessions.leave("a", second, new ViewerSession(), 0);
    Supplier<Future<Void>> third = Future::succeededFuture;
    Future<Void> free = sessions.enter("a", third);
    assertFalse(free.isComplete());
    first.complete();
    assertTrue(free.isComplete());
    sessions.leave("a", third, new ViewerSession(), 0);
    assertTrue(sessions.enter("a", connection()).isComplete(), "nobody is left");
  }

  @Test
  void largeSessionsTakeTheRoomOfSeveral() {
    sessions.leave("a", connection(), session(), 60);
    ViewerSession large = session();
    MqttSubscription subscription = MqttSubscriptionTest.subscription();
    subscription.settled(
        MqttSubscriptionTest.live(
            IntStream.range(0, 198)
                .mapToObj(shard -> shard + ".1-1")
                .collect(Collectors.joining(","))));
    large.put("b/#", subscription);
    sessions.leave("b", connection(), large, 60);
    assertEquals(1, sessions.size());
    assertTrue(sessions.resume("a").isEmpty());
    assertTrue(sessions.resume("b").isPresent());
    sessions.leave("a", connection(), session(), 60);
    assertEquals(1, sessions.size(), "its room is free again");
  }

  @Test
  void whatIsOverIsNotForgottenEarly() throws Exception {
    sessions.leave("a", connection(), session(), 1);
    Thread.sleep(1_100);
    sessions.leave("b", connection(), session(), 60);
    assertEquals(1, sessions.size());
    assertEquals(0, meters.get("galop.broadcast.mqtt.sessions.forgotten").counter().count());
  }
}
