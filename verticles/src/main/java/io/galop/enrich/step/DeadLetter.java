package io.galop.enrich.step;

import io.galop.record.DeadLetterData;
import io.galop.record.DerivedId;
import io.galop.record.Reason;
import io.galop.record.Record;

/**
 * A record that a step could not take, kept as a Record of its own: stored like any other before
 * the raw one is acknowledged, so that nothing is lost. It can be read like any topic and driven
 * again by publishing its {@code data.data} on its {@code data.topic}.
 *
 * <pre>
 * topic  $dead-letter/&lt;step&gt;/&lt;name&gt;, such as $dead-letter/script/betfair
 * id     &lt;id of the record&gt;#0@&lt;mark of its topic&gt;, see {@link DerivedId}
 * time   of the record
 * data   see {@link DeadLetterData}
 * </pre>
 *
 * A record that a step failed on keeps what the steps before it have added.
 */
public final class DeadLetter {
  private final String topic;
  private final Reason reason;

  /**
   * The dead letters of a step.
   *
   * @param step the word of the brick
   * @param file of the step, whose name without its ending is the last level of the topic
   */
  public DeadLetter(String step, String file, Reason reason) {
    this(DeadLetterData.ROOT + '/' + step + '/' + baseName(file), reason);
  }

  private DeadLetter(String topic, Reason reason) {
    this.topic = topic;
    this.reason = reason;
  }

  /** The dead letters of a drill, on the topic of its records: not among those of users. */
  public static DeadLetter ofDrill(String topic, Reason reason) {
    return new DeadLetter(topic, reason);
  }

  /** The name of a file without its directories and ending, fit for a level of a topic. */
  public static String baseName(String file) {
    String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    int dot = name.lastIndexOf('.');
    return (dot > 0 ? name.substring(0, dot) : name).replaceAll("[+#\\p{Cntrl}]", "-");
  }

  /** The dead letter of a record. */
  public Record of(Record record, String detail) {
    byte[] data = DeadLetterData.of(record, reason, detail);
    return new Record(DerivedId.of(record, 0, topic), topic, record.timeUs(), data);
  }
}
