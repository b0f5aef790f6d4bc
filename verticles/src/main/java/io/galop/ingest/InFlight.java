package io.galop.ingest;

import io.galop.bus.Node;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that a node has taken in and nobody has acknowledged yet, of all its doors and event
 * loops. Bounded by {@code ingest.maxInFlightBytes}: beyond it the http door refuses, the others
 * stop reading; a door looks before it reads, so each may be over by what it reads at once. Safe to
 * call from any thread.
 */
final class InFlight implements Shareable {
  private static final int OBJECTS_BYTES = 128;

  private record Waiter(Context context, Runnable run) {}

  private final AtomicLong bytes = new AtomicLong();
  private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();
  private final Queue<Promise<Void>> drains = new ConcurrentLinkedQueue<>();
  private final long max;
  private final long resumeBelow;
  private volatile boolean closing;

  private InFlight(Node node) {
    this.max = node.config().ingest().maxInFlightBytes();
    this.resumeBelow = max - max / 8;
    node.meters().gauge("galop.ingest.in.flight.bytes", bytes);
  }

  /** The one of this node, which is one Vert.x. */
  static InFlight of(Vertx vertx, Node node) {
    return vertx
        .sharedData()
        .<String, InFlight>getLocalMap("galop.ingest")
        .computeIfAbsent("inFlight", name -> new InFlight(node));
  }

  /** What a record counts for: its bytes and what Java adds to keep it. */
  static long cost(Record record) {
    return RecordCodec.approximateBytes(record) + OBJECTS_BYTES;
  }

  /** Whether no more should be taken in. */
  boolean isFull() {
    return isFullBut(0);
  }

  /** Whether others have taken so much in that this one should take no more. */
  boolean isFullBut(long own) {
    return bytes.get() - own >= max;
  }

  void reserve(long taken) {
    bytes.addAndGet(taken);
  }

  void release(long settled) {
    long left = bytes.addAndGet(-settled);
    if (left < resumeBelow) {
      wake();
    }
    if (left == 0 && closing) {
      drained();
    }
  }

  private void wake() {
    Waiter waiter = waiters.poll();
    while (waiter != null) {
      Waiter next = waiter;
      next.context.runOnContext(now -> next.run.run());
      waiter = waiters.poll();
    }
  }

  /** Runs something on a context as soon as there is room again. */
  void whenRoom(Context context, Runnable run) {
    waiters.add(new Waiter(context, run));
    if (bytes.get() < resumeBelow) {
      wake();
    }
  }

  /** From now on no door takes anything in; succeeds when everything is settled. */
  Future<Void> close() {
    closing = true;
    Promise<Void> drained = Promise.promise();
    drains.add(drained);
    if (bytes.get() == 0) {
      drained();
    }
    return drained.future();
  }

  private void drained() {
    Promise<Void> drain = drains.poll();
    while (drain != null) {
      drain.tryComplete();
      drain = drains.poll();
    }
  }

  boolean isClosing() {
    return closing;
  }
}
