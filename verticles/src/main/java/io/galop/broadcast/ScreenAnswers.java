package io.galop.broadcast;

import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.hub.ControlFrames;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.latency.Lateness;
import io.galop.record.Position;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;

/**
 * What one browser says of the moment when it showed a record, and the clock that it needs to. It
 * is believed in one histogram and nowhere else, and asked so rarely that all browsers of a node
 * together say so a few times in a second.
 */
final class ScreenAnswers {
  private static final int ANSWERS_PER_SECOND = 20;

  /** Who says it more often is not heard. */
  private static final long LEAST_MS = 2_000;

  private static final long USUAL_MS = 5_000;
  private static final double US_PER_MS = 1000;

  private final NodeFeed feed;
  private final Subscriber subscriber;
  private long notBeforeNanos = System.nanoTime();

  ScreenAnswers(NodeFeed feed, Subscriber subscriber) {
    this.feed = feed;
    this.subscriber = subscriber;
  }

  /** The answer to a ping: with the node's clock for who asks for it. */
  Frame pong(JsonObject ping) {
    boolean isSockJs = subscriber.isSockJs();
    if (!Boolean.TRUE.equals(ping.getValue("clock"))) {
      return ControlFrames.pong(isSockJs);
    }
    long viewers = feed.meters().connections().get();
    long againMs = Math.max(USUAL_MS, TimeUnit.SECONDS.toMillis(viewers) / ANSWERS_PER_SECOND);
    return ControlFrames.pong(isSockJs, feed.meters().lateness().nowUs(), againMs);
  }

  /**
   * Takes what a browser says.
   *
   * @throws IllegalArgumentException if that is no such message
   */
  void shown(JsonObject message) {
    Position position = position(message.getValue("pos"));
    double timeMs = number(message, "time");
    double errorMs = number(message, "error");
    if (errorMs < 0) {
      throw new IllegalArgumentException("error of a message of type shown must not be below 0");
    }
    long now = System.nanoTime();
    if (now - notBeforeNanos < 0) {
      feed.meters().answerRefused();
      return;
    }
    notBeforeNanos = now + TimeUnit.MILLISECONDS.toNanos(LEAST_MS);
    Lateness lateness = feed.meters().lateness();
    String transport = subscriber.transport();
    long atUs = (long) (timeMs * US_PER_MS);
    long errorUs = (long) Math.min(errorMs * US_PER_MS, Integer.MAX_VALUE);
    feed.post(
        () -> {
          Entry shown = feed.ring().find(position);
          if (shown != null) {
            lateness.screen(transport, shown.stamp(), atUs, errorUs);
          }
        });
  }

  private Position position(Object text) {
    Position position = text instanceof String pos ? Position.parse(pos) : Position.none(0);
    if (position.isNone() || position.shard() < 0 || position.shard() >= feed.shards()) {
      throw new IllegalArgumentException(
          "pos of a message of type shown must be the Position of a record");
    }
    return position;
  }

  private static double number(JsonObject message, String field) {
    if (message.getValue(field) instanceof Number number
        && Math.abs(number.doubleValue()) < Long.MAX_VALUE / US_PER_MS) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException(
        field + " of a message of type shown must be a number of milliseconds");
  }
}
