package io.galop.persist;

import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.Future;

/**
 * How far a shard is on disk. The Log completes the appends of a shard in order, so the newest one
 * stands for all before it.
 */
public final class Durability {
  private Position last;
  private Future<Void> newest = Future.succeededFuture();

  /** Of a shard that is on disk up to a Position. */
  public Durability(Position last) {
    this.last = last;
  }

  /** Follows an append; the Position moves before the Future tells others. */
  public Future<Void> track(Batch placed, Future<Void> appended) {
    Position end = placed.position(placed.records().size() - 1);
    newest = appended.onSuccess(done -> last = end);
    return newest;
  }

  /** The last durable Position. */
  public Position last() {
    return last;
  }

  /** An epoch begins, or another node's Log has gone further. */
  public void moveTo(Position position) {
    last = position;
  }

  /** Completes as the newest append does. */
  public Future<Void> newest() {
    return newest;
  }

  /** Completes when nothing is under way to the disk, however that ended. */
  public Future<Void> settled() {
    return newest.otherwiseEmpty();
  }
}
