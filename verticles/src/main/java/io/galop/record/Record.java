package io.galop.record;

import java.util.Objects;

/**
 * One immutable fact.
 *
 * @param id with the topic identifies the fact for ever: the same id on the same topic is the same
 *     fact, stored once; each topic has ids of its own
 * @param topic a name that {@link Topic#check} accepts
 * @param timeUs event time, microseconds since the epoch, UTC
 * @param data a JSON object in UTF-8; never changed after construction, so it is shared and not
 *     copied
 */
public record Record(String id, String topic, long timeUs, byte[] data) {
  public Record {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(topic, "topic");
    Objects.requireNonNull(data, "data");
  }
}
