package io.galop.cli.live;

import io.galop.cli.CliFailure;
import io.galop.cli.Console;
import io.galop.record.Position;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
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

  private final List<String> filters;
  private final Wishes wishes;
  private final long count;
  private final Console console;
  private final Map<String, Map<Integer, Position>> seen = new TreeMap<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private long printed;
  private boolean resuming;

  /**
   * @param since where to begin; empty: with what comes
   * @param count after how many records to end; 0 never
   */
  Subscription(
      List<String> filters, List<Position> since, Wishes wishes, long count, Console console) {
    this.filters = filters;
    this.wishes = wishes;
    this.count = count;
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
      Map<Integer, Position> positions = seen.get(filter);
      if (!positions.isEmpty()) {
        headers.put(
            "since",
            positions.values().stream().map(Position::toString).collect(Collectors.joining(",")));
      }
      if (wishes.snapshot && (!resuming || positions.isEmpty())) {
        headers.put("snapshot", "true");
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
      case "err" -> throw CliFailure.failed("the node refuses: " + reason(message.fields()));
      default -> {
        // pong, and words of later versions
      }
    }
  }

  private void onRecord(LiveMessage message) {
    console.line(message.toLine());
    if (!message.position().isEmpty()) {
      Position position = Position.parse(message.position());
      seen.computeIfAbsent(message.address(), filter -> new TreeMap<>())
          .merge(position.shard(), position, (a, b) -> a.compareTo(b) >= 0 ? a : b);
    }
    if (++printed == count) {
      done.complete(null);
    }
  }

  private static String reason(JsonObject error) {
    Object body = error.getValue("body", error.getValue("message", ""));
    String address = error.getString("address", "");
    return (address.isEmpty() ? "" : address + ": ") + body;
  }

  /** Completes after the wanted number of records; fails when going on is no use. */
  CompletableFuture<Void> done() {
    return done;
  }
}
