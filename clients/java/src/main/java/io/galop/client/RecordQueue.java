package io.galop.client;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * What has come and was not taken: never more than {@code max} records; the policy says what goes
 * when one more comes. It hands records to one Flow.Subscriber, on the executor, one after the
 * other and no more than it has requested. For any thread.
 */
final class RecordQueue implements Flow.Publisher<FeedRecord> {
  /** What became of a record. */
  enum Put {
    ACCEPTED,
    /** The oldest went for it, the first since the program was told of a gap. */
    GAP,
    /** It was not taken, and the owner has to end. */
    FULL
  }

  private static final System.Logger LOG = System.getLogger("io.galop.client");

  private final int max;
  private final QueuePolicy policy;
  private final Executor executor;
  private final Runnable onCancel;
  private final Map<Object, FeedRecord> waiting = new LinkedHashMap<>();
  private long next;
  private long missed;
  private long demand;
  private boolean hasGap;
  private boolean isEnded;
  private boolean isCancelled;
  private boolean isDraining;
  private boolean isGreeted;
  private @Nullable FeedException failure;
  private @Nullable RuntimeException misuse;
  private Flow.@Nullable Subscriber<? super FeedRecord> subscriber;

  RecordQueue(int max, QueuePolicy policy, Executor executor, Runnable onCancel) {
    this.max = max;
    this.policy = policy;
    this.executor = executor;
    this.onCancel = onCancel;
  }

  synchronized long missed() {
    return missed;
  }

  synchronized Put put(FeedRecord record) {
    if (isEnded) {
      return Put.ACCEPTED;
    }
    Object key = policy == QueuePolicy.LATEST ? record.topic() : (Object) next++;
    @Nullable FeedRecord replaced = waiting.remove(key);
    Put put = Put.ACCEPTED;
    if (waiting.size() >= max) {
      if (policy == QueuePolicy.END) {
        return Put.FULL;
      }
      takeOldest();
      missed++;
      put = hasGap ? Put.ACCEPTED : Put.GAP;
      hasGap = true;
    }
    // Else nobody would see that there was a gap before it.
    boolean isAfterGap = replaced != null && replaced.isAfterGap();
    waiting.put(key, isAfterGap ? record.afterGap() : record);
    drainIfIdle();
    return put;
  }

  private FeedRecord takeOldest() {
    Iterator<FeedRecord> oldest = waiting.values().iterator();
    FeedRecord record = oldest.next();
    oldest.remove();
    return record;
  }

  /** What waits can still be taken; then comes the failure, or the end. */
  synchronized void end(@Nullable FeedException why) {
    if (!isEnded) {
      isEnded = true;
      failure = why;
      drainIfIdle();
    }
  }

  /** Nobody wants what waits. */
  synchronized void discard() {
    waiting.clear();
    end(null);
  }

  @Override
  public void subscribe(Flow.Subscriber<? super FeedRecord> who) {
    synchronized (this) {
      if (subscriber == null) {
        subscriber = who;
        drainIfIdle();
        return;
      }
    }
    who.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long n) {}

          @Override
          public void cancel() {}
        });
    who.onError(new IllegalStateException("a subscription has one subscriber, and has it already"));
  }

  private void drainIfIdle() {
    if (!isDraining && subscriber != null && !isCancelled) {
      isDraining = true;
      executor.execute(this::drain);
    }
  }

  private void drain() {
    try {
      for (Runnable signal = nextSignal(); signal != null; signal = nextSignal()) {
        signal.run();
      }
    } catch (RuntimeException | Error fault) {
      LOG.log(System.Logger.Level.ERROR, "a subscriber failed; its subscription ends", fault);
      cancel();
      synchronized (this) {
        isDraining = false;
      }
    }
  }

  /** Null if there is nothing to say now. */
  private synchronized @Nullable Runnable nextSignal() {
    Flow.Subscriber<? super FeedRecord> to = subscriber;
    if (to != null && !isCancelled) {
      if (!isGreeted) {
        isGreeted = true;
        return () -> to.onSubscribe(new Demand());
      }
      if (misuse != null) {
        RuntimeException why = misuse;
        isCancelled = true;
        return () -> to.onError(why);
      }
      if (demand > 0 && !waiting.isEmpty()) {
        demand--;
        FeedRecord record = hasGap ? takeOldest().afterGap() : takeOldest();
        hasGap = false;
        return () -> to.onNext(record);
      }
      if (isEnded && waiting.isEmpty()) {
        FeedException why = failure;
        isCancelled = true;
        return why == null ? to::onComplete : () -> to.onError(why);
      }
    }
    isDraining = false;
    return null;
  }

  private void cancel() {
    synchronized (this) {
      if (isCancelled) {
        return;
      }
      isCancelled = true;
      isEnded = true;
      waiting.clear();
    }
    onCancel.run();
  }

  /** How many records the subscriber has asked for. */
  private final class Demand implements Flow.Subscription {
    @Override
    public void request(long n) {
      if (n <= 0) {
        onCancel.run();
      }
      synchronized (RecordQueue.this) {
        if (n <= 0) {
          misuse = new IllegalArgumentException("request(n) needs n of at least 1, not " + n);
        } else {
          demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
        }
        drainIfIdle();
      }
    }

    @Override
    public void cancel() {
      RecordQueue.this.cancel();
    }
  }
}
