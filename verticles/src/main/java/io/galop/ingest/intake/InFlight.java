package io.galop.ingest.intake;

import io.galop.ingest.publisher.Publisher;
import io.galop.ingest.publisher.RecordSender;
import io.galop.ingest.publisher.Waiters;
import io.galop.node.Node;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.micrometer.core.instrument.Gauge;
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
public final class InFlight implements Shareable {
  private static final int OBJECTS_BYTES = 128;

  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong half = new AtomicLong();
  private final AtomicLong overhead = new AtomicLong();
  private final AtomicLong untold = new AtomicLong();
  private final AtomicLong untoldBytes = new AtomicLong();
  private final Waiters waiters = new Waiters();
  private final Queue<Promise<Void>> drains = new ConcurrentLinkedQueue<>();
  private final long max;
  private final long share;
  private final long resumeBelow;
  private volatile boolean closing;

  private InFlight(Node node) {
    this.max = node.config().ingest().maxInFlightBytes();
    this.share = node.config().ingest().maxConnectionBytes();
    this.resumeBelow = max - max / 8;
    Gauge.builder("galop.ingest.in.flight.bytes", bytes, AtomicLong::get)
        .description("Bytes of records taken in and not acknowledged")
        .register(node.meters());
    Gauge.builder("galop.ingest.in.flight.overhead.bytes", overhead, AtomicLong::get)
        .description("Bytes in flight that are not of records, but of what the doors keep for them")
        .register(node.meters());
    Gauge.builder("galop.ingest.half.sent.bytes", half, AtomicLong::get)
        .description("Bytes held of bodies, lines and messages that are not whole yet")
        .register(node.meters());
    Gauge.builder("galop.ingest.untold.rejections", untold, AtomicLong::get)
        .description("Rejections that senders of the tcp door have yet to be told")
        .register(node.meters());
    Gauge.builder("galop.ingest.untold.bytes", untoldBytes, AtomicLong::get)
        .description("Bytes held of rejections that senders of the tcp door have yet to be told")
        .register(node.meters());
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
  public boolean isFull() {
    return taken() >= max;
  }

  /**
   * What is sent by half takes half of the room at most from what is whole, however much it is: the
   * whole is settled by this node, the half only by its senders.
   */
  private long taken() {
    return bytes.get() + Math.min(half.get(), max / 2);
  }

  /**
   * Whether no more should be taken in of a publisher. Each that is known has room of its own, so
   * what strangers have sent by half does not count here.
   */
  public boolean isFull(RecordSender sender) {
    Publisher of = sender.publisher();
    return !of.hasOwnRoom() ? isFull() : of.room().isFull() || bytes.get() >= max;
  }

  /** Why {@link #isFull(RecordSender)}, and what to do. */
  public String fullOf(Publisher of) {
    return of.hasOwnRoom() && (of.room().isFull() || of.room().isOverrun())
        ? of.full()
        : "the node has as many bytes in flight as ingest.maxInFlightBytes allows; send again"
            + " later";
  }

  /** Whether what is sent by half holds more than it should. */
  public boolean isCrowded() {
    return half.get() > max / 2;
  }

  /** Whether what is sent by half holds more than everything may. */
  boolean isOverrun() {
    return half.get() > max;
  }

  /**
   * Whether one that holds so much has its share, now that all hold half: so none takes all. One
   * that holds nothing has room by this: nothing of it would be settled later, and wake it.
   */
  public boolean isFullFor(long own) {
    long all = bytes.get();
    return own > 0 && (all >= max || own > share && all >= max / 2);
  }

  /**
   * Whether something of which so much is held should not go on: others have taken all, or half and
   * it has its share. One that is alone may be as large as everything.
   */
  public boolean isFullForHalf(long own) {
    long others = bytes.get() + half.get() - own;
    return others >= max || own > share && others >= max / 2;
  }

  /** The same of a publisher, of all that it has sent by half. */
  public boolean isFullForHalf(Publisher of, long own) {
    return !of.hasOwnRoom() ? isFullForHalf(own) : of.room().isOverrun();
  }

  /** So many bytes more, or fewer, are held of what is sent by half. */
  public void holdHalf(long more) {
    half.addAndGet(more);
    if (more < 0 && taken() < resumeBelow) {
      waiters.wake();
    }
  }

  /** So much more, or less, of what is reserved is not of records. */
  void addOverhead(long more) {
    overhead.addAndGet(more);
  }

  void reserve(long taken) {
    bytes.addAndGet(taken);
  }

  void release(long settled) {
    long left = bytes.addAndGet(-settled);
    if (taken() < resumeBelow) {
      waiters.wake();
    }
    if (left == 0 && closing) {
      drained();
    }
  }

  /**
   * Whether rejections that senders have yet to be told would hold more than half as much as all
   * that is in flight may, with so much more of one of them. They take nothing from its room.
   */
  public boolean isFullOfUntold(long more) {
    return untoldBytes.get() + more > max / 2;
  }

  /** So many rejections more, or fewer, wait to be told, and hold so many bytes. */
  public void holdUntold(long more, long moreBytes) {
    untold.addAndGet(more);
    untoldBytes.addAndGet(moreBytes);
  }

  /** Runs something on a context as soon as there is room again. */
  public void whenRoom(Context context, Runnable run) {
    waiters.add(context, run);
    if (taken() < resumeBelow) {
      waiters.wake();
    }
  }

  /** The same where a publisher has none. */
  public void whenRoom(RecordSender sender, Context context, Runnable run) {
    Publisher of = sender.publisher();
    if (of.hasOwnRoom() && of.room().isFull()) {
      of.room().whenRoom(context, run);
    } else {
      whenRoom(context, run);
    }
  }

  /** From now on no door takes anything in; succeeds when everything is settled. */
  public Future<Void> close() {
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

  public boolean isClosing() {
    return closing;
  }
}
