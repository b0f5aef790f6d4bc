package io.galop.extend;

import io.galop.record.Record;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/** A record as a verticle is given it. */
public final class LiveRecord {
  private final Record record;

  /** Null until the verticle asks for it. */
  private @Nullable Map<String, @Nullable Object> data;

  LiveRecord(Record record) {
    this.record = record;
  }

  public String getId() {
    return record.id();
  }

  public String getTopic() {
    return record.topic();
  }

  /** Event time, microseconds since the epoch, UTC. */
  public long getTimeUs() {
    return record.timeUs();
  }

  /** The data; the verticle's own to change. */
  @NullUnmarked // verticles in Kotlin may take it as a map of Any or of Any?
  public Map<String, Object> getData() {
    Map<String, @Nullable Object> known = data;
    if (known == null) {
      known = new JsonObject(Buffer.buffer(record.data())).getMap();
      data = known;
    }
    return known;
  }

  /** The data as JSON text. */
  public String getJson() {
    return new String(record.data(), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return record.topic() + ' ' + getJson();
  }
}
