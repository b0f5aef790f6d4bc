package io.galop.enrich;

import io.galop.config.enrich.EnricherConfig;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The steps that records go through, one after the other. */
final class Chain implements Enricher {
  private final List<Step> all;
  private final List<Enricher> steps;

  /** A step, and the configuration that it was made for. */
  record Step(EnricherConfig config, Enricher enricher) {}

  Chain(List<Step> all) {
    this.all = List.copyOf(all);
    this.steps = all.stream().map(Step::enricher).toList();
  }

  /** Its steps that another chain does not have. */
  Chain without(Chain other) {
    return new Chain(all.stream().filter(step -> !other.has(step)).toList());
  }

  private boolean has(Step wanted) {
    return all.stream().anyMatch(step -> step.enricher() == wanted.enricher());
  }

  /**
   * A chain for other steps: those with the same configuration go on as they are, with all that
   * they know, in their order.
   */
  Chain next(List<EnricherConfig> wanted, Function<EnricherConfig, Enricher> made) {
    List<Step> free = new ArrayList<>(all);
    List<Step> next = new ArrayList<>();
    for (EnricherConfig config : wanted) {
      Optional<Step> same = free.stream().filter(step -> step.config().equals(config)).findFirst();
      same.ifPresent(free::remove);
      next.add(same.orElseGet(() -> new Step(config, made.apply(config))));
    }
    return new Chain(next);
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records, StepTally tally) {
    return enrichFrom(0, records, tally);
  }

  /** Goes on without a further Future for as long as the steps answer at once. */
  private Future<List<Record>> enrichFrom(int first, List<Record> records, StepTally tally) {
    List<Record> current = records;
    for (int i = first; i < steps.size() && !current.isEmpty(); i++) {
      Future<List<Record>> enriched = steps.get(i).enrich(current, tally);
      if (!enriched.succeeded()) {
        int next = i + 1;
        return enriched.compose(some -> enrichFrom(next, some, tally));
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

  /** Ends when all have started or failed: who then closes them leaves none that starts later. */
  @Override
  public Future<Void> start() {
    return Future.join(steps.stream().map(Enricher::start).toList()).mapEmpty();
  }

  @Override
  public Future<Void> close() {
    return Future.join(steps.stream().map(Enricher::close).toList()).mapEmpty();
  }
}
