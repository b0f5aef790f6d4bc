package io.galop.enrich;

import io.galop.bus.Refusal;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Enricher;
import io.galop.record.Record;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The records of a shard that may wait for the same steps: enriched strictly in order, the next
 * ones while those before are being stored. What waits is part of what the shard has pending, which
 * bounds it. Where something is not stored nothing behind it is handed on, so that whoever sends
 * all of it again keeps the order.
 */
final class Strand {
  private static final Refusal BEHIND =
      new Refusal(Refusal.Why.OUT_OF_ORDER, "a Batch before it was not enriched or not stored");

  private final Enricher chain;
  private final SeenIds seen;
  private final Outlets outlets;
  private final EnrichMeters meters;
  private final Deque<Work> waiting = new ArrayDeque<>();
  private boolean enriching;

  /** Whether something before what is being enriched was not stored. */
  private boolean isCut;

  Strand(Enricher chain, SeenIds seen, Outlets outlets, EnrichMeters meters) {
    this.chain = chain;
    this.seen = seen;
    this.outlets = outlets;
    this.meters = meters;
  }

  /** Enriches it behind all that was given before; it is settled when it is stored. */
  void add(Work work) {
    waiting.addLast(work);
    enrichWaiting();
    if (enriching && !waiting.isEmpty()) {
      chain.prefetch(work.fresh);
    }
  }

  private void enrichWaiting() {
    while (!enriching && !waiting.isEmpty()) {
      Work work = waiting.removeFirst();
      Future<List<Record>> enriched = enrich(work.fresh);
      if (enriched.succeeded()) {
        handOn(work, all(work, enriched.result()));
      } else {
        enriching = true;
        enriched.onComplete(answer -> onEnriched(work, answer));
      }
    }
  }

  private Future<List<Record>> enrich(List<Record> records) {
    try {
      return chain.enrich(records);
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private void onEnriched(Work work, AsyncResult<List<Record>> answer) {
    boolean wasCut = isCut;
    isCut = false;
    enriching = false;
    if (answer.failed()) {
      onBroken(work, answer.cause());
    } else if (wasCut) {
      onNotStored(work, all(work, answer.result()), BEHIND);
    } else {
      handOn(work, all(work, answer.result()));
    }
    enrichWaiting();
  }

  private static List<Record> all(Work work, List<Record> enriched) {
    if (work.again.isEmpty()) {
      return enriched;
    }
    List<Record> all = new ArrayList<>(work.again);
    all.addAll(enriched);
    return all;
  }

  private void handOn(Work work, List<Record> records) {
    meters.recordsOut.increment(records.size());
    Outlets.Sent sent = outlets.send(records);
    work.handedOn(sent.ended());
    sent.stored()
        .onSuccess(stored -> onStored(work))
        .onFailure(failure -> onNotStored(work, records, failure));
  }

  private void onStored(Work work) {
    seen.onStored(work);
    work.settle();
  }

  private void onNotStored(Work work, List<Record> records, Throwable failure) {
    List<Work> behind = cut();
    seen.onNotStored(work, records);
    fail(work, failure, behind);
  }

  private void onBroken(Work work, Throwable failure) {
    List<Work> behind = cut();
    seen.onNotEnriched(work);
    fail(work, failure, behind);
  }

  /** What waits counts as never seen; what is being enriched is kept until it is sent again. */
  private List<Work> cut() {
    List<Work> behind = List.copyOf(waiting);
    waiting.clear();
    isCut = enriching;
    behind.forEach(seen::onNotEnriched);
    return behind;
  }

  /** In their order: their sender takes the first one that fails for the reason. */
  private static void fail(Work work, Throwable failure, List<Work> behind) {
    work.fail(failure);
    behind.forEach(each -> each.fail(BEHIND));
  }
}
