package io.galop.enrich.script;

import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * A record as a script is given it: its data can be changed, the rest cannot. The names of its
 * methods make it {@code record.id} in Groovy and Kotlin.
 */
public final class ScriptRecord {
  private final String id;
  private final String topic;
  private final long timeUs;
  private final Map<String, @Nullable Object> data;

  /**
   * @param data the call's own: texts, numbers, booleans, null, maps and lists of these
   */
  public ScriptRecord(String id, String topic, long timeUs, Map<String, @Nullable Object> data) {
    this.id = id;
    this.topic = topic;
    this.timeUs = timeUs;
    this.data = data;
  }

  /** The record's id. */
  public String getId() {
    return id;
  }

  /** The record's topic. */
  public String getTopic() {
    return topic;
  }

  /** Event time in microseconds since the epoch, UTC. */
  public long getTimeUs() {
    return timeUs;
  }

  /** The fields. */
  @NullUnmarked // scripts in Kotlin may take it as a map of Any or of Any?
  public Map<String, Object> getData() {
    return data;
  }
}
