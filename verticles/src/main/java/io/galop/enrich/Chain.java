package io.galop.enrich;

import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.List;

/** The steps that records go through, one after the other. */
final class Chain implements Enricher {
  private final List<Enricher> steps;

  Chain(List<Enricher> steps) {
    this.steps = List.copyOf(steps);
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records) {
    return enrichFrom(0, records);
  }

  /** Goes on without a further Future for as long as the steps answer at once. */
  private Future<List<Record>> enrichFrom(int first, List<Record> records) {
    List<Record> current = records;
    for (int i = first; i < steps.size() && !current.isEmpty(); i++) {
      Future<List<Record>> enriched = steps.get(i).enrich(current);
      if (!enriched.succeeded()) {
        int next = i + 1;
        return enriched.compose(some -> enrichFrom(next, some));
      }
      current = enriched.result();
    }
    return Future.succeededFuture(current);
  }

  /** The topics that each step which may answer later is for. */
  List<Scope> lateScopes() {
    return steps.stream().flatMap(step -> step.lateScope().stream()).toList();
  }

  /** Only the first step knows what it is going to be given. */
  @Override
  public void prefetch(List<Record> records) {
    if (!steps.isEmpty()) {
      steps.get(0).prefetch(records);
    }
  }

  @Override
  public Future<Void> start() {
    return Future.all(steps.stream().map(Enricher::start).toList()).mapEmpty();
  }

  @Override
  public Future<Void> close() {
    return Future.join(steps.stream().map(Enricher::close).toList()).mapEmpty();
  }
}
