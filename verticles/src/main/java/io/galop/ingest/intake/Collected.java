package io.galop.ingest.intake;

import io.galop.ingest.parse.RecordSink;
import io.galop.ingest.publisher.Publisher;
import io.galop.record.Record;
import io.galop.record.Rejection;
import java.util.ArrayList;
import java.util.List;

/**
 * What has been read of a body that is not whole yet, so that a broken one leaves nothing behind.
 */
public final class Collected implements RecordSink {
  private final List<Record> records = new ArrayList<>();
  private final Ints shards = new Ints();
  private final Ints lines = new Ints();
  private final Rejections rejections;
  private final DoorMeters meters;
  private final Publisher publisher;

  /** Of a publisher that is known before anything is read. */
  public Collected(Publisher publisher, DoorMeters meters) {
    this(publisher, meters, new Rejections());
  }

  public Collected(DoorMeters meters, Rejections rejections) {
    this(Publisher.ANYONE, meters, rejections);
  }

  private Collected(Publisher publisher, DoorMeters meters, Rejections rejections) {
    this.publisher = publisher;
    this.meters = meters;
    this.rejections = rejections;
  }

  @Override
  public void accept(Record record, int shard, int line) {
    records.add(record);
    shards.add(shard);
    lines.add(line);
  }

  @Override
  public void reject(Rejection rejection) {
    meters.rejected(rejection);
    publisher.rejected(rejection.reason());
    rejections.add(rejection);
  }

  public Rejections rejections() {
    return rejections;
  }

  public boolean isEmpty() {
    return records.isEmpty();
  }

  /** Hands the records on. */
  public void moveTo(Submission submission) {
    for (int i = 0; i < records.size(); i++) {
      submission.accept(records.get(i), shards.get(i), lines.get(i));
    }
    submission.close();
  }
}
