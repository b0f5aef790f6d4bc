package io.galop.ingest.mqtt;

import io.galop.record.Rejection;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a client's messages of QoS 2: those that were taken and that the client has not
 * released yet, by packet id, each with what became of it once that is known. A client that offers
 * one again is answered out of this, and the message is not taken twice.
 *
 * <p>Outlives a connection where the client asked for that. One connection has it at a time, but a
 * record of the one before may still be on its way, on another event loop: safe for that.
 */
final class MqttSession {
  private final Map<Integer, Future<Optional<Rejection>>> unreleased = new ConcurrentHashMap<>();

  /** What became, or will become, of a message that was taken; null if there is none. */
  @Nullable Future<Optional<Rejection>> taken(int packetId) {
    return unreleased.get(packetId);
  }

  /** A message is being taken; it is forgotten again if it is refused. */
  void take(int packetId, Future<Optional<Rejection>> outcome) {
    unreleased.put(packetId, outcome);
    outcome.onSuccess(
        rejection -> rejection.ifPresent(refused -> unreleased.remove(packetId, outcome)));
  }

  /** The client will not offer it again. */
  void release(int packetId) {
    unreleased.remove(packetId);
  }

  int size() {
    return unreleased.size();
  }
}
