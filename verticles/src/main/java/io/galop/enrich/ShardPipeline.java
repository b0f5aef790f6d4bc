package io.galop.enrich;

import io.galop.bus.Refusal;
import io.galop.enrich.step.EnrichMeters;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.galop.vertx.Loop;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One shard's way through the stage. Records of topics that may wait for a script or a store go on
 * a {@link Strand} of their own, so that those of other topics pass them; a Batch that has both is
 * taken apart, and acknowledged when all of it is stored. What was taken and is not acknowledged,
 * or still under way to some owner, is bounded in bytes; beyond, Batches are refused.
 */
final class ShardPipeline {
  private static final Refusal BEHIND =
      new Refusal(Refusal.Why.OUT_OF_ORDER, "a Batch before it was not enriched or not stored");

  private final Loop loop = Loop.current();
  private final int maxPendingBytes;
  private final Chain chain;
  private final StrandOfTopic strandOf;
  private final Strand[] strands;
  private final SeenIds seen;
  private final Outlets outlets;
  private final EnrichMeters meters;
  private final Promise<Void> drained = Promise.promise();
  private int underWay;
  private boolean isDraining;
  private volatile long pendingBytes;

  ShardPipeline(
      int maxPendingBytes, Chain chain, SeenIds seen, Outlets outlets, EnrichMeters meters) {
    this.maxPendingBytes = maxPendingBytes;
    this.chain = chain;
    this.strandOf = new StrandOfTopic(chain.lateScopes());
    this.strands = new Strand[strandOf.strands()];
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

  /**
   * Takes a raw Batch: takes it apart by strands, recognises what came before, enriches what is
   * new, hands on what becomes of it and answers when that is stored.
   *
   * @param stamp when a door read one of the records
   * @return succeeds when all that becomes of it is stored, and fails as soon as some of it is
   *     known not to be: before anything that was taken later on the same strand
   */
  Future<Void> onBatch(List<Record> raw, DoorStamp stamp) {
    loop.check();
    long bytes = RecordCodec.approximateBytes(raw);
    if (pendingBytes > 0 && pendingBytes + bytes > maxPendingBytes) {
      meters.refusedBusy.increment();
      String limit = "enrich.maxPendingBytes, " + maxPendingBytes + ", are pending";
      return Future.failedFuture(new Refusal(Refusal.Why.BUSY, limit));
    }
    meters.recordsIn.increment(raw.size());
    List<Future<Void>> parts = new ArrayList<>(1);
    strandOf.split(raw).forEach((strand, part) -> parts.add(take(strand, new Work(part, stamp))));
    return parts.size() == 1 ? parts.get(0) : Future.all(parts).mapEmpty();
  }

  private Future<Void> take(int strand, Work work) {
    underWay++;
    pending(work.bytes());
    seen.begin(work);
    work.ended().onComplete(ended -> onEnded(work));
    strand(strand).enrich(work);
    return work.done();
  }

  private Strand strand(int strand) {
    if (strands[strand] == null) {
      strands[strand] = new Strand();
    }
    return strands[strand];
  }

  private void onEnded(Work work) {
    loop.check();
    pending(-work.bytes());
    underWay--;
    if (isDraining && underWay == 0) {
      drained.tryComplete();
    }
  }

  /** Only the shard's event loop writes; volatile for those who read the gauge. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  private void pending(long bytes) {
    pendingBytes += bytes;
  }

  /** Nothing is given any more; succeeds when all that was taken is stored or refused. */
  Future<Void> drain() {
    loop.check();
    isDraining = true;
    if (underWay == 0) {
      drained.tryComplete();
    }
    return drained.future();
  }

  /**
   * The records of a shard that may wait for the same steps: enriched strictly in order, the next
   * ones while those before are being stored. What waits is part of what the shard has pending,
   * which bounds it. Where something is not stored nothing behind it is handed on, so that whoever
   * sends all of it again keeps the order.
   */
  private final class Strand {
    private final Deque<Work> waiting = new ArrayDeque<>();
    private boolean isEnriching;

    /** Whether something before what is being enriched was not stored. */
    private boolean isCut;

    /** Enriches it behind all that was given before; it is settled when it is stored. */
    void enrich(Work work) {
      waiting.addLast(work);
      enrichWaiting();
      if (isEnriching && !waiting.isEmpty()) {
        chain.prefetch(work.fresh);
      }
    }

    private void enrichWaiting() {
      while (!isEnriching && !waiting.isEmpty()) {
        Work work = waiting.removeFirst();
        Future<List<Record>> enriched = enriched(work.fresh);
        if (enriched.succeeded()) {
          handOn(work, all(work, enriched.result()));
        } else {
          isEnriching = true;
          enriched.onComplete(answer -> onEnriched(work, answer));
        }
      }
    }

    private Future<List<Record>> enriched(List<Record> records) {
      try {
        return chain.enrich(records);
      } catch (RuntimeException broken) {
        return Future.failedFuture(broken);
      }
    }

    private void onEnriched(Work work, AsyncResult<List<Record>> answer) {
      boolean wasCut = isCut;
      isCut = false;
      isEnriching = false;
      if (answer.failed()) {
        onBroken(work, answer.cause());
      } else if (wasCut) {
        onNotStored(work, all(work, answer.result()), BEHIND);
      } else {
        handOn(work, all(work, answer.result()));
      }
      enrichWaiting();
    }

    private List<Record> all(Work work, List<Record> enriched) {
      if (work.again.isEmpty()) {
        return enriched;
      }
      List<Record> all = new ArrayList<>(work.again);
      all.addAll(enriched);
      return all;
    }

    private void handOn(Work work, List<Record> records) {
      meters.recordsOut.increment(records.size());
      Outlets.Sent sent = outlets.send(records, work.stamp());
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
      isCut = isEnriching;
      behind.forEach(seen::onNotEnriched);
      return behind;
    }

    /** In their order: their sender takes the first one that fails for the reason. */
    private void fail(Work work, Throwable failure, List<Work> behind) {
      work.fail(failure);
      behind.forEach(each -> each.fail(BEHIND));
    }
  }
}
