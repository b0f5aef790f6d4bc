package io.galop.client;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One record as it arrives.
 *
 * @param topic what it is about
 * @param id the fact: of a topic, an id is given once for ever
 * @param time event time, microseconds since 1970 UTC
 * @param json its data, a JSON object as text, as it was sent
 * @param position its place in the feed; empty if the node gave none
 * @param ageMs how old it was when it was sent; only in snapshots and what was fetched
 * @param isStale its topic was silent for too long when it was sent
 * @param isCatchingUp part of a snapshot, or of what was missed; live records follow
 * @param isAfterGap records were missed between the one before and this one
 */
public record FeedRecord(
    String topic,
    String id,
    long time,
    String json,
    Optional<Position> position,
    OptionalLong ageMs,
    boolean isStale,
    boolean isCatchingUp,
    boolean isAfterGap) {

  /**
   * Its data: texts, {@code Long} or {@code BigInteger}, {@code Double}, {@code Boolean}, null,
   * lists and maps of these. It is read anew from {@link #json} by each call.
   */
  public Map<String, Object> data() {
    return Json.object(json);
  }

  FeedRecord afterGap() {
    return new FeedRecord(topic, id, time, json, position, ageMs, isStale, isCatchingUp, true);
  }
}
