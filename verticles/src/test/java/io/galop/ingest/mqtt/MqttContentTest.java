package io.galop.ingest.mqtt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which messages of QoS 2 are the same. */
class MqttContentTest {
  private static final Optional<Rejection> REFUSED =
      Optional.of(new Rejection(1, Reason.MALFORMED, "bad"));

  private final MqttSession session = new MqttSession();

  private static long content(String topic, boolean isRetained, String payload) {
    return MqttSession.content(topic, isRetained, payload.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void topicPayloadAndRetainTellMessagesApart() {
    long one = content("a", false, "1");
    assertEquals(one, content("a", false, "1"));
    assertNotEquals(one, content("a", true, "1"));
    assertNotEquals(one, content("a", false, "2"));
    assertNotEquals(one, content("b", false, "1"));
  }

  /** Else a client that sends the first one again would have it stored twice. */
  @Test
  void aRefusedMessageLeavesTheOneBeforeKnown() {
    Future<Optional<Rejection>> stored = Future.succeededFuture(Optional.empty());
    Promise<Optional<Rejection>> second = Promise.promise();
    session.take(3, 1, stored);
    session.take(3, 2, second.future());
    assertNull(session.taken(3, 1));
    assertSame(second.future(), session.taken(3, 2));
    second.complete(REFUSED);
    assertSame(stored, session.taken(3, 1));
    assertNull(session.taken(3, 2));
  }

  @Test
  void aRefusedMessageIsForgotten() {
    session.take(3, 1, Future.succeededFuture(REFUSED));
    assertNull(session.taken(3, 1));
  }
}
