package io.galop.ingest.ring;

import io.galop.config.ingest.IngestConfig;
import io.galop.config.ingest.RingDoorConfig;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.node.Node;
import io.galop.record.Rejection;
import io.galop.retry.Backoff;
import io.galop.ring.RingException;
import io.galop.ring.RingReader;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ring and the thread that reads it. The thread reads and checks records, hands them to the
 * event loop of its {@link Intake}, and gives the room in the ring back when they are acknowledged
 * or refused for good. While the stages behind have no room it reads nothing, so the ring fills and
 * its producer is told so. What was refused only for now is read again after a pause.
 */
final class RingFeed implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RingFeed.class);

  /** Batches that are read and not settled; each of at most {@code ingest.maxBatchBytes}. */
  private static final int MOST_BATCHES = 8;

  /**
   * Of one batch. What a killed node had read is read again, and must be recognised: all of it is
   * half of what a shard remembers by default ({@code persist.rememberedIds}).
   */
  private static final int MOST_RECORDS = 4096;

  private static final long BEAT_MS = 100;
  private static final long FIRST_PAUSE_MS = 50;
  private static final long LONGEST_PAUSE_MS = 2_000;

  private final Path path;
  private final RingReader reader;
  private final Intake intake;
  private final IngestConfig config;
  private final RingRecords records;
  private final RingHandover handover;
  private final DoorMeters meters;
  private final Counter readAgain;
  private final Counter dropped;
  private final AtomicLong unsettled = new AtomicLong();
  private final AtomicLong damaged = new AtomicLong();
  private final Deque<RingBatch> batches = new ArrayDeque<>();
  private final Promise<Void> ended = Promise.promise();
  private final IdleStrategy idle;
  private volatile boolean stopping;
  private boolean goingBack;
  private int reading;
  private boolean full;
  private long beatMs;
  private final Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  private long notBeforeNs = System.nanoTime();

  RingFeed(Path path, RingReader reader, Node node, Intake intake) {
    this.path = path;
    this.reader = reader;
    this.intake = intake;
    this.config = node.config().ingest();
    this.records = new RingRecords(config, node.bus().cluster().shards(), reader.ringId());
    this.meters = new DoorMeters(node.meters(), "ring");
    this.handover = new RingHandover(intake, meters);
    this.idle = idle(config.ring().idle());
    MeterRegistry registry = node.meters();
    String ring = path.getFileName().toString();
    this.readAgain = counter("read.again", "Times that a ring was read again", ring, registry);
    this.dropped =
        counter("answers.dropped", "Answers that the producer has not taken", ring, registry);
    gauge("bytes", "Bytes of messages that are not acknowledged", unsettled, ring, registry);
    gauge("damaged", "1: the ring is damaged and no longer read", damaged, ring, registry);
  }

  private static Counter counter(String name, String what, String ring, MeterRegistry registry) {
    return Counter.builder("galop.ingest.ring." + name)
        .description(what)
        .tag("ring", ring)
        .register(registry);
  }

  private static void gauge(
      String name, String what, Number value, String ring, MeterRegistry registry) {
    Gauge.builder("galop.ingest.ring." + name, value, Number::doubleValue)
        .description(what)
        .tag("ring", ring)
        .register(registry);
  }

  private static IdleStrategy idle(RingDoorConfig.Idle idle) {
    return switch (idle) {
      case BACKOFF -> new BackoffIdleStrategy();
      case SLEEP -> new SleepingMillisIdleStrategy(1);
      case YIELD -> YieldingIdleStrategy.INSTANCE;
      case SPIN -> BusySpinIdleStrategy.INSTANCE;
    };
  }

  void start() {
    Thread thread = new Thread(this, "galop-ring-" + path.getFileName());
    thread.setDaemon(true);
    thread.start();
  }

  /** Reads no more; succeeds when all that was read is settled and the file is let go. */
  Future<Void> stop() {
    stopping = true;
    return ended.future();
  }

  @Override
  public void run() {
    try {
      while (!stopping || !batches.isEmpty()) {
        beat();
        idle.idle(settle() + take());
      }
    } catch (RuntimeException e) {
      damaged.set(1);
      LOG.error("stopped reading the ring {}", path, e);
    } finally {
      close();
      ended.complete();
    }
  }

  private void close() {
    try {
      reader.close();
    } catch (IOException e) {
      LOG.warn("the ring {} could not be closed: {}", path, e.getMessage());
    }
  }

  private void beat() {
    long nowMs = System.currentTimeMillis();
    if (nowMs - beatMs >= BEAT_MS || nowMs < beatMs) {
      beatMs = nowMs;
      reader.beat(nowMs);
      unsettled.set(reader.unsettledBytes());
    }
  }

  private int take() {
    if (!mayTake()) {
      return 0;
    }
    RingBatch batch = new RingBatch(meters, reading);
    records.into(batch);
    int messages = read();
    if (messages > 0) {
      batch.end(reader.position());
      batches.add(batch);
      handover.take(batch);
    }
    return messages;
  }

  private boolean mayTake() {
    boolean stopped = stopping || goingBack || damaged.get() > 0 || intake.inFlight().isClosing();
    if (stopped || batches.size() >= MOST_BATCHES || System.nanoTime() - notBeforeNs < 0) {
      return false;
    }
    boolean wasFull = full;
    full = intake.inFlight().isFull();
    if (full && !wasFull) {
      meters.paused();
    }
    return !full;
  }

  private int read() {
    try {
      int most = Math.min(MOST_RECORDS, config.maxBatchRecords());
      return reader.read(records, most, config.maxBatchBytes());
    } catch (RingException e) {
      damaged.set(1);
      reader.damaged();
      LOG.error("{}", e.getMessage());
      return 0;
    }
  }

  private int settle() {
    int settled = 0;
    while (!batches.isEmpty() && batches.peek().isDone()) {
      if (goingBack || batches.peek().mustBeReadAgain()) {
        goBack();
        return settled;
      }
      RingBatch batch = batches.poll();
      batch.rejected().forEach(rejection -> tell(batch, rejection));
      records.forget(batch);
      reader.settle(batch.end(), batch.lastSequence());
      backoff.reset();
      settled++;
    }
    return settled;
  }

  /** As soon as nothing is under way any more, so that nothing overtakes. */
  private void goBack() {
    goingBack = true;
    if (batches.stream().allMatch(RingBatch::isDone)) {
      readAgain.increment();
      batches.forEach(this::keep);
      batches.clear();
      reader.rewind();
      reading++;
      notBeforeNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backoff.nextMs());
      goingBack = false;
    }
  }

  /** What a healthy shard has taken, and what is refused for good, is not sent on again. */
  private void keep(RingBatch batch) {
    batch.rejected().forEach(rejection -> tell(batch, rejection));
    records.keep(batch);
  }

  private void tell(RingBatch batch, Rejection rejection) {
    long sequence = batch.sequence(rejection.line());
    if (!reader.reject(sequence, rejection.reason().word(), rejection.detail())) {
      dropped.increment();
    }
  }
}
