package io.galop.ingest.intake;

import static io.galop.bus.Refusal.Why.OVER_QUOTA;

import io.galop.bus.Refusal;
import io.galop.bus.ShardStream;
import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.parse.RecordReader;
import io.galop.node.Node;
import io.galop.record.Record;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where all doors of an event loop bring records: it sends them to the owners of their shards and
 * tells the door when they are acknowledged. What several sockets bring in the same turn of the
 * event loop goes in the same Batches, so they are large under load and go at once when idle.
 */
public final class Intake {
  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

  private final Context context;
  private final InFlight inFlight;
  private final RecordReader reader;
  private final int maxRecords;
  private final int maxBytes;
  private final ShardStream[] streams;
  private final boolean[] isFailing;

  /** What the present turn of the event loop has brought in for each shard; null if nothing. */
  private final Parcel[] gathering;

  private final List<Parcel> ready = new ArrayList<>();

  /** What the turn before has brought in and no stream has yet: empty unless it is being sent. */
  private final Deque<Parcel> leaving = new ArrayDeque<>();

  /** Builds the intake of the current event loop. */
  public Intake(Vertx vertx, Node node) {
    IngestConfig config = node.config().ingest();
    int shards = node.bus().cluster().shards();
    this.context = vertx.getOrCreateContext();
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

  /**
   * Opens a submission; its records are added, then it is closed, in one turn of the event loop.
   *
   * @param rejections what was refused of it already, and what will be
   * @param onDone called when every record is acknowledged or refused
   */
  public Submission open(DoorMeters meters, Rejections rejections, Consumer<Submission> onDone) {
    return new Submission(this, meters, rejections, onDone);
  }

  void add(Submission submission, Record record, int shard, int line) {
    Parcel parcel = gathering[shard];
    long before = parcel == null ? 0 : parcel.overhead();
    if (parcel == null || parcel.records().size() >= maxRecords || parcel.cost() >= maxBytes) {
      parcel = new Parcel(shard);
      before = 0;
      submission.weigh(Parcel.BYTES);
      gathering[shard] = parcel;
      if (ready.isEmpty()) {
        context.runOnContext(turnEnds -> sendAll());
      }
      ready.add(parcel);
    }
    parcel.add(submission, record, line);
    inFlight.addOverhead(parcel.overhead() - before);
  }

  void reserve(long bytes) {
    inFlight.reserve(bytes);
  }

  /**
   * What waits for room in a stream is bounded by what is in flight, which stops the doors. A
   * stream may refuse at once; what is behind that does not leave any more.
   */
  private void sendAll() {
    leaving.addAll(ready);
    ready.clear();
    Arrays.fill(gathering, null);
    while (!leaving.isEmpty()) {
      Parcel parcel = leaving.poll();
      streams[parcel.shard()]
          .send(parcel.records())
          .onComplete((taken, failure) -> settle(parcel, failure));
    }
  }

  private void settle(Parcel parcel, Throwable failure) {
    Refusal refusal = failure == null ? null : Refusal.of(failure);
    note(parcel.shard(), refusal);
    if (refusal == null) {
      release(parcel);
      parcel.acknowledged();
    } else {
      refuse(parcel, refusal);
      takeGathered(parcel.shard())
          .forEach(one -> refuse(one, refusal.why() == OVER_QUOTA ? refusal : ShardStream.BEHIND));
    }
  }

  private void release(Parcel parcel) {
    inFlight.addOverhead(-parcel.overhead());
    inFlight.release(parcel.cost());
  }

  private void refuse(Parcel parcel, Refusal refusal) {
    release(parcel);
    parcel.refused(refusal);
  }

  /** What came later must not be stored before what was refused and will be sent again. */
  private List<Parcel> takeGathered(int shard) {
    List<Parcel> gathered =
        Stream.of(leaving, ready)
            .flatMap(Collection::stream)
            .filter(one -> one.shard() == shard)
            .toList();
    leaving.removeAll(gathered);
    ready.removeAll(gathered);
    gathering[shard] = null;
    return gathered;
  }

  /** Once when it begins and once when it ends, since thousands of Batches may fail between. */
  private void note(int shard, Refusal refusal) {
    if (refusal != null && !isFailing[shard]) {
      LOG.warn("shard {} takes no records: {} {}", shard, refusal.why(), refusal.getMessage());
    } else if (refusal == null && isFailing[shard]) {
      LOG.info("shard {} takes records again", shard);
    }
    isFailing[shard] = refusal != null;
  }
}
