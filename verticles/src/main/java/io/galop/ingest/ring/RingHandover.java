package io.galop.ingest.ring;

import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands what a ring's thread has read to the {@link Intake}, on its event loop. Behind a batch of
 * which something is refused for now nothing more goes on until the ring is read again from there:
 * what came later must not be stored before.
 */
final class RingHandover {
  private final Intake intake;
  private final DoorMeters meters;
  private final List<RingBatch> underWay = new ArrayList<>();
  private int reading;

  RingHandover(Intake intake, DoorMeters meters) {
    this.intake = intake;
    this.meters = meters;
  }

  /** Takes a batch, from the ring's thread. */
  void take(RingBatch batch) {
    intake.context().runOnContext(now -> hand(batch));
  }

  private void hand(RingBatch batch) {
    if (batch.reading() != reading) {
      reading = batch.reading();
      underWay.clear();
    }
    if (underWay.stream().anyMatch(RingBatch::mustBeReadAgain)) {
      batch.passedOver();
      return;
    }
    underWay.add(batch);
    batch.collected().moveTo(intake.open(meters, batch.rejections(), done -> settle(batch)));
  }

  private void settle(RingBatch batch) {
    if (!batch.mustBeReadAgain()) {
      underWay.remove(batch);
    }
    batch.settled();
  }
}
