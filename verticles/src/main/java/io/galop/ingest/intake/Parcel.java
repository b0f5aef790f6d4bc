package io.galop.ingest.intake;

import io.galop.bus.Refusal;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.List;

/** Records of one shard that go to its owner together, and which submissions they are of. */
final class Parcel {
  /** What Java adds for a Parcel of whatever size, here and in the stream where it waits. */
  static final int BYTES = 560;

  /** What Java adds for each submission that has records in it, to its records. */
  static final int SUBMISSION_BYTES = 280;

  private final List<Record> records = new ArrayList<>();
  private final Ints lines = new Ints();
  private final List<Submission> submissions = new ArrayList<>();
  private final Ints starts = new Ints();
  private final int shard;
  private Submission last;
  private long cost = BYTES;

  Parcel(int shard) {
    this.shard = shard;
  }

  int shard() {
    return shard;
  }

  void add(Submission submission, Record record, int line) {
    if (submission != last) {
      last = submission;
      submissions.add(submission);
      starts.add(records.size());
      submission.joined();
      cost += SUBMISSION_BYTES;
    }
    records.add(record);
    lines.add(line);
    cost += InFlight.cost(record);
  }

  List<Record> records() {
    return records;
  }

  /** What it counts for in {@link InFlight}. */
  long cost() {
    return cost;
  }

  /** What of its cost is not of its records. */
  long overhead() {
    return BYTES + (long) SUBMISSION_BYTES * submissions.size();
  }

  void acknowledged() {
    submissions.forEach(Submission::settled);
  }

  void refused(Refusal refusal) {
    for (int i = 0; i < submissions.size(); i++) {
      int to = i + 1 < submissions.size() ? starts.get(i + 1) : records.size();
      for (int at = starts.get(i); at < to; at++) {
        submissions.get(i).lose(lines.get(at), refusal);
      }
    }
    submissions.forEach(Submission::settled);
  }
}
