package io.galop.ingest;

import static io.galop.bus.Refusal.Why.OVER_QUOTA;

import io.galop.bus.Refusal;
import io.galop.bus.ShardLane;
import io.galop.config.IngestConfig;
import io.galop.record.Batch;
import io.galop.record.Record;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the records of one shard on, one Batch at a time.
 *
 * <p>One, because the lane offers a Batch again when its owner changes or does not answer: with a
 * second one under way, the second could be taken first, and an older value would stand as the
 * newest for ever. It costs a record at most one acknowledgement of waiting, and what waits is
 * merged: at a shard that takes 5 ms to acknowledge, 4096 records a Batch are 800,000 a second.
 *
 * <p>What waits is bounded by {@code ingest.maxInFlightBytes}, which stops the doors.
 */
final class ShardPump {
  private static final Logger LOG = LoggerFactory.getLogger(ShardPump.class);

  private static final Refusal BEHIND =
      new Refusal(Refusal.Why.NOT_READY, "records before it were not taken");

  private final ShardLane lane;
  private final int shard;
  private final int maxRecords;
  private final int maxBytes;
  private final InFlight inFlight;
  private final Deque<Parcel> waiting = new ArrayDeque<>();
  private boolean sending;
  private boolean failing;

  ShardPump(ShardLane lane, int shard, IngestConfig config, InFlight inFlight) {
    this.lane = lane;
    this.shard = shard;
    this.maxRecords = config.maxBatchRecords();
    this.maxBytes = config.maxBatchBytes();
    this.inFlight = inFlight;
  }

  /** Takes a record; whether the pump needs to be told to {@link #send} it. */
  boolean add(Submission submission, Record record, int line) {
    Parcel parcel = waiting.peekLast();
    boolean idle = parcel == null && !sending;
    if (parcel == null || parcel.records().size() >= maxRecords || parcel.cost() >= maxBytes) {
      parcel = new Parcel();
      waiting.add(parcel);
    }
    parcel.add(submission, record, line);
    return idle;
  }

  /** Sends what waits, if nothing is under way. */
  void send() {
    Parcel parcel = sending ? null : waiting.poll();
    if (parcel != null) {
      sending = true;
      lane.send(Batch.unplaced(shard, parcel.records()))
          .onSuccess(taken -> settle(parcel, null))
          .onFailure(failure -> settle(parcel, Refusal.of(failure)));
    }
  }

  private void settle(Parcel parcel, Refusal refusal) {
    sending = false;
    note(refusal);
    if (refusal == null) {
      send();
      inFlight.release(parcel.cost());
      parcel.acknowledged();
    } else {
      refuse(parcel, refusal);
      refuseWaiting(refusal.why() == OVER_QUOTA ? refusal : BEHIND);
    }
  }

  private void refuse(Parcel parcel, Refusal refusal) {
    inFlight.release(parcel.cost());
    parcel.refused(refusal);
  }

  /**
   * What came later must not be stored before what was refused and will be sent again; and behind a
   * shard that nobody takes, each Batch would wait for a deadline of its own.
   */
  private void refuseWaiting(Refusal refusal) {
    List<Parcel> behind = List.copyOf(waiting);
    waiting.clear();
    behind.forEach(parcel -> refuse(parcel, refusal));
  }

  /** Once when it begins and once when it ends, since thousands of Batches may fail between. */
  private void note(Refusal refusal) {
    if (refusal != null && !failing) {
      LOG.warn("shard {} takes no records: {} {}", shard, refusal.why(), refusal.getMessage());
    } else if (refusal == null && failing) {
      LOG.info("shard {} takes records again", shard);
    }
    failing = refusal != null;
  }
}
