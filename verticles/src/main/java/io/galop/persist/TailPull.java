package io.galop.persist;

import io.galop.bus.Page;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.Future;

/** Copies the tail of a shard from the memory of another node behind what is in a memory here. */
record TailPull(TailPages pages, ShardMemory into) {
  /** Copies what the node has beyond what is here; the node places nothing meanwhile. */
  Future<Void> run() {
    return pages.each(() -> into.tail().head(), this::take);
  }

  private void take(Page page) {
    long nowMs = System.currentTimeMillis();
    boolean[] complete = {page.complete()};
    Runs.each(
        page.records(),
        batch -> {
          beginEpoch(batch, complete[0]);
          into.restore(batch, nowMs);
          complete[0] = true;
        });
    Position head = into.tail().head();
    if (page.upTo().epoch() > head.epoch()) {
      into.begin(page.upTo().epoch(), page.complete() ? head : Position.none(head.shard()));
    }
    if (page.upTo().compareTo(into.tail().head()) > 0) {
      into.tail().raiseFloor(page.upTo());
    }
  }

  private void beginEpoch(Batch batch, boolean complete) {
    Position head = into.tail().head();
    if (batch.epoch() != head.epoch()) {
      into.begin(batch.epoch(), complete ? head : Position.none(head.shard()));
    }
  }
}
