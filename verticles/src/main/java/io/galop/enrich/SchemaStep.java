package io.galop.enrich;

import io.galop.config.enrich.SchemaConfig;
import io.galop.enrich.step.DeadLetter;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.enrich.step.StepTally;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;

/**
 * Checks the data of each record against a JSON Schema in a file, see {@link WatchedFile}. A record
 * that breaks it becomes a dead letter that says where.
 */
final class SchemaStep implements Enricher {
  private final Enricher each;
  private final WatchedFile<DataSchema> schema;
  private final Counter deadLetters;
  private final DeadLetter violated;

  SchemaStep(Vertx vertx, SchemaConfig config, String directory, EnrichMeters meters) {
    this.each = new EachRecord(new Scope(config.topics()), this::apply);
    this.deadLetters = meters.deadLetters("schema", config.file());
    this.violated = new DeadLetter("schema", config.file(), Reason.SCHEMA_VIOLATED);
    this.schema =
        new WatchedFile<>(
            vertx,
            file(config, directory),
            config.refreshMs(),
            DataSchema::dialect,
            meters.schemaRefreshFailures(config.file()));
  }

  /** The schema's file, not read yet. */
  static StepFile<DataSchema> file(SchemaConfig config, String directory) {
    return new StepFile<>("schema", config.file(), directory, DataSchema::parse);
  }

  @Override
  public Future<Void> start() {
    return schema.start();
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
    return each.enrich(records, tally);
  }

  private void apply(Record record, List<Record> to) {
    Optional<String> violation = schema.content().violation(record.data());
    if (violation.isEmpty()) {
      to.add(record);
    } else {
      deadLetters.increment();
      to.add(violated.of(record, violation.get()));
    }
  }

  @Override
  public Future<Void> close() {
    schema.close();
    return Future.succeededFuture();
  }
}
