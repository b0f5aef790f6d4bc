package io.galop.enrich;

import io.galop.enrich.step.StepTally;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A raw Batch on its way through the stage, or the part of one that goes on one strand. */
final class Work {
  private final List<Record> raw;
  private final DoorStamp stamp;
  private final long bytes;
  private final StepTally tally = new StepTally();
  private final Promise<Void> settled = Promise.promise();

  /** Ends with the last record that was handed on, whatever became of the others. */
  private Future<Void> handedOn = Future.succeededFuture();

  /** Records seen for the first time, to be enriched. */
  final List<Record> fresh;

  /** Records that were enriched before and not stored, to be handed on once more. */
  final List<Record> again = new ArrayList<>(0);

  /** What has to end well too: the first copies of records that came a second time. */
  final Set<Future<Void>> firstCopies = new LinkedHashSet<>(0);

  /**
   * @param stamp when a door read one of them, or one beside them
   */
  Work(List<Record> raw, DoorStamp stamp) {
    this.raw = raw;
    this.stamp = stamp;
    this.bytes = RecordCodec.approximateBytes(raw);
    this.fresh = new ArrayList<>(raw.size());
  }

  List<Record> raw() {
    return raw;
  }

  DoorStamp stamp() {
    return stamp;
  }

  /** What steps say they made of the fresh ones. */
  StepTally tally() {
    return tally;
  }

  long bytes() {
    return bytes;
  }

  /** When the Work's own records are stored, or are not going to be. */
  Future<Void> settled() {
    return settled.future();
  }

  void handedOn(Future<Void> ended) {
    handedOn = ended;
  }

  void settle() {
    settled.complete();
  }

  void fail(Throwable failure) {
    settled.fail(failure);
  }

  /**
   * Succeeds when all its records are stored, first copies of them that other Work takes care of
   * included; fails as soon as one is not.
   */
  Future<Void> done() {
    return firstCopies.isEmpty() ? settled() : Future.all(all()).mapEmpty();
  }

  /** Completes when none of its records is under way any more. */
  Future<Void> ended() {
    Future<Void> known = firstCopies.isEmpty() ? settled() : Future.join(all()).mapEmpty();
    return known.eventually(() -> handedOn);
  }

  private List<Future<Void>> all() {
    List<Future<Void>> all = new ArrayList<>(firstCopies);
    all.add(settled());
    return all;
  }
}
