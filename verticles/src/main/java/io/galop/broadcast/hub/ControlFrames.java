package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.json.JsonString;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What Galop says to browsers besides records. Each word with an address has a body, since existing
 * clients of the event-bus bridge hand it to the handler of the address like a record.
 */
public final class ControlFrames {
  private static final Frame PONG = Frame.ofControl("{\"type\":\"pong\"}");

  /**
   * The same over SockJS, as the bridge's clients use it. They look up who handles an address in a
   * plain object and complain of each message that nobody does. This name every object has, with
   * nothing in it to be called.
   */
  private static final Frame SOCKJS_PONG =
      Frame.ofControl("{\"type\":\"pong\",\"address\":\"toString\"}");

  private ControlFrames() {}

  /** The answer to a ping. */
  public static Frame pong(boolean isSockJs) {
    return isSockJs ? SOCKJS_PONG : PONG;
  }

  /**
   * The same with the node's clock.
   *
   * @param nowUs since the epoch
   * @param againMs after which the browser may ask again, and tell of another record
   */
  public static Frame pong(boolean isSockJs, long nowUs, long againMs) {
    return Frame.ofControl(
        "{\"type\":\"pong\","
            + (isSockJs ? "\"address\":\"toString\"," : "")
            + String.format(
                Locale.ROOT, "\"now\":%d.%03d,\"again\":%d}", nowUs / 1000, nowUs % 1000, againMs));
  }

  /** A request that was refused; the bridge's clients expect the word as the body. */
  public static Frame error(String word, String message) {
    return Frame.ofControl(
        "{\"type\":\"err\",\"body\":\""
            + word
            + "\",\"message\":"
            + JsonString.quoted(message)
            + "}");
  }

  /** A registration that was refused; the bridge's clients tell its handler. */
  public static Frame refused(String address, String word, String message) {
    return Frame.ofControl(
        "{\"type\":\"err\",\"address\":"
            + JsonString.quoted(address)
            + ",\"body\":\""
            + word
            + "\",\"message\":"
            + JsonString.quoted(message)
            + "}");
  }

  /** A registration that has ended, for a reason; the bridge's clients tell its handler. */
  public static Frame ended(TopicFilter filter, String word, String message) {
    return about(
        "err",
        filter,
        ",\"body\":\"" + word + "\",\"message\":" + JsonString.quoted(message) + "}");
  }

  /**
   * A registration is sent something else from now on, as it asked for.
   *
   * @param pace what caps leave of that; empty if none concerns it
   */
  static Frame updated(TopicFilter filter, JsonObject pace) {
    return about("updated", filter, ",\"body\":" + pace.encode() + "}");
  }

  /** Caps of the node hold for a registration: what they leave; empty if none does any more. */
  static Frame capped(TopicFilter filter, JsonObject pace) {
    return about("capped", filter, ",\"body\":" + pace.encode() + "}");
  }

  /** A token was taken, and how long it is good for. */
  public static Frame token(long expiresMs) {
    return Frame.ofControl("{\"type\":\"token\",\"body\":{\"expires\":" + expiresMs / 1000 + "}}");
  }

  /** The feed behind a filter is cut off. */
  static Frame stale(TopicFilter filter) {
    return about("stale", filter, ",\"body\":{\"reason\":\"feed\"}}");
  }

  /** The feed behind a filter is back, and this node has caught up. */
  static Frame fresh(TopicFilter filter) {
    return about("fresh", filter, ",\"body\":{}}");
  }

  /** One topic of a filter is silent for longer than it may be, or is back. */
  static Frame about(TopicFilter filter, Entry word) {
    String topic = ",\"headers\":{\"topic\":" + JsonString.quoted(word.topic());
    return word.isStaleWord()
        ? about(
            "stale",
            filter,
            topic + ",\"age\":" + word.ageMs() + "},\"body\":{\"reason\":\"silent\"}}")
        : about("fresh", filter, topic + "},\"body\":{}}");
  }

  /** Whether all that a browser missed follows, or a snapshot instead. */
  static Frame resumed(TopicFilter filter, boolean complete) {
    return about(
        "resumed",
        filter,
        ",\"complete\":" + complete + ",\"body\":{\"complete\":" + complete + "}}");
  }

  /**
   * The snapshot or what was missed is over; the Positions from which to resume later. In a partial
   * snapshot topics may be missing that have not changed for long.
   */
  static Frame live(TopicFilter filter, List<Position> heads, boolean partial) {
    String positions = heads.stream().map(Position::toString).collect(Collectors.joining(","));
    return about(
        "live",
        filter,
        ",\"pos\":\"" + positions + "\"" + (partial ? ",\"partial\":true" : "") + ",\"body\":{}}");
  }

  private static Frame about(String type, TopicFilter filter, String rest) {
    return Frame.ofControl(
        "{\"type\":\"" + type + "\",\"address\":" + JsonString.quoted(filter.toString()) + rest);
  }
}
