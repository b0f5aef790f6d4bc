package io.galop.enrich;

import io.galop.config.GalopConfig;
import io.galop.config.enrich.EnricherConfig;
import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.SchemaConfig;
import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.swap.ScriptEnricher;
import io.galop.enrich.script.swap.ScriptStep;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.vertx.core.Vertx;
import java.util.List;
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

  /** A chain as it is configured, not started. */
  Chain chain() {
    return new Chain(List.of()).next(config.enrich().chain(), this::enricher);
  }

  /** A step, not started. */
  Enricher enricher(EnricherConfig step) {
    String directory = config.enrich().directory();
    if (step instanceof LookupConfig lookup) {
      return lookup.isFile()
          ? new Lookup(vertx, lookup, directory, meters)
          : new StoreLookup(vertx, lookup, meters);
    }
    if (step instanceof ScriptConfig script) {
      return new ScriptEnricher(vertx, scripts.apply(script));
    }
    if (step instanceof SchemaConfig schema) {
      return new SchemaStep(vertx, schema, directory, meters);
    }
    return new EachRecord(new Scope(step.topics()), RecordSteps.step(step, meters));
  }
}
