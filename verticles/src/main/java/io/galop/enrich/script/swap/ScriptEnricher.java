package io.galop.enrich.script.swap;

import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Hands records to a script, on a thread of its own; while the script is suspended its records
 * become dead letters without waiting for it, and go by that thread only if a new version that is
 * tried is to see them.
 */
public final class ScriptEnricher implements Enricher {
  private final Vertx vertx;
  private final StepContext context;
  private final Lane lane;

  /** A step that is to be started, as one event loop has it. */
  public ScriptEnricher(Vertx vertx, ScriptStep step) {
    this.vertx = vertx;
    this.context = step.context();
    this.lane = step.open();
  }

  @Override
  public Future<Void> start() {
    return lane.start(vertx);
  }

  @Override
  public Optional<Scope> lateScope() {
    return Optional.of(context.scope());
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
    for (Record record : records) {
      if (context.covers(record)) {
        return lane.isPassedBy()
            ? Future.succeededFuture(passedBy(records, tally))
            : lane.enrich(vertx, records, tally);
      }
    }
    return Future.succeededFuture(records);
  }

  private List<Record> passedBy(List<Record> records, StepTally tally) {
    List<Record> passed = new ArrayList<>(records.size());
    for (Record record : records) {
      int before = passed.size();
      passed.add(
          context.covers(record) ? context.letters().suspended(record, lane.isHanging()) : record);
      tally.count(record, passed, before);
    }
    return passed;
  }

  @Override
  public Future<Void> close() {
    return lane.close();
  }
}
