package io.galop.enrich;

import io.galop.enrich.step.DeadLetter;
import io.galop.enrich.step.EnrichMeters;
import io.galop.json.JsonString;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.galop.record.Topic;
import io.micrometer.core.instrument.Counter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The dead letters of records that have become larger than an owner takes. They keep the beginning
 * of the data only, as {@code {"text":…}}. To topics of drills that are to be refused any record is
 * too large; their letters count for nobody.
 */
final class Oversize {
  private static final String STEP = "log";
  private static final String NAME = "too-large";

  /** So that a letter fits whatever the names and the sentence are, and a sign takes six bytes. */
  private static final int TEXT_PART = 16;

  private static final int MOST_TEXT_BYTES = 8192;
  private static final String PLANTED = "a drill has planted it, to see that it is refused";

  private final int largestBytes;
  private final Counter letters;
  private final DeadLetter deadLetter = new DeadLetter(STEP, NAME, Reason.TOO_LARGE);

  Oversize(int largestBytes, EnrichMeters meters) {
    this.largestBytes = largestBytes;
    this.letters = meters.deadLetters(STEP, NAME);
  }

  /**
   * The records, with a dead letter in the place of each that is larger than an owner takes: an
   * owner that refuses a record holds up everything of the shard behind it.
   *
   * @return the same list if all fit
   */
  List<Record> fitting(List<Record> records) {
    for (Record record : records) {
      if (isTooLarge(record)) {
        return records.stream().map(one -> isTooLarge(one) ? letter(one) : one).toList();
      }
    }
    return records;
  }

  private boolean isTooLarge(Record record) {
    return RecordCodec.approximateBytes(record) > largestBytes
        || Topic.isRefusedDrill(record.topic());
  }

  /** The dead letter of a record that is too large. */
  private Record letter(Record record) {
    byte[] data = record.data();
    int kept = Math.min(data.length, Math.min(MOST_TEXT_BYTES, largestBytes / TEXT_PART));
    String text = new String(Arrays.copyOf(data, kept), StandardCharsets.UTF_8);
    byte[] cut = ("{\"text\":" + JsonString.quoted(text) + "}").getBytes(StandardCharsets.UTF_8);
    Record small = new Record(record.id(), record.topic(), record.timeUs(), cut);
    if (Topic.isRefusedDrill(record.topic())) {
      return DeadLetter.ofDrill(record.topic(), Reason.TOO_LARGE).of(small, PLANTED);
    }
    letters.increment();
    return deadLetter.of(
        small,
        "%d bytes of data are more than a record may have after enrichment; add less to it, or raise"
                .formatted(data.length)
            + " persist.log.segmentBytes, of which a record takes a fifth");
  }
}
