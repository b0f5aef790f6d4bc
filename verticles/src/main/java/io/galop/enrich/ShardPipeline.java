package io.galop.enrich;

import io.galop.bus.Refusal;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One shard's way through the stage: Batches are enriched strictly in order, the next one while the
 * ones before are being stored. What was taken and is not acknowledged is bounded in bytes; beyond,
 * Batches are refused.
 */
final class ShardPipeline {
  private final int maxPendingBytes;
  private final Enricher chain;
  private final SeenIds seen;
  private final Outlets outlets;
  private final EnrichMeters meters;
  private final Deque<Work> waiting = new ArrayDeque<>();
  private boolean enriching;
  private volatile long pendingBytes;

  ShardPipeline(
      int maxPendingBytes, Enricher chain, SeenIds seen, Outlets outlets, EnrichMeters meters) {
    this.maxPendingBytes = maxPendingBytes;
    this.chain = chain;
    this.seen = seen;
    this.outlets = outlets;
    this.meters = meters;
  }

  long pendingBytes() {
    return pendingBytes;
  }

  long unsettledBytes() {
    return seen.unsettledBytes();
  }

  /** Takes a raw Batch; succeeds when all that becomes of it is stored. */
  Future<Void> onBatch(List<Record> raw) {
    Work work = new Work(raw);
    if (pendingBytes > 0 && pendingBytes + work.bytes() > maxPendingBytes) {
      meters.refusedBusy.increment();
      String limit = "enrich.maxPendingBytes, " + maxPendingBytes + ", are pending";
      return Future.failedFuture(new Refusal(Refusal.Why.BUSY, limit));
    }
    pending(work.bytes());
    meters.recordsIn.increment(raw.size());
    seen.begin(work);
    waiting.addLast(work);
    Future<Void> done = work.done();
    done.onComplete(ended -> pending(-work.bytes()));
    enrichWaiting();
    if (enriching && !waiting.isEmpty()) {
      chain.prefetch(work.fresh);
    }
    return done;
  }

  /** Only the shard's event loop writes; volatile for those who read the gauge. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  private void pending(long bytes) {
    pendingBytes += bytes;
  }

  private void enrichWaiting() {
    while (!enriching && !waiting.isEmpty()) {
      Work work = waiting.removeFirst();
      Future<List<Record>> enriched = enrich(work.fresh);
      if (enriched.succeeded()) {
        handOn(work, enriched.result());
      } else {
        enriching = true;
        enriched.onComplete(
            answer -> {
              enriching = false;
              if (answer.succeeded()) {
                handOn(work, answer.result());
              } else {
                onBroken(work, answer.cause());
              }
              enrichWaiting();
            });
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

  private void handOn(Work work, List<Record> enriched) {
    List<Record> records = enriched;
    if (!work.again.isEmpty()) {
      records = new ArrayList<>(work.again);
      records.addAll(enriched);
    }
    List<Record> all = records;
    meters.recordsOut.increment(all.size());
    outlets
        .send(all)
        .onSuccess(stored -> onStored(work))
        .onFailure(failure -> onNotStored(work, all, failure));
  }

  private void onStored(Work work) {
    seen.onStored(work);
    work.settle();
  }

  private void onNotStored(Work work, List<Record> enriched, Throwable failure) {
    seen.onNotStored(work, enriched);
    work.fail(failure);
  }

  /** What waits behind it must not be stored before it. */
  private void onBroken(Work work, Throwable failure) {
    Refusal behind = new Refusal(Refusal.Why.OUT_OF_ORDER, "a Batch before it was not enriched");
    List<Work> later = List.copyOf(waiting);
    waiting.clear();
    later.forEach(seen::onNotEnriched);
    seen.onNotEnriched(work);
    work.fail(failure);
    later.forEach(each -> each.fail(behind));
  }
}
