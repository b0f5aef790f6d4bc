package io.galop.ingest.intake;

import io.galop.bus.Refusal;
import io.galop.ingest.parse.RecordSink;
import io.galop.ingest.publisher.OverQuota;
import io.galop.ingest.publisher.Publisher;
import io.galop.ingest.publisher.RecordSender;
import io.galop.ledger.Border;
import io.galop.record.DoorStamp;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.galop.record.Rejection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one request, or one read from a socket, brought in, and what became of it: done when every
 * record is acknowledged or refused. For the event loop of its {@link Intake}.
 */
public final class Submission implements RecordSink {
  private static final int NOT_ALLOWED = Border.DOOR.column("rejectedTopicNotAllowed");
  private static final int OVER_QUOTA = Border.DOOR.column("rejectedOverQuota");
  private static final int UNAVAILABLE = Border.DOOR.column("rejectedUnavailable");

  private final Intake intake;
  private final RecordSender sender;
  private final DoorMeters meters;
  private final Consumer<Submission> onDone;
  private final Rejections rejections;
  private int records;
  private int lost;
  private long bytes;
  private int parcels;
  private boolean closed;

  /** What its records count for in the quota of its publisher. */
  private long recordBytes;

  /** Why no more of it is taken, so that its records stay in order; null while there is quota. */
  private @Nullable OverQuota over;

  /** Null unless it is part of a trace that is sampled. */
  private @Nullable DoorStamp traced;

  /** Who it is of; null before the first record, since a sender may say who it is before that. */
  private @Nullable Publisher publisher;

  Submission(
      Intake intake,
      RecordSender sender,
      DoorMeters meters,
      Rejections rejections,
      Consumer<Submission> onDone) {
    this.intake = intake;
    this.sender = sender;
    this.meters = meters;
    this.rejections = rejections;
    this.onDone = onDone;
  }

  @Override
  public void accept(Record record, int shard, int line) {
    Publisher from = publisher();
    intake.taken(shard);
    Rejection refused = from.isAnyone() ? null : refusedOf(from, record, line);
    if (refused != null) {
      reject(refused);
      intake.rejected(shard, column(refused.reason()));
      return;
    }
    records++;
    bytes += InFlight.cost(record);
    intake.add(this, record, shard, line);
  }

  private Publisher publisher() {
    Publisher known = publisher;
    if (known == null) {
      known = sender.publisher();
      publisher = known;
    }
    return known;
  }

  /** Null if its publisher may publish it now; then it counts against the quota. */
  private @Nullable Rejection refusedOf(Publisher from, Record record, int line) {
    if (!from.mayPublish(record.topic())) {
      return new Rejection(line, Reason.TOPIC_NOT_ALLOWED, from.notAllowed(record.topic()));
    }
    long size = RecordCodec.approximateBytes(record);
    if (over == null) {
      over = from.take(size);
    }
    if (over != null) {
      from.overQuota();
      return new Rejection(line, Reason.OVER_QUOTA, over.sentence());
    }
    recordBytes += size;
    return null;
  }

  @Override
  public void reject(Rejection rejection) {
    meters.rejected(rejection);
    publisher().rejected(rejection.reason());
    rejections.add(rejection);
  }

  /** When to send again what was over the quota of its publisher; 0 if nothing was. */
  public long retryAfterMs() {
    return over == null ? 0 : over.retryAfterMs();
  }

  /** Nothing more comes in; must be called in the turn of the event loop that brought it in. */
  public void close() {
    Publisher from = publisher();
    meters.accepted(records);
    from.accepted(records, recordBytes);
    if (over != null) {
      from.throttled();
    }
    if (!from.isAnyone()) {
      from.room().hold(bytes);
    }
    intake.reserve(bytes);
    closed = true;
    doneIfAll();
  }

  /**
   * Its publisher traces it: the records that follow are part of a trace, if that is sampled and
   * kept.
   *
   * @param traceparent as W3C Trace Context says; an invalid one is counted and changes nothing
   */
  public void traceparent(String traceparent) {
    traced = meters.traced(intake.stamp(door()), traceparent, intake.sampleEvery());
  }

  /** When it was read, with the trace that it is part of; null if it is part of none. */
  @Nullable DoorStamp traced() {
    return traced;
  }

  /** The name of the door that it came through. */
  String door() {
    return meters.door();
  }

  /** So much more is kept for it than its records. */
  void weigh(int more) {
    bytes += more;
  }

  /** A parcel with records of this submission will be sent. */
  void joined() {
    parcels++;
    weigh(Intake.SUBMISSION_BYTES);
  }

  /** A record of this submission was not taken. */
  void lose(int line, Refusal refusal) {
    lost++;
    reject(new Rejection(line, reason(refusal), detail(refusal)));
  }

  /** Where the Ledger counts what was refused so, at the border of doors. */
  static int column(Refusal refusal) {
    return column(reason(refusal));
  }

  private static int column(Reason reason) {
    return switch (reason) {
      case TOPIC_NOT_ALLOWED -> NOT_ALLOWED;
      case OVER_QUOTA -> OVER_QUOTA;
      default -> UNAVAILABLE;
    };
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
      if (!publisher().isAnyone()) {
        publisher().room().hold(-bytes);
      }
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
