package io.galop.bus;

import io.galop.bus.Owners.Owner;
import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way of one sender to the owner of one shard: many Batches may be under way, and they are
 * taken in the order of {@link #send}, whatever has to be sent again. Of a Batch that is not taken
 * all after it are sent again behind it, as another stream (see {@link StreamOrder}); the receiver
 * knows by their ids the records that it has already. What cannot be taken at all takes with it
 * what is under way behind it, and what waits. What the way has no room for waits here and is
 * joined, so that Batches grow with the load: stages keep no queues of their own in front of it.
 * Its senders bound what waits: they know what they have sent and not been answered. On the event
 * loop of its sender.
 */
public final class ShardStream {
  /** Why records are refused that came after others that were. */
  public static final Refusal BEHIND =
      new Refusal(Refusal.Why.NOT_READY, "records before it were not taken");

  /** More than this waits here and is joined. */
  private static final long WINDOW_BYTES = 1024 * 1024;

  /**
   * While something is under way a Batch goes only so often: fewer and larger ones cost less, and
   * nobody sees a millisecond.
   */
  private static final long SPACING_MS = 1;

  private static final long FIRST_PAUSE_MS = 20;
  private static final long LONGEST_PAUSE_MS = 500;

  private final Loop loop;
  private final ShardLane lane;
  private final int shard;
  private final int maxRecords;
  private final long maxBytes;
  private final Deque<Part> waiting = new ArrayDeque<>();
  private final Deque<Sent> underWay = new ArrayDeque<>();
  private Optional<Owner> owner = Optional.empty();
  private long stream;
  private long nextNumber;
  private long bytes;

  /** Without chance: the simulation repeats what happened. */
  private final Backoff backoff = Backoff.regular(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  private long notBeforeNanos = System.nanoTime();
  private boolean isPausing;
  private boolean isRoomDue;

  /** Records that go together, and who is told what becomes of them. */
  public abstract static class Part {
    private final List<Record> records;
    private DoorStamp stamp;
    private long bytes;
    private boolean isOpen = true;

    /** To be filled while it is open; with the stamp of its first record. */
    protected Part(DoorStamp stamp) {
      this(new ArrayList<>(), stamp);
    }

    private Part(List<Record> records, DoorStamp stamp) {
      this.records = records;
      this.stamp = stamp;
      this.bytes = RecordCodec.approximateBytes(records);
    }

    protected final void add(Record record, @Nullable DoorStamp traced) {
      stamp = traced == null || stamp.isTraced() ? stamp : traced;
      records.add(record);
      bytes += RecordCodec.approximateBytes(record);
    }

    /** How many records there are. */
    public final int size() {
      return records.size();
    }

    /** Whether it waits, so that more may be added. */
    public final boolean isOpen() {
      return isOpen;
    }

    /** Called once, with why the records were not taken; null says that they were. */
    protected abstract void onAnswer(@Nullable Throwable failure);
  }

  /** What was sent at once. */
  private static final class Whole extends Part {
    private final Promise<Void> taken = Promise.promise();

    private Whole(List<Record> records, DoorStamp stamp) {
      super(records, stamp);
    }

    @Override
    protected void onAnswer(@Nullable Throwable failure) {
      taken.complete(null, failure);
    }
  }

  private static final class Sent {
    final List<Part> parts;
    final Batch batch;
    final long bytes;
    final long deadlineNanos;
    boolean isAnswered;
    int attempts;
    boolean isOffered;
    long stream;
    long number;

    Sent(int shard, List<Part> parts, long deadlineNanos) {
      this.parts = parts;
      this.batch = join(shard, parts);
      this.bytes = parts.stream().mapToLong(part -> part.bytes).sum();
      this.deadlineNanos = deadlineNanos;
    }

    /** The first part to wait longest would make all look late: any record may give the stamp. */
    private static Batch join(int shard, List<Part> parts) {
      List<Record> records = new ArrayList<>();
      DoorStamp any = parts.get(0).stamp;
      for (Part part : parts) {
        records.addAll(part.records);
        any = any.or(part.stamp, part.size(), records.size());
      }
      return Batch.unplaced(shard, records).stamped(any);
    }

    /** Tells the senders; a null failure is a success. */
    void answer(@Nullable Throwable failure) {
      parts.forEach(part -> part.onAnswer(failure));
    }
  }

  /**
   * @param maxRecords of a Batch that is joined; what was sent at once is never divided
   * @param maxBytes of such a Batch
   */
  ShardStream(Loop loop, ShardLane lane, int shard, int maxRecords, long maxBytes) {
    this.loop = loop;
    this.lane = lane;
    this.shard = shard;
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
    newStream();
  }

  /** Whether the next Batch should go now. If not, {@link #sendWaiting} is called when it may. */
  private boolean hasRoom() {
    if (underWay.isEmpty()) {
      return true;
    }
    if (bytes >= WINDOW_BYTES || isPausing) {
      return false;
    }
    if (System.nanoTime() - notBeforeNanos >= 0) {
      return true;
    }
    if (!isRoomDue) {
      isRoomDue = true;
      lane.after(SPACING_MS, this::onSpacing);
    }
    return false;
  }

  private void onSpacing() {
    isRoomDue = false;
    sendWaiting();
  }

  /**
   * Hands records to the shard's owner after those before them, again and perhaps to another node
   * until they are taken.
   *
   * @param stamp when a door read one of them
   * @return succeeds when the receiver's handler did; fails with a {@link Refusal} that is not
   *     transient, or {@link Refusal.Why#NOT_READY} when what was sent before was refused. After
   *     {@link Refusal.Why#DEADLINE} the records may or may not have been taken
   */
  public Future<Void> send(List<Record> records, DoorStamp stamp) {
    loop.check();
    Whole part = new Whole(List.copyOf(records), stamp);
    waiting.addLast(part);
    sendWaiting();
    return part.taken.future();
  }

  /**
   * Lets a part wait that is still being filled, until {@link #sendWaiting} or something else finds
   * room for it; what becomes of it is as of {@link #send}.
   */
  public void gather(Part part) {
    loop.check();
    waiting.addLast(part);
  }

  /** Sends what waits, as far as there is room; the rest when there is. */
  public void sendWaiting() {
    while (!waiting.isEmpty() && hasRoom()) {
      send(new Sent(shard, next(), lane.deadlineNanos()));
    }
  }

  /** The parts of the next Batch: at least one, if there is one. */
  private List<Part> next() {
    List<Part> next = new ArrayList<>();
    int records = 0;
    long size = 0;
    for (Part part = waiting.peekFirst(); part != null; part = waiting.peekFirst()) {
      records += part.size();
      size += part.bytes;
      if (!next.isEmpty() && (records > maxRecords || size > maxBytes)) {
        break;
      }
      next.add(waiting.removeFirst());
      part.isOpen = false;
    }
    return next;
  }

  private void send(Sent sent) {
    underWay.addLast(sent);
    bytes += sent.bytes;
    notBeforeNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SPACING_MS);
    if (!isPausing && isOwnerKnown()) {
      offer(sent);
    } else if (!isPausing) {
      beginAnew();
    }
  }

  /** Whether the present stream goes to who owns the shard now. */
  private boolean isOwnerKnown() {
    return owner.isPresent() && owner.equals(lane.owner(shard));
  }

  /** The cluster has changed: an owner that is gone will not answer. */
  void onChange() {
    loop.check();
    if (!underWay.isEmpty() && !isPausing && !isOwnerKnown()) {
      beginAnew();
    }
  }

  private void newStream() {
    stream = ThreadLocalRandom.current().nextLong();
    nextNumber = 0;
  }

  private void beginAnew() {
    withdrawAll();
    begin();
  }

  private void withdrawAll() {
    withdrawFrom(underWay.peekFirst());
    newStream();
  }

  /** What these attempts come to does not count any more, unless it is taken after all. */
  private void withdrawFrom(Sent first) {
    boolean isBehind = false;
    for (Sent sent : underWay) {
      isBehind |= sent == first;
      if (isBehind) {
        sent.attempts++;
        sent.isOffered = false;
      }
    }
  }

  /**
   * Offers in order what is under way and not offered, to who owns the shard now: everything, where
   * that is not who has what went before.
   */
  private void begin() {
    isPausing = false;
    if (!isOwnerKnown()) {
      withdrawAll();
    }
    owner = lane.owner(shard);
    if (owner.isPresent()) {
      underWay.stream().filter(sent -> !sent.isOffered).forEach(this::offer);
    } else if (!underWay.isEmpty()) {
      retry(underWay.peekFirst(), lane.noOwner());
    }
  }

  private void offer(Sent sent) {
    int attempt = ++sent.attempts;
    sent.isOffered = true;
    sent.stream = stream;
    sent.number = nextNumber++;
    lane.request(owner.get(), stream, sent.number, sent.batch)
        .onComplete((taken, failure) -> onAnswer(sent, attempt, failure));
  }

  /** An attempt that was given up may still tell that the Batch was taken, but nothing else. */
  private void onAnswer(Sent sent, int attempt, Throwable failure) {
    loop.check();
    if (sent.isAnswered) {
      return;
    }
    if (failure == null) {
      backoff.reset();
      underWay.remove(sent);
      bytes -= sent.bytes;
      sent.isAnswered = true;
      sendWaiting();
      sent.answer(null);
    } else if (attempt == sent.attempts) {
      onRefused(sent, Refusal.of(failure));
    }
  }

  private void onRefused(Sent sent, Refusal refusal) {
    if (!refusal.isTransient()) {
      newStream();
      refuse(sent, refusal);
    } else if (lane.learnsEpoch(refusal, shard)) {
      beginAnew();
    } else {
      retry(sent, refusal);
    }
  }

  /**
   * Who is busy has what was sent before and answers it: the stream goes on with the number that
   * was refused, and not at all if something before it fails late. Else everything has to be given
   * again in order.
   */
  private void retry(Sent sent, Refusal refusal) {
    if (System.nanoTime() - sent.deadlineNanos > 0) {
      String message = "not taken in time: " + refusal.getMessage();
      newStream();
      refuse(sent, new Refusal(Refusal.Why.DEADLINE, message));
    } else {
      withdraw(sent, refusal);
      pause();
    }
  }

  private void withdraw(Sent sent, Refusal refusal) {
    if (refusal.why() == Refusal.Why.BUSY && sent.stream == stream) {
      withdrawFrom(sent);
      nextNumber = sent.number;
    } else {
      withdrawAll();
    }
  }

  private void pause() {
    if (!isPausing) {
      isPausing = true;
      lane.after(backoff.nextMs(), this::begin);
    }
  }

  /** Whoever sends it again must find nothing taken that came after it. */
  private void refuse(Sent first, Refusal refusal) {
    Deque<Sent> refused = new ArrayDeque<>();
    for (Iterator<Sent> each = underWay.descendingIterator(); each.hasNext(); ) {
      Sent sent = each.next();
      each.remove();
      bytes -= sent.bytes;
      sent.isAnswered = true;
      refused.addFirst(sent);
      if (sent == first) {
        break;
      }
    }
    Refusal behind = refusal.why() == Refusal.Why.OVER_QUOTA ? refusal : BEHIND;
    List<Part> late = List.copyOf(waiting);
    waiting.clear();
    late.forEach(part -> part.isOpen = false);
    refused.forEach(sent -> sent.answer(sent == first ? refusal : behind));
    late.forEach(part -> part.onAnswer(behind));
  }
}
