package io.galop.record;

import io.galop.json.JsonString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The data of a dead letter, in one form whatever refused the record.
 *
 * <pre>
 * {"id": &lt;of the record&gt;, "topic": …, "timeUs": …, "reason": &lt;word of a Reason&gt;,
 *  "detail": &lt;what went wrong and where, one sentence&gt;, "data": {…as it came…}}
 * </pre>
 */
public final class DeadLetterData {
  /** The first level of the topics. */
  public static final String ROOT = "$dead-letter";

  private static final int MAX_DETAIL = 500;

  private DeadLetterData() {}

  /**
   * A JSON object.
   *
   * @param detail is cut off after 500 characters
   */
  public static byte[] of(Record record, Reason reason, String detail) {
    String shortened = detail.length() > MAX_DETAIL ? detail.substring(0, MAX_DETAIL) : detail;
    String head =
        "{\"id\":%s,\"topic\":%s,\"timeUs\":%d,\"reason\":\"%s\",\"detail\":%s,\"data\":"
            .formatted(
                JsonString.quoted(record.id()),
                JsonString.quoted(record.topic()),
                record.timeUs(),
                reason.word(),
                JsonString.quoted(shortened));
    ByteArrayOutputStream data = new ByteArrayOutputStream(head.length() + record.data().length);
    data.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    data.writeBytes(record.data());
    data.write('}');
    return data.toByteArray();
  }
}
