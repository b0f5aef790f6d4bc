package io.galop.broadcast;

import io.galop.record.JsonString;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What Galop says to browsers besides records. Each word with an address has a body, since existing
 * clients of the event-bus bridge hand it to the handler of the address like a record.
 */
final class Words {
  static final Frame PONG = Frame.ofControl("{\"type\":\"pong\"}");

  private Words() {}

  /** A request that was refused; the bridge's clients expect the word as the body. */
  static Frame error(String word, String message) {
    return Frame.ofControl(
        "{\"type\":\"err\",\"body\":\""
            + word
            + "\",\"message\":"
            + JsonString.quoted(message)
            + "}");
  }

  /** The feed behind a filter is cut off. */
  static Frame stale(TopicFilter filter) {
    return about("stale", filter, ",\"body\":{\"reason\":\"feed\"}}");
  }

  /** The feed behind a filter is back, and this node has caught up. */
  static Frame fresh(TopicFilter filter) {
    return about("fresh", filter, ",\"body\":{}}");
  }

  /** Whether all that a browser missed follows, or a snapshot instead. */
  static Frame resumed(TopicFilter filter, boolean complete) {
    return about(
        "resumed",
        filter,
        ",\"complete\":" + complete + ",\"body\":{\"complete\":" + complete + "}}");
  }

  /** The snapshot or what was missed is over; the Positions from which to resume later. */
  static Frame live(TopicFilter filter, List<Position> heads) {
    String positions = heads.stream().map(Position::toString).collect(Collectors.joining(","));
    return about("live", filter, ",\"pos\":\"" + positions + "\",\"body\":{}}");
  }

  private static Frame about(String type, TopicFilter filter, String rest) {
    return Frame.ofControl(
        "{\"type\":\"" + type + "\",\"address\":" + JsonString.quoted(filter.toString()) + rest);
  }
}
