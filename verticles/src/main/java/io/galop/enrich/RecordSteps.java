package io.galop.enrich;

import io.galop.config.enrich.CalculateConfig;
import io.galop.config.enrich.DropConfig;
import io.galop.config.enrich.EnricherConfig;
import io.galop.config.enrich.NoopConfig;
import io.galop.config.enrich.SampleConfig;
import io.galop.enrich.step.EnrichMeters;

/** Makes the steps that take record by record and need neither file nor store. */
final class RecordSteps {
  private RecordSteps() {}

  static EachRecord.Step step(EnricherConfig step, EnrichMeters meters) {
    if (step instanceof CalculateConfig calculate) {
      return new Calculate(
          calculate,
          meters.topicsForgotten("calculate"),
          meters.timesAhead("calculate"),
          System::currentTimeMillis);
    }
    if (step instanceof DropConfig drop) {
      return new Drop(drop, meters.dropped("drop"));
    }
    if (step instanceof SampleConfig sample) {
      return new Sample(sample, meters.dropped("sample"), meters.topicsForgotten("sample"));
    }
    if (step instanceof NoopConfig) {
      return (record, to) -> to.add(record);
    }
    throw new IllegalStateException(step.getClass() + " has no step");
  }
}
