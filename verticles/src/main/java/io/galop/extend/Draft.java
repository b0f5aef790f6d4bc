package io.galop.extend;

import io.galop.json.JsonString;
import io.galop.vertx.Loop;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way to the door.
 *
 * @param id its id, made if the verticle gave none, so that it may be sent again
 * @param line as the doors read it, without a line end
 * @param bytes what it takes, about
 * @param taken what waits for it is called on the instance's context; what that throws is reported
 *     there, and never thrown at who completes it
 */
record Draft(String id, String line, int bytes, Promise<Void> taken) {
  private static final int OBJECTS_BYTES = 128;

  /**
   * Writes a record as a line.
   *
   * @param timeUs its event time; null for the time of its arrival
   * @param data a JSON object; what it has of line breaks can only stand between its tokens
   */
  static Draft of(Context context, String topic, String data, String id, @Nullable Long timeUs) {
    StringBuilder line = JsonString.quote(new StringBuilder("{\"topic\":"), topic);
    JsonString.quote(line.append(",\"id\":"), id);
    if (timeUs != null) {
      line.append(",\"time\":").append(timeUs.longValue());
    }
    line.append(",\"data\":").append(data.replace('\n', ' ').replace('\r', ' ')).append('}');
    String text = line.toString();
    int bytes = text.getBytes(StandardCharsets.UTF_8).length + OBJECTS_BYTES;
    return new Draft(id, text, bytes, Loop.of(context).promise());
  }
}
