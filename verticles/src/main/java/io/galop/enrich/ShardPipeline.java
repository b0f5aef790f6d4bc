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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One shard's way through the stage. Records of topics that may wait for a script or a store go on
 * a {@link Strand} of their own, so that those of other topics pass them; a Batch that has both is
 * taken apart, and acknowledged when all of it is stored. What was taken and is not acknowledged,
 * or still under way to some owner, is bounded in bytes; beyond, Batches are refused.
 */
final class ShardPipeline {
  private static final Refusal BEHIND =
      new Refusal(Refusal.Why.OUT_OF_ORDER, "a Batch before it was not enriched or not stored");

  private static final Refusal CHANGING =
      new Refusal(Refusal.Why.NOT_READY, "the chain of the node is being changed");

  private final Loop loop = Loop.current();
  private final int maxPendingBytes;
  private final SeenIds seen;
  private final Outlets outlets;
  private final EnrichMeters meters;
  private final EnrichBook book;
  private final Promise<Void> drained = Promise.promise();
  private Chain chain;
  private StrandOfTopic strandOf;

  /** Those of the chain in use; work of a chain before may still be being stored. */
  private Strand[] strands;

  /** The chain that follows once nothing is being enriched; Batches are refused until then. */
  private @Nullable Chain following;

  private Promise<Void> followed = Promise.promise();
  private int underWay;
  private boolean isDraining;
  private volatile long pendingBytes;

  ShardPipeline(
      int maxPendingBytes,
      Chain chain,
      SeenIds seen,
      Outlets outlets,
      EnrichMeters meters,
      EnrichBook book) {
    this.book = book;
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
    if (following != null) {
      return Future.failedFuture(CHANGING);
    }
    long bytes = RecordCodec.approximateBytes(raw);
    if (pendingBytes > 0 && pendingBytes + bytes > maxPendingBytes) {
      meters.refusedBusy.increment();
      String limit = "enrich.maxPendingBytes, " + maxPendingBytes + ", are pending";
      return Future.failedFuture(new Refusal(Refusal.Why.BUSY, limit));
    }
    meters.recordsIn.increment(raw.size());
    book.taken(raw.size());
    // All of it is begun before any of it is enriched, where the minute of the book may turn.
    Map<Integer, Work> begun = new LinkedHashMap<>();
    strandOf.split(raw).forEach((strand, part) -> begun.put(strand, begin(new Work(part, stamp))));
    List<Future<Void>> parts = new ArrayList<>(1);
    begun.forEach((strand, work) -> parts.add(enrich(strand, work)));
    return parts.size() == 1 ? parts.get(0) : Future.all(parts).mapEmpty();
  }

  private Work begin(Work work) {
    underWay++;
    pending(work.bytes());
    seen.begin(work);
    book.begun(work);
    work.ended().onComplete(ended -> onEnded(work));
    return work;
  }

  private Future<Void> enrich(int strand, Work work) {
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

  /**
   * Goes on with another chain as soon as nothing is being enriched, at once as a rule: only
   * scripts and stores are waited for.
   */
  Future<Void> follow(Chain next) {
    loop.check();
    following = next;
    followed = Promise.promise();
    Future<Void> done = followed.future();
    followIfIdle();
    return done;
  }

  private void followIfIdle() {
    if (following == null || Stream.of(strands).anyMatch(Strand::isBusy)) {
      return;
    }
    chain = following;
    following = null;
    strandOf = new StrandOfTopic(chain.lateScopes());
    strands = new Strand[strandOf.strands()];
    followed.complete();
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

    static boolean isBusy(@Nullable Strand strand) {
      return strand != null && strand.isEnriching;
    }

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
        Future<List<Record>> enriched = enriched(work);
        if (enriched.succeeded()) {
          handOn(work, all(work, enriched.result()));
        } else {
          isEnriching = true;
          enriched.onComplete(answer -> onEnriched(work, answer));
        }
      }
    }

    private Future<List<Record>> enriched(Work work) {
      try {
        return chain.enrich(work.fresh, work.tally());
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
        book.enriched(work, answer.result().size());
        onNotStored(work, all(work, answer.result()), BEHIND);
      } else {
        handOn(work, all(work, answer.result()));
      }
      enrichWaiting();
      followIfIdle();
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
      work.tally().letters(sent.letters());
      book.enriched(work, (long) sent.records() - work.again.size());
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
      List<Work> behind = isRetired() ? cutAll() : cut();
      seen.onNotStored(work, records);
      fail(work, failure, behind);
    }

    private void onBroken(Work work, Throwable failure) {
      List<Work> behind = cut();
      notEnriched(work);
      fail(work, failure, behind);
    }

    /** Whether it is of a chain before: what comes behind its work may be on any strand now. */
    private boolean isRetired() {
      return Stream.of(strands).noneMatch(strand -> strand == this);
    }

    private List<Work> cutAll() {
      return Stream.of(strands)
          .filter(Objects::nonNull)
          .flatMap(strand -> strand.cut().stream())
          .toList();
    }

    /** What waits counts as never seen; what is being enriched is kept until it is sent again. */
    private List<Work> cut() {
      List<Work> behind = List.copyOf(waiting);
      waiting.clear();
      isCut = isEnriching;
      behind.forEach(this::notEnriched);
      return behind;
    }

    private void notEnriched(Work work) {
      seen.onNotEnriched(work);
      book.notEnriched(work);
    }

    /** In their order: their sender takes the first one that fails for the reason. */
    private void fail(Work work, Throwable failure, List<Work> behind) {
      work.fail(failure);
      behind.forEach(each -> each.fail(BEHIND));
    }
  }
}
