package io.galop.enrich;

import io.galop.config.enrich.LookupConfig;
import io.galop.enrich.step.DeadLetter;
import io.galop.enrich.step.EnrichMeters;
import io.galop.json.JsonSplice;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import java.util.List;

/** What becomes of a record by what its look-up came to. */
final class LookupOutcome {
  private final LookupConfig config;
  private final String keyIn;
  private final Counter misses;
  private final Counter unavailable;
  private final Counter dropped;
  private final Counter deadLetters;
  private final DeadLetter missed;
  private final DeadLetter unanswered;

  LookupOutcome(LookupConfig config, String keyIn, EnrichMeters meters) {
    this.config = config;
    this.keyIn = keyIn;
    this.misses = meters.lookupMisses(config.table());
    this.unavailable = meters.lookupUnavailable(config.table());
    this.dropped = meters.dropped("lookup");
    this.deadLetters = meters.deadLetters("lookup", config.table());
    this.missed = new DeadLetter("lookup", config.table(), Reason.LOOKUP_MISS);
    this.unanswered = new DeadLetter("lookup", config.table(), Reason.LOOKUP_UNAVAILABLE);
  }

  void found(Record record, byte[] field, List<Record> to) {
    byte[] data = JsonSplice.withField(record.data(), field);
    to.add(new Record(record.id(), record.topic(), record.timeUs(), data));
  }

  void missing(Record record, String key, List<Record> to) {
    misses.increment();
    switch (config.onMiss()) {
      case PASS -> to.add(record);
      case DROP -> dropped.increment();
      case REJECT -> to.add(deadLetter(missed, record, why(key)));
    }
  }

  private String why(String key) {
    return key.equals(LookupKey.NONE)
        ? keyIn + " holds no key"
        : "the table " + config.table() + " has no row '" + key + "', the key in " + keyIn;
  }

  /** Where stale rows serve, this is the record for whose key none was ever read. */
  void unavailable(Record record, List<Record> to) {
    unavailable.increment();
    if (config.onUnavailable() == LookupConfig.OnUnavailable.REJECT) {
      String why = "the table " + config.table() + " did not answer in time";
      to.add(deadLetter(unanswered, record, why));
    } else {
      to.add(record);
    }
  }

  private Record deadLetter(DeadLetter kind, Record record, String detail) {
    deadLetters.increment();
    return kind.of(record, detail);
  }
}
