package io.galop.ingest;

import static io.galop.bus.Refusal.Why.OVER_QUOTA;

import io.galop.bus.Refusal;
import io.galop.bus.ShardLane;
import io.galop.bus.ShardStream;
import io.galop.config.IngestConfig;
import io.galop.record.Record;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the records of one shard on, in order. What comes while the way has no room is merged; it
 * is bounded by {@code ingest.maxInFlightBytes}, which stops the doors.
 */
final class ShardPump {
  private static final Logger LOG = LoggerFactory.getLogger(ShardPump.class);

  private final ShardStream stream;
  private final int shard;
  private final int maxRecords;
  private final int maxBytes;
  private final InFlight inFlight;
  private final Deque<Parcel> waiting = new ArrayDeque<>();
  private boolean failing;

  ShardPump(ShardLane lane, int shard, IngestConfig config, InFlight inFlight) {
    this.stream = lane.open(shard, this::send);
    this.shard = shard;
    this.maxRecords = config.maxBatchRecords();
    this.maxBytes = config.maxBatchBytes();
    this.inFlight = inFlight;
  }

  /** Takes a record; whether the pump needs to be told to {@link #send} it. */
  boolean add(Submission submission, Record record, int line) {
    Parcel parcel = waiting.peekLast();
    boolean idle = parcel == null;
    if (parcel == null || parcel.records().size() >= maxRecords || parcel.cost() >= maxBytes) {
      parcel = new Parcel();
      waiting.add(parcel);
    }
    parcel.add(submission, record, line);
    return idle;
  }

  /** Sends what waits, as far as there is room. */
  void send() {
    while (!waiting.isEmpty() && stream.hasRoom()) {
      Parcel parcel = waiting.poll();
      stream
          .send(parcel.records())
          .onSuccess(taken -> onTaken(parcel))
          .onFailure(failure -> onRefused(parcel, Refusal.of(failure)));
    }
  }

  private void onTaken(Parcel parcel) {
    note(null);
    inFlight.release(parcel.cost());
    parcel.acknowledged();
  }

  private void onRefused(Parcel parcel, Refusal refusal) {
    note(refusal);
    refuse(parcel, refusal);
    refuseWaiting(refusal.why() == OVER_QUOTA ? refusal : ShardStream.BEHIND);
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
