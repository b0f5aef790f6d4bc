package io.galop.cli.live;

import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.galop.jvm.ErrorText;
import io.galop.retry.Backoff;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Keeps a subscription connected until it is done. */
final class SteadyFeed {
  private static final long PING_EVERY_SECONDS = 10;
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
  private static final long FIRST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 5_000;
  private static final String PING = "{\"type\":\"ping\"}";

  private final HttpClient http;
  private final URI node;
  private final String token;
  private final Subscription subscription;
  private final long retrySeconds;
  private final Terminal console;

  SteadyFeed(
      HttpClient http,
      URI node,
      String token,
      Subscription subscription,
      long retrySeconds,
      Terminal console) {
    this.http = http;
    this.node = node;
    this.token = token;
    this.subscription = subscription;
    this.retrySeconds = retrySeconds;
    this.console = console;
  }

  /** Runs until the subscription is done; the first connection has to be there at once. */
  void run() throws InterruptedException {
    LiveConnection connection;
    try {
      connection = connect();
    } catch (IOException e) {
      throw CliFailure.failed(
          "no live feed at %s: %s; is a node running there?".formatted(node, e.getMessage()));
    }
    while (true) {
      try (LiveConnection open = connection) {
        String lost = follow(open);
        if (lost.isEmpty()) {
          return;
        }
        console.say("connection to %s lost: %s; trying again".formatted(node, lost));
      }
      connection = reconnect();
    }
  }

  private LiveConnection connect() throws IOException {
    LiveConnection connection = LiveConnection.open(http, node, token, subscription::onFrame);
    try {
      subscription.registrations().forEach(connection::send);
      return connection;
    } catch (CompletionException e) {
      connection.close();
      throw new IOException(ErrorText.ofCause(e));
    }
  }

  private LiveConnection reconnect() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(retrySeconds);
    Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    TimeUnit.MILLISECONDS.sleep(subscription.retryAfterMs());
    while (System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(backoff.nextMs());
      try {
        LiveConnection connection = connect();
        console.say("connected again");
        return connection;
      } catch (IOException e) {
        // tried again until the deadline
      }
    }
    throw CliFailure.failed("no live feed at %s for %d s".formatted(node, retrySeconds));
  }

  /** Waits for the end; why the connection was lost, or empty if the subscription is done. */
  private String follow(LiveConnection connection) throws InterruptedException {
    var either = CompletableFuture.anyOf(subscription.done(), connection.lost());
    while (connection.silence().compareTo(LONGEST_SILENCE) < 0) {
      try {
        either.get(PING_EVERY_SECONDS, TimeUnit.SECONDS);
        return subscription.done().isDone() ? "" : connection.lost().join();
      } catch (TimeoutException e) {
        ping(connection);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof CliFailure failure
            ? failure
            : CliFailure.failed(ErrorText.ofCause(e));
      }
    }
    return "the node does not answer";
  }

  private static void ping(LiveConnection connection) {
    try {
      connection.send(PING);
    } catch (CompletionException e) {
      connection.lost().complete(ErrorText.ofCause(e));
    }
  }
}
