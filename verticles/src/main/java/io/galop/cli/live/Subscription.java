package io.galop.cli.live;

import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.galop.jvm.ErrorText;
import io.galop.record.Position;
import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** What is subscribed to, and how far it was seen: enough to go on after a lost connection. */
final class Subscription {
  /**
   * How a filter is registered.
   *
   * @param snapshot whether the last value of each topic comes first
   * @param mode {@code every}, {@code latest}, or empty for the node's default
   */
  record Wishes(boolean snapshot, String mode) {}

  /** From this code on a client would be disconnected again. */
  private static final int REFUSED_FROM = 3500;

  private static final long LONGEST_STAY_AWAY_MS = 60_000;

  private final List<String> filters;
  private final Wishes wishes;
  private final long count;
  private final Consumer<String> onLine;
  private final Terminal console;
  private final Map<String, Map<Integer, Position>> seen = new TreeMap<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private long printed;
  private long retryAfterMs;
  private boolean resuming;

  /**
   * @param since where to begin; empty: with what comes
   * @param count after how many records to end; 0 never
   * @param onLine is given each record as one line of JSON
   */
  Subscription(
      List<String> filters,
      List<Position> since,
      Wishes wishes,
      long count,
      Consumer<String> onLine,
      Terminal console) {
    this.filters = filters;
    this.wishes = wishes;
    this.count = count;
    this.onLine = onLine;
    this.console = console;
    for (String filter : filters) {
      Map<Integer, Position> positions = new TreeMap<>();
      since.forEach(position -> positions.put(position.shard(), position));
      seen.put(filter, positions);
    }
  }

  /** What to send on a new connection. */
  synchronized List<String> registrations() {
    List<String> messages = new ArrayList<>();
    for (String filter : filters) {
      JsonObject headers = new JsonObject();
      Map<Integer, Position> positions = seen.getOrDefault(filter, Map.of());
      if (wishes.snapshot && (!resuming || positions.isEmpty())) {
        headers.put("snapshot", "true");
      }
      if (!wishes.snapshot || !positions.isEmpty()) {
        headers.put("since", join(positions)); // an empty one asks where to resume from later
      }
      if (!wishes.mode.isEmpty()) {
        headers.put("mode", wishes.mode);
      }
      messages.add(
          new JsonObject()
              .put("type", "register")
              .put("address", filter)
              .put("headers", headers)
              .encode());
    }
    resuming = true;
    return messages;
  }

  private static String join(Map<Integer, Position> positions) {
    return positions.values().stream().map(Position::toString).collect(Collectors.joining(","));
  }

  /** Takes one frame of the connection. */
  synchronized void onFrame(byte[] frame) {
    if (done.isDone()) {
      return;
    }
    try {
      onMessage(LiveMessage.parse(frame));
    } catch (IllegalArgumentException e) {
      done.completeExceptionally(
          CliFailure.failed("what the node sends is no message of a live feed: " + e.getMessage()));
    } catch (CliFailure e) {
      done.completeExceptionally(e);
    } catch (UncheckedIOException e) {
      done.completeExceptionally(CliFailure.failed(ErrorText.ofCause(e)));
    }
  }

  private void onMessage(LiveMessage message) {
    switch (message.type()) {
      case "rec" -> onRecord(message);
      case "resumed" -> {
        if (!message.fields().getBoolean("complete", false)) {
          console.say(message.address() + ": incomplete, some records since then are missing");
        }
      }
      case "stale" -> console.say(message.address() + ": stale, the source is not reachable");
      case "fresh" -> console.say(message.address() + ": fresh again");
      case "capped" ->
          console.say(
              message.address() + ": the node sends what its caps allow: " + message.body());
      case "live" -> {
        for (String position : message.fields().getString("pos", "").split(",")) {
          onPosition(message.address(), position);
        }
      }
      case "err" -> onError(message.fields());
      default -> {
        // pong, and words of later versions
      }
    }
  }

  private void onRecord(LiveMessage message) {
    onLine.accept(message.toLine());
    onPosition(message.address(), message.position());
    if (++printed == count) {
      done.complete(null);
    }
  }

  private void onPosition(String filter, String text) {
    if (!text.isEmpty()) {
      Position position = Position.parse(text);
      seen.computeIfAbsent(filter, unknown -> new TreeMap<>())
          .merge(position.shard(), position, (a, b) -> a.compareTo(b) >= 0 ? a : b);
    }
  }

  /** An error that only announces the end of the connection is followed by that end. */
  private void onError(JsonObject error) {
    String message = error.getString("message", error.getString("body", ""));
    boolean comeBack =
        "disconnect".equals(error.getString("failureType"))
            && error.getInteger("failureCode", 0) < REFUSED_FROM;
    if (!comeBack) {
      throw CliFailure.failed("the node refuses: " + message);
    }
    retryAfterMs = Math.max(0, error.getLong("retryAfterMs", 0L));
    console.say("the node ends the connection: " + message);
  }

  /** How long to stay away before coming back, as the node has asked, once. */
  synchronized long retryAfterMs() {
    long asked = Math.min(retryAfterMs, LONGEST_STAY_AWAY_MS);
    retryAfterMs = 0;
    return asked;
  }

  /** Completes after the wanted number of records; fails when going on is no use. */
  CompletableFuture<Void> done() {
    return done;
  }
}
