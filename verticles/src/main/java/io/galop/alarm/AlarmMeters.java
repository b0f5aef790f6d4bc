package io.galop.alarm;

import io.galop.alarm.AlarmState.Word;
import io.galop.config.alarm.AlarmRuleConfig.Severity;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** What the alarms of a node count; read by any thread. */
final class AlarmMeters {
  private final AtomicIntegerArray standing =
      new AtomicIntegerArray(Word.values().length * Severity.values().length);
  private final AtomicInteger topics = new AtomicInteger();
  private final Counter skipped;
  private final Counter refused;
  private final Counter unwatched;
  private final Counter failures;
  private final Counter changes;

  AlarmMeters(MeterRegistry meters) {
    for (Word word : Word.values()) {
      for (Severity severity : Severity.values()) {
        if (word != Word.NORMAL) {
          Gauge.builder("galop.alarms", standing, all -> all.get(index(word, severity)))
              .description("Alarms of the shards that this node owns")
              .tag("state", word.word())
              .tag("severity", severity.word())
              .register(meters);
        }
      }
    }
    Gauge.builder("galop.alarms.topics", topics, AtomicInteger::get)
        .description("Topics that rules watch here")
        .register(meters);
    skipped =
        counter(
            meters,
            "galop.alarms.skipped",
            "records",
            "Records that were not looked at for alarms");
    refused =
        counter(
            meters,
            "galop.alarms.refused",
            "alarms",
            "Alarms that had to wait for room, each once while its condition holds");
    unwatched =
        counter(meters, "galop.alarms.unwatched", "topics", "Topics not watched for lack of room");
    failures =
        counter(
            meters,
            "galop.alarms.expression.failures",
            "records",
            "Records of which an alarm's expression had no answer");
    changes = counter(meters, "galop.alarms.changes", "records", "Changes of alarms, as records");
  }

  private static Counter counter(MeterRegistry meters, String name, String unit, String what) {
    return Counter.builder(name).baseUnit(unit).description(what).register(meters);
  }

  private static int index(Word word, Severity severity) {
    return word.ordinal() * Severity.values().length + severity.ordinal();
  }

  /** An alarm is something else now. */
  void changed(AlarmState before, AlarmState now) {
    standing.decrementAndGet(index(before.word(), before.severity()));
    standing.incrementAndGet(index(now.word(), now.severity()));
  }

  /** An alarm that stands is here from now on, or no more. */
  void here(AlarmState state, int count) {
    if (state.stands()) {
      standing.addAndGet(index(state.word(), state.severity()), count);
    }
  }

  AtomicInteger topics() {
    return topics;
  }

  void skipped(int records) {
    skipped.increment(records);
  }

  void refused() {
    refused.increment();
  }

  void unwatched() {
    unwatched.increment();
  }

  void failed() {
    failures.increment();
  }

  void recorded() {
    changes.increment();
  }
}
