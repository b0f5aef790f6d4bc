package io.galop.enrich;

import io.galop.config.enrich.LookupConfig;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;

/** Adds the row of a reference table in a file, see {@link WatchedFile}. */
final class Lookup implements Enricher {
  private final LookupKey key;
  private final LookupOutcome outcome;
  private final Enricher each;
  private final WatchedFile<ReferenceTable> table;

  Lookup(Vertx vertx, LookupConfig config, String directory, EnrichMeters meters) {
    this.key = new LookupKey(config);
    this.outcome = new LookupOutcome(config, key.where(), meters);
    this.each = new EachRecord(new Scope(config.topics()), this::apply);
    this.table =
        new WatchedFile<>(
            vertx,
            file(config, directory),
            config.refreshMs(),
            loaded -> loaded.size() + " rows",
            meters.lookupRefreshFailures(config.table()));
  }

  /** The table's file, not read yet. */
  static StepFile<ReferenceTable> file(LookupConfig config, String directory) {
    return new StepFile<>(
        "table",
        config.table(),
        directory,
        csv -> ReferenceTable.parse(csv, config.keyColumn(), config.into(), config.maxRows()));
  }

  @Override
  public Future<Void> start() {
    return table.start();
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
    return each.enrich(records, tally);
  }

  private void apply(Record record, List<Record> to) {
    String name = key.of(record);
    Optional<byte[]> found = table.content().field(name);
    if (found.isPresent()) {
      outcome.found(record, found.get(), to);
    } else {
      outcome.missing(record, name, to);
    }
  }

  @Override
  public Future<Void> close() {
    table.close();
    return Future.succeededFuture();
  }
}
