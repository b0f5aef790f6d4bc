package io.galop.ingest.intake;

import io.galop.bus.Refusal;
import io.galop.bus.ShardStream;
import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.parse.RecordReader;
import io.galop.ingest.publisher.Publisher;
import io.galop.ingest.publisher.RecordSender;
import io.galop.ledger.Book;
import io.galop.node.Node;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where all doors of an event loop bring records: it sends them to the owners of their shards and
 * tells the door when they are acknowledged. What several sockets bring in the same turn of the
 * event loop goes in the same Batches, so they are large under load and go at once when idle.
 */
public final class Intake {
  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

  /** What Java adds for a Parcel of whatever size, here and in the stream where it waits. */
  private static final int PARCEL_BYTES = 560;

  /** What Java adds for each submission that has records in a Parcel, to its records. */
  static final int SUBMISSION_BYTES = 280;

  private final Context context;
  private final Node node;
  private final Book book;
  private final int accepted;
  private final int waiting;
  private final InFlight inFlight;
  private final RecordReader reader;
  private final int maxRecords;
  private final int maxBytes;
  private final ShardStream[] streams;
  private final boolean[] isFailing;

  /** What the present turn of the event loop fills for each shard; null if nothing. */
  private final @Nullable Parcel[] gathering;

  /** The streams in which something was put in this turn; they send it when the turn ends. */
  private List<ShardStream> gathered = new ArrayList<>();

  /** Records of one shard that go to its owner together, and which submissions they are of. */
  private final class Parcel extends ShardStream.Part {
    private final int shard;
    private final Ints lines = new Ints();
    private final List<Submission> submissions = new ArrayList<>();
    private final Ints starts = new Ints();

    /** What it counts for in {@link InFlight}. */
    private long cost = PARCEL_BYTES;

    /** The submission of the last record; null before the first. */
    private @Nullable Submission last;

    private Parcel(int shard, DoorStamp stamp) {
      super(stamp);
      this.shard = shard;
    }

    private void add(Submission submission, Record record, int line) {
      if (submission != last) {
        last = submission;
        submissions.add(submission);
        starts.add(size());
        submission.joined();
        cost += SUBMISSION_BYTES;
      }
      add(record, submission.traced());
      lines.add(line);
      cost += InFlight.cost(record);
    }

    /** What of its cost is not of its records. */
    private long overhead() {
      return PARCEL_BYTES + (long) SUBMISSION_BYTES * submissions.size();
    }

    @Override
    protected void onAnswer(@Nullable Throwable failure) {
      settle(this, failure);
    }

    private void refused(Refusal refusal) {
      for (int i = 0; i < submissions.size(); i++) {
        int to = i + 1 < submissions.size() ? starts.get(i + 1) : size();
        for (int at = starts.get(i); at < to; at++) {
          submissions.get(i).lose(lines.get(at), refusal);
        }
      }
    }
  }

  /** Builds the intake of the current event loop. */
  public Intake(Vertx vertx, Node node) {
    IngestConfig config = node.config().ingest();
    int shards = node.bus().cluster().shards();
    this.context = vertx.getOrCreateContext();
    this.node = node;
    this.book = node.book("door", context);
    this.accepted = book.column("accepted");
    this.waiting = book.column("waiting");
    this.inFlight = InFlight.of(vertx, node);
    this.reader = new RecordReader(config, shards, Clock.systemUTC());
    this.maxRecords = config.maxBatchRecords();
    this.maxBytes = config.maxBatchBytes();
    this.gathering = new Parcel[shards];
    this.isFailing = new boolean[shards];
    this.streams = new ShardStream[shards];
    for (int shard = 0; shard < shards; shard++) {
      streams[shard] = node.bus().enrich().open(shard, maxRecords, maxBytes);
    }
  }

  public RecordReader reader() {
    return reader;
  }

  public InFlight inFlight() {
    return inFlight;
  }

  public Context context() {
    return context;
  }

  /** Whether somebody collects traces on this node. */
  public boolean isTracing() {
    return node.lateness().isTracing();
  }

  /** Of so many sampled traces one is kept. */
  int sampleEvery() {
    return node.config().telemetry().sampleEvery();
  }

  /** Something was read at a door just now. */
  DoorStamp stamp(String door) {
    return node.lateness().stamp(door);
  }

  /**
   * Opens a submission; its records are added, then it is closed, in one turn of the event loop.
   *
   * @param rejections what was refused of it already, and what will be
   * @param onDone called when every record is acknowledged or refused
   */
  public Submission open(DoorMeters meters, Rejections rejections, Consumer<Submission> onDone) {
    return open(Publisher.ANYONE, meters, rejections, onDone);
  }

  /** The same of somebody who may be limited. */
  public Submission open(
      RecordSender sender, DoorMeters meters, Rejections rejections, Consumer<Submission> onDone) {
    return new Submission(this, sender, meters, rejections, onDone);
  }

  /** A door took a record: it is added, or rejected, before another is taken. */
  void taken(int shard) {
    book.turn();
    book.add(shard, Book.IN, 1);
  }

  /**
   * It was not added.
   *
   * @param column of the reason, at the border of doors
   */
  void rejected(int shard, int column) {
    book.add(shard, column, 1);
  }

  void add(Submission submission, Record record, int shard, int line) {
    Parcel parcel = gathering[shard];
    long before = 0;
    if (parcel != null && parcel.isOpen() && parcel.size() < maxRecords && parcel.cost < maxBytes) {
      before = parcel.overhead();
    } else {
      parcel = gather(shard, submission.door());
      submission.weigh(PARCEL_BYTES);
    }
    parcel.add(submission, record, line);
    book.add(shard, waiting, 1);
    inFlight.addOverhead(parcel.overhead() - before);
  }

  private Parcel gather(int shard, String door) {
    Parcel parcel = new Parcel(shard, stamp(door));
    gathering[shard] = parcel;
    streams[shard].gather(parcel);
    if (gathered.isEmpty()) {
      context.runOnContext(turnEnds -> sendGathered());
    }
    gathered.add(streams[shard]);
    return parcel;
  }

  void reserve(long bytes) {
    inFlight.reserve(bytes);
  }

  /** What waits for room in a stream is bounded by what is in flight, which stops the doors. */
  private void sendGathered() {
    List<ShardStream> due = gathered;
    gathered = new ArrayList<>();
    Arrays.fill(gathering, null);
    due.forEach(ShardStream::sendWaiting);
  }

  private void settle(Parcel parcel, @Nullable Throwable failure) {
    inFlight.addOverhead(-parcel.overhead());
    inFlight.release(parcel.cost);
    book.turn();
    book.add(parcel.shard, waiting, -parcel.size());
    if (failure == null) {
      book.add(parcel.shard, accepted, parcel.size());
      note(parcel.shard, null);
    } else {
      Refusal refusal = Refusal.of(failure);
      book.add(parcel.shard, Submission.column(refusal), parcel.size());
      note(parcel.shard, refusal);
      parcel.refused(refusal);
    }
    parcel.submissions.forEach(Submission::settled);
  }

  /**
   * Logs a refusal, or with null that there is none: once when it begins and once when it ends,
   * since thousands of Batches may fail between.
   */
  private void note(int shard, @Nullable Refusal refusal) {
    if (refusal != null && !isFailing[shard]) {
      LOG.warn("shard {} takes no records: {} {}", shard, refusal.why(), refusal.getMessage());
    } else if (refusal == null && isFailing[shard]) {
      LOG.info("shard {} takes records again", shard);
    }
    isFailing[shard] = refusal != null;
  }
}
