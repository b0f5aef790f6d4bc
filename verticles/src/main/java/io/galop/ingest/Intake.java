package io.galop.ingest;

import io.galop.config.IngestConfig;
import io.galop.node.Node;
import io.galop.record.Record;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where all doors of an event loop bring records: it sends them to the owners of their shards and
 * tells the door when they are acknowledged. What several sockets bring in the same turn of the
 * event loop goes in the same Batches, so they are large under load and go at once when idle.
 */
final class Intake {
  private final Context context;
  private final InFlight inFlight;
  private final RecordReader reader;
  private final ShardPump[] pumps;
  private List<ShardPump> ready = new ArrayList<>();

  /** Builds the intake of the current event loop. */
  Intake(Vertx vertx, Node node) {
    IngestConfig config = node.config().ingest();
    int shards = node.bus().cluster().shards();
    this.context = vertx.getOrCreateContext();
    this.inFlight = InFlight.of(vertx, node);
    this.reader = new RecordReader(config, shards, Clock.systemUTC());
    this.pumps = new ShardPump[shards];
    for (int shard = 0; shard < shards; shard++) {
      pumps[shard] = new ShardPump(node.bus().enrich(), shard, config, inFlight);
    }
  }

  RecordReader reader() {
    return reader;
  }

  InFlight inFlight() {
    return inFlight;
  }

  Context context() {
    return context;
  }

  /**
   * Opens a submission; its records are added, then it is closed, in one turn of the event loop.
   *
   * @param rejections what was refused of it already, and what will be
   * @param onDone called when every record is acknowledged or refused
   */
  Submission open(DoorMeters meters, Rejections rejections, Consumer<Submission> onDone) {
    return new Submission(this, meters, rejections, onDone);
  }

  void add(Submission submission, Record record, int shard, int line) {
    ShardPump pump = pumps[shard];
    if (pump.add(submission, record, line)) {
      if (ready.isEmpty()) {
        context.runOnContext(turnEnds -> sendAll());
      }
      ready.add(pump);
    }
  }

  void reserve(long bytes) {
    inFlight.reserve(bytes);
  }

  private void sendAll() {
    List<ShardPump> sending = ready;
    ready = new ArrayList<>();
    sending.forEach(ShardPump::send);
  }
}
