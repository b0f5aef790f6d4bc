package io.galop.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renews the token of one open connection until it is stopped. An answer does not say which token
 * it is about, so one is in flight at a time: the next is asked for after the answer, and is then
 * the newest. On the client's thread alone.
 */
final class Renewal {
  private static final long LEAST_DELAY_MS = 1_000;
  private static final long RETRY_MS = 10_000;

  private final Supplier<CompletableFuture<String>> source;
  private final Consumer<String> send;
  private final ScheduledExecutorService thread;
  private String taken;

  /** Sent and not answered. */
  private @Nullable String inFlight;

  private boolean isStopped;
  private @Nullable Future<?> next;

  /**
   * @param taken what the node has, which the connection was opened with
   * @param send hands a token to the node
   */
  Renewal(
      Supplier<CompletableFuture<String>> source,
      String taken,
      Consumer<String> send,
      ScheduledExecutorService thread) {
    this.source = source;
    this.taken = taken;
    this.send = send;
    this.thread = thread;
    schedule();
  }

  /** When a JSON Web Token expires, in milliseconds since 1970; empty for any other text. */
  static OptionalLong expiryMs(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return OptionalLong.empty();
    }
    try {
      byte[] payload = Base64.getUrlDecoder().decode(parts[1]);
      Map<String, Object> claims = Json.object(new String(payload, StandardCharsets.UTF_8));
      return claims.get("exp") instanceof Number seconds
          ? OptionalLong.of((long) (seconds.doubleValue() * 1000))
          : OptionalLong.empty();
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }

  /** At four fifths of what is left of it. */
  private void schedule() {
    cancel();
    OptionalLong expires = expiryMs(taken);
    if (expires.isPresent()) {
      after((expires.getAsLong() - System.currentTimeMillis()) * 4 / 5);
    }
  }

  private void cancel() {
    if (next != null) {
      next.cancel(false);
    }
  }

  private void after(long delayMs) {
    cancel();
    if (!isStopped) {
      next =
          thread.schedule(() -> renew(), Math.max(LEAST_DELAY_MS, delayMs), TimeUnit.MILLISECONDS);
    }
  }

  private void renew() {
    source
        .get()
        .whenComplete(
            (token, fault) -> thread.execute(() -> renewed(fault == null ? token : taken)));
  }

  private void renewed(String token) {
    if (isStopped) {
      return;
    }
    if (token.isEmpty() || token.equals(taken)) {
      again();
    } else {
      inFlight = token;
      send.accept(token);
    }
  }

  /**
   * Before the one that the node has expires; if none comes in time, the node ends the connection
   * and says why.
   */
  private void again() {
    long leftMs = expiryMs(taken).orElse(0) - System.currentTimeMillis();
    after(Math.min(RETRY_MS, leftMs / 4));
  }

  /** Whether an answer is awaited. */
  boolean isInFlight() {
    return inFlight != null;
  }

  /** The node has taken or refused the token that is in flight. */
  void answered(boolean isTaken) {
    if (inFlight == null) {
      return;
    }
    String answered = inFlight;
    inFlight = null;
    if (isTaken) {
      taken = answered;
      schedule();
    } else {
      again();
    }
  }

  void stop() {
    isStopped = true;
    cancel();
  }
}
