package io.galop.enrich;

import io.galop.record.JsonString;
import io.galop.record.Reason;
import io.galop.record.Record;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A record that a step could not take, kept as a Record of its own: stored like any other before
 * the raw one is acknowledged, so that nothing is lost. It can be read like any topic and driven
 * again by publishing its {@code data.data} on its {@code data.topic}.
 *
 * <pre>
 * topic  $dead-letter/&lt;step&gt;/&lt;name&gt;, such as $dead-letter/script/betfair
 * id     &lt;id of the record&gt;#0
 * time   of the record
 * data   {"id": &lt;of the record&gt;, "topic": …, "timeUs": …, "reason": &lt;word of a Reason&gt;,
 *         "detail": &lt;what went wrong and where, one sentence&gt;, "data": {…as it came…}}
 * </pre>
 *
 * A record that a step failed on keeps what the steps before it have added.
 */
public final class DeadLetter {
  /** The first level of the topics. */
  public static final String ROOT = "$dead-letter";

  private static final int MAX_DETAIL = 500;

  private final String topic;
  private final Reason reason;

  /**
   * The dead letters of a step.
   *
   * @param step the word of the brick
   * @param file of the step, whose name without its ending is the last level of the topic
   */
  public DeadLetter(String step, String file, Reason reason) {
    this.topic = ROOT + '/' + step + '/' + baseName(file);
    this.reason = reason;
  }

  /** The name of a file without its directories and ending, fit for a level of a topic. */
  public static String baseName(String file) {
    String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    int dot = name.lastIndexOf('.');
    return (dot > 0 ? name.substring(0, dot) : name).replaceAll("[+#\\p{Cntrl}]", "-");
  }

  /** The dead letter of a record. */
  public Record of(Record record, String detail) {
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
    return new Record(Record.derivedId(record.id(), 0), topic, record.timeUs(), data.toByteArray());
  }
}
