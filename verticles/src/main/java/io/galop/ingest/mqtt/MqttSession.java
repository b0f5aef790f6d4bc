package io.galop.ingest.mqtt;

import io.galop.record.Rejection;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a client's messages of QoS 2: those that were taken and that the client has not
 * released yet, by packet id, each with what became of it once that is known. A client that offers
 * one again is answered out of this, and the message is not taken twice.
 *
 * <p>A client that was restarted without a memory of its own counts its packet ids from 1 again.
 * What it offers under an id that it never released is another message, and has to be taken: so
 * each is known by its content too.
 *
 * <p>Outlives a connection where the client asked for that. One connection has it at a time, but a
 * record of the one before may still be on its way, on another event loop: safe for that.
 */
final class MqttSession {
  private record Taken(long content, Future<Optional<Rejection>> outcome) {}

  private final Map<Integer, Taken> unreleased = new ConcurrentHashMap<>();

  /** What tells a message from others: 64 bits of a hash of its topic, payload and RETAIN. */
  static long content(String topic, boolean isRetained, byte[] payload) {
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      hash.update(topic.getBytes(StandardCharsets.UTF_8));
      hash.update((byte) (isRetained ? 1 : 0)); // no topic has such a character
      return ByteBuffer.wrap(hash.digest(payload)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** What became, or will become, of a message that was taken; null if this one was not. */
  @Nullable Future<Optional<Rejection>> taken(int packetId, long content) {
    Taken before = unreleased.get(packetId);
    return before == null || before.content != content ? null : before.outcome;
  }

  /** A message is being taken; it is forgotten again if it is refused. */
  void take(int packetId, long content, Future<Optional<Rejection>> outcome) {
    Taken taken = new Taken(content, outcome);
    Taken before = unreleased.put(packetId, taken);
    outcome.onSuccess(rejection -> rejection.ifPresent(refused -> giveUp(packetId, taken, before)));
  }

  /** Who sent the one before may still offer that again. */
  private void giveUp(int packetId, Taken taken, @Nullable Taken before) {
    if (before == null) {
      unreleased.remove(packetId, taken);
    } else {
      unreleased.replace(packetId, taken, before);
    }
  }

  /** The client will not offer it again. */
  void release(int packetId) {
    unreleased.remove(packetId);
  }

  int size() {
    return unreleased.size();
  }
}
