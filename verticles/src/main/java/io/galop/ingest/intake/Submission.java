package io.galop.ingest.intake;

import io.galop.bus.Refusal;
import io.galop.ingest.parse.RecordSink;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.record.Rejection;
import java.util.function.Consumer;

/**
 * What one request, or one read from a socket, brought in, and what became of it: done when every
 * record is acknowledged or refused. For the event loop of its {@link Intake}.
 */
public final class Submission implements RecordSink {
  private final Intake intake;
  private final DoorMeters meters;
  private final Consumer<Submission> onDone;
  private final Rejections rejections;
  private int records;
  private int lost;
  private long bytes;
  private int parcels;
  private boolean closed;

  Submission(Intake intake, DoorMeters meters, Rejections rejections, Consumer<Submission> onDone) {
    this.intake = intake;
    this.meters = meters;
    this.rejections = rejections;
    this.onDone = onDone;
  }

  @Override
  public void accept(Record record, int shard, int line) {
    records++;
    bytes += InFlight.cost(record);
    intake.add(this, record, shard, line);
  }

  @Override
  public void reject(Rejection rejection) {
    meters.rejected(rejection);
    rejections.add(rejection);
  }

  /** Nothing more comes in; must be called in the turn of the event loop that brought it in. */
  public void close() {
    meters.accepted(records);
    intake.reserve(bytes);
    closed = true;
    doneIfAll();
  }

  /** So much more is kept for it than its records. */
  void weigh(int more) {
    bytes += more;
  }

  /** A parcel with records of this submission will be sent. */
  void joined() {
    parcels++;
    weigh(Parcel.SUBMISSION_BYTES);
  }

  /** A record of this submission was not taken. */
  void lose(int line, Refusal refusal) {
    lost++;
    reject(new Rejection(line, reason(refusal), detail(refusal)));
  }

  private static Reason reason(Refusal refusal) {
    return refusal.why() == Refusal.Why.OVER_QUOTA ? Reason.OVER_QUOTA : Reason.UNAVAILABLE;
  }

  private static String detail(Refusal refusal) {
    return switch (refusal.why()) {
      case OVER_QUOTA -> "the disk quota is reached; send the record again later";
      case DEADLINE ->
          "not acknowledged in time, but perhaps stored; send the record again under the same id";
      default -> "the record could not be handed on; send it again later";
    };
  }

  /** A parcel with records of this submission is settled. */
  void settled() {
    parcels--;
    doneIfAll();
  }

  private void doneIfAll() {
    if (closed && parcels == 0) {
      meters.acknowledged(records - lost);
      onDone.accept(this);
    }
  }

  /** How many records are acknowledged. */
  public int acknowledged() {
    return records - lost;
  }

  /** What its records count for. */
  public long bytes() {
    return bytes;
  }

  public Rejections rejections() {
    return rejections;
  }
}
