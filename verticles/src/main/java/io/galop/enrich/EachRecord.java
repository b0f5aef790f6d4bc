package io.galop.enrich;

import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** A step that takes record by record and never waits. */
final class EachRecord implements Enricher {

  /** What becomes of one record. */
  @FunctionalInterface
  interface Step {
    void apply(Record record, List<Record> to);
  }

  private final Scope scope;
  private final Step step;

  EachRecord(Scope scope, Step step) {
    this.scope = scope;
    this.step = step;
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
    List<Record> enriched = new ArrayList<>(records.size());
    for (Record record : records) {
      if (scope.covers(record.topic())) {
        int before = enriched.size();
        step.apply(record, enriched);
        tally.count(record, enriched, before);
      } else {
        enriched.add(record);
      }
    }
    return Future.succeededFuture(enriched);
  }
}
