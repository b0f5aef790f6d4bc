package io.galop.extend;

import io.galop.record.Record;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A record as a verticle is given it. */
public final class LiveRecord {
  private final Record record;
  private Map<String, Object> data;

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
  public Map<String, Object> getData() {
    if (data == null) {
      data = new JsonObject(Buffer.buffer(record.data())).getMap();
    }
    return data;
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
