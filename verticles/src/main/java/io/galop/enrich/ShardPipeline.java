package io.galop.enrich;

import io.galop.bus.Refusal;
import io.galop.enrich.step.EnrichMeters;
import io.galop.record.Record;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * One shard's way through the stage. Records of topics that may wait for a script or a store go on
 * a {@link Strand} of their own, so that those of other topics pass them; a Batch that has both is
 * taken apart, and acknowledged when all of it is stored. What was taken and is not acknowledged,
 * or still under way to some owner, is bounded in bytes; beyond, Batches are refused.
 */
final class ShardPipeline {
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
   * Takes a raw Batch; succeeds when all that becomes of it is stored, and fails as soon as some of
   * it is known not to be: before anything that was taken later on the same strand.
   */
  Future<Void> onBatch(List<Record> raw) {
    loop.check();
    long bytes = Work.bytes(raw);
    if (pendingBytes > 0 && pendingBytes + bytes > maxPendingBytes) {
      meters.refusedBusy.increment();
      String limit = "enrich.maxPendingBytes, " + maxPendingBytes + ", are pending";
      return Future.failedFuture(new Refusal(Refusal.Why.BUSY, limit));
    }
    meters.recordsIn.increment(raw.size());
    List<Future<Void>> parts = new ArrayList<>(1);
    strandOf.split(raw).forEach((strand, part) -> parts.add(take(strand, new Work(part))));
    return parts.size() == 1 ? parts.get(0) : Future.all(parts).mapEmpty();
  }

  private Future<Void> take(int strand, Work work) {
    underWay++;
    pending(work.bytes());
    seen.begin(work);
    work.ended().onComplete(ended -> onEnded(work));
    strand(strand).add(work);
    return work.done();
  }

  private Strand strand(int strand) {
    if (strands[strand] == null) {
      strands[strand] = new Strand(chain, seen, outlets, meters);
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
}
