package io.galop.ops.drill;

import io.galop.jvm.ErrorText;
import io.galop.ops.drill.DrillRun.Way;
import io.galop.record.DerivedId;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;

/**
 * A viewer of one topic on a transport, which reads all that it is sent. It comes and goes: what is
 * said by a connection that it has left does not count. On one event loop.
 */
abstract class DrillViewer {
  private final DrillStage transport;
  private final Way way;
  private final Consumer<DrillEvent.OfViewer> events;
  private int visit;
  private String position = "";

  /**
   * @param way whose records count
   */
  DrillViewer(DrillStage transport, Way way, Consumer<DrillEvent.OfViewer> events) {
    this.transport = transport;
    this.way = way;
    this.events = events;
  }

  /**
   * Connects and registers.
   *
   * @param since where it was; empty: it is new
   * @param messages takes what it is sent
   * @param onEnd called when it is sent away
   */
  abstract Future<?> connect(String since, Consumer<String> messages, Runnable onEnd);

  /** Ends the connection, if there is one. */
  abstract void disconnect();

  final void join() {
    int mine = ++visit;
    Consumer<String> messages =
        text -> {
          if (mine == visit) {
            take(text);
          }
        };
    Runnable onEnd = () -> broken(mine, "sent away on " + transport.word());
    Future.succeededFuture()
        .compose(now -> connect(position, messages, onEnd))
        .onSuccess(
            there -> {
              if (mine != visit) { // it has left meanwhile
                disconnect();
              }
            })
        .onFailure(
            why -> broken(mine, "no viewer on " + transport.word() + ": " + ErrorText.of(why)));
  }

  private void broken(int of, String why) {
    if (of == visit) {
      visit++;
      events.accept(new DrillEvent.Broken(transport, why));
    }
  }

  final void leave() {
    visit++;
    disconnect();
  }

  private void take(String text) {
    try {
      take(new JsonObject(text));
    } catch (DecodeException | ClassCastException | NumberFormatException wrong) {
      broken(visit, "shown what is no message on " + transport.word());
    }
  }

  private void take(JsonObject message) {
    JsonObject headers = message.getJsonObject("headers", new JsonObject());
    switch (message.getString("type", "")) {
      case "rec" -> {
        shown(message.getJsonObject("body"));
        position = headers.getString("pos", position);
      }
      case "resumed" ->
          events.accept(new DrillEvent.Joined(transport, message.getBoolean("complete")));
      case "stale" -> told(headers, true);
      case "fresh" -> told(headers, false);
      case "err" ->
          broken(visit, "refused on " + transport.word() + ": " + message.getString("body"));
      default -> {}
    }
  }

  /** Words about a topic, or about the feed. */
  private void told(JsonObject headers, boolean isSilent) {
    if (headers.containsKey("topic")) {
      events.accept(new DrillEvent.Told(transport, isSilent));
    } else if (isSilent) {
      events.accept(new DrillEvent.Cut(transport));
    }
  }

  /** A record of the round, or the dead letter that was made of one. */
  private void shown(JsonObject body) {
    String id = body.getString("id");
    if (!id.startsWith(way.idPrefix())) {
      return;
    }
    int part = Integer.parseInt(DerivedId.raw(id.substring(way.idPrefix().length())));
    JsonObject data = body.getJsonObject("data", new JsonObject());
    String reason = data.getString("reason", "");
    if (!DerivedId.raw(id).equals(id) && !reason.isEmpty()) {
      events.accept(new DrillEvent.Lettered(transport, part, reason));
    } else if (isNumber(data, "drill", way.number()) && isNumber(data, "part", part)) {
      events.accept(new DrillEvent.Shown(transport, part));
    } else {
      broken(visit, "shown with other data on " + transport.word() + ": " + data.encode());
    }
  }

  private static boolean isNumber(JsonObject data, String field, long wanted) {
    return data.getValue(field) instanceof Number is && is.longValue() == wanted;
  }
}
