package io.galop.enrich;

import io.galop.config.enrich.LookupConfig;
import io.galop.enrich.lookup.Row;
import io.galop.enrich.lookup.RowMeters;
import io.galop.enrich.lookup.Rows;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds the row of a table in a store. The rows of all records of a list are asked for at once; the
 * list waits for them, for a bounded time, and goes on in order.
 */
final class StoreLookup implements Enricher {
  private final Scope scope;
  private final LookupKey key;
  private final LookupOutcome outcome;
  private final Rows rows;

  StoreLookup(Vertx vertx, LookupConfig config, EnrichMeters meters) {
    this.scope = new Scope(config.topics());
    this.key = new LookupKey(config);
    this.outcome = new LookupOutcome(config, key.where(), meters);
    this.rows = Rows.of(vertx, config, new RowMeters(meters.registry(), config.table()));
  }

  @Override
  public Future<Void> start() {
    return rows.start();
  }

  @Override
  public Optional<Scope> lateScope() {
    return Optional.of(scope);
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
    Future<Map<String, Row>> found = rows.get(keys(records));
    return found.succeeded()
        ? Future.succeededFuture(enriched(records, found.result(), tally))
        : found.map(late -> enriched(records, late, tally));
  }

  @Override
  public void prefetch(List<Record> records) {
    rows.prefetch(keys(records));
  }

  private Set<String> keys(List<Record> records) {
    Set<String> keys = new LinkedHashSet<>();
    for (Record record : records) {
      if (scope.covers(record.topic())) {
        keys.add(key.of(record));
      }
    }
    keys.remove(LookupKey.NONE);
    return keys;
  }

  private List<Record> enriched(List<Record> records, Map<String, Row> found, StepTally tally) {
    List<Record> enriched = new ArrayList<>(records.size());
    for (Record record : records) {
      if (scope.covers(record.topic())) {
        int before = enriched.size();
        add(record, found, enriched);
        tally.count(record, enriched, before);
      } else {
        enriched.add(record);
      }
    }
    return enriched;
  }

  private void add(Record record, Map<String, Row> found, List<Record> to) {
    String name = key.of(record);
    Row row = found.get(name);
    if (row == null || !row.isFound() && !row.isUnavailable()) {
      outcome.missing(record, name, to);
    } else if (row.isFound()) {
      outcome.found(record, row.field(), to);
    } else {
      outcome.unavailable(record, to);
    }
  }

  @Override
  public Future<Void> close() {
    return rows.close();
  }
}
