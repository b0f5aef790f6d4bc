package io.galop.enrich;

import io.galop.config.GalopConfig;
import io.galop.config.enrich.CalculateConfig;
import io.galop.config.enrich.DropConfig;
import io.galop.config.enrich.EnricherConfig;
import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.NoopConfig;
import io.galop.config.enrich.SampleConfig;
import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.swap.ScriptEnricher;
import io.galop.enrich.script.swap.ScriptStep;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.vertx.core.Vertx;
import java.util.function.Function;

/** Makes the steps that the configuration names. */
final class Bricks {
  private final Vertx vertx;
  private final GalopConfig config;
  private final EnrichMeters meters;
  private final Function<ScriptConfig, ScriptStep> scripts;

  Bricks(
      Vertx vertx,
      GalopConfig config,
      EnrichMeters meters,
      Function<ScriptConfig, ScriptStep> scripts) {
    this.scripts = scripts;
    this.vertx = vertx;
    this.config = config;
    this.meters = meters;
  }

  Chain chain() {
    return new Chain(config.enrich().chain().stream().map(this::enricher).toList());
  }

  private Enricher enricher(EnricherConfig step) {
    String directory = config.enrich().directory();
    if (step instanceof LookupConfig lookup) {
      return lookup.isFile()
          ? new Lookup(vertx, lookup, directory, meters)
          : new StoreLookup(vertx, lookup, meters);
    }
    if (step instanceof ScriptConfig script) {
      return new ScriptEnricher(vertx, scripts.apply(script));
    }
    return new EachRecord(new Scope(step.topics()), each(step));
  }

  private EachRecord.Step each(EnricherConfig step) {
    if (step instanceof CalculateConfig calculate) {
      return new Calculate(calculate, meters.topicsForgotten("calculate"));
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
