package io.galop.enrich.script.swap;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.step.DeadLetter;
import io.galop.enrich.step.EnrichMeters;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;

/** The dead letters of a script step, with the reasons that they give. From any thread. */
final class ScriptLetters {
  private final ScriptConfig config;
  private final DeadLetter letter;
  private final Counter made;
  private final SwapMeters meters;

  ScriptLetters(ScriptConfig config, EnrichMeters counts, SwapMeters meters) {
    this.config = config;
    this.letter = new DeadLetter("script", config.file(), Reason.SCRIPT_FAILED);
    this.made = counts.deadLetters("script", config.file());
    this.meters = meters;
  }

  /** What the script is called in counts and topics of dead letters. */
  String name() {
    return DeadLetter.baseName(config.file());
  }

  /** What becomes of a record that the script failed on. */
  Record failed(Record record, String why) {
    made.increment();
    return letter.of(record, why);
  }

  /**
   * What becomes of a record that comes to a lane while the script is suspended there.
   *
   * @param isHanging whether that is for good
   */
  Record suspended(Record record, boolean isHanging) {
    meters.suspendedRecords.increment();
    if (isHanging) {
      return failed(record, "the script is suspended, as " + hang());
    }
    return failed(
        record,
        "the script is suspended, as calls of it were slow or ended by a limit; drive the record"
            + " again when it is mended");
  }

  /** Why the script is suspended for good, as the end of a sentence. */
  String hang() {
    return "%d threads hang in it (breaker.maxHangingThreads), which only a restart of the node ends; deploy a mended version meanwhile"
        .formatted(config.breaker().maxHangingThreads());
  }
}
