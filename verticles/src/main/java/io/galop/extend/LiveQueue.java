package io.galop.extend;

import io.galop.config.VerticleConfig;
import io.galop.config.VerticleConfig.Overflow;
import io.galop.node.FeedTap;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.galop.record.TopicFilter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What waits between the feed loop, which it never holds up, and the handler of a verticle: bounded
 * in bytes, with the policy of the configuration.
 */
final class LiveQueue implements FeedTap, GalopApi.Ongoing {
  private static final int OBJECTS_BYTES = 160;

  /** Timers and acknowledgements have their turn in between. */
  private static final int RECORDS_A_TURN = 256;

  private final Context context;
  private final Guard guard;
  private final TopicFilter filter;
  private final GalopApi.Live handler;
  private final Consumer<String> onMissed;
  private final VerticleConfig config;
  private final VerticleMeters meters;
  private final Share share;
  private final Deque<Record> waiting = new ArrayDeque<>();
  private long bytes;
  private boolean isRunDue;
  private boolean isBehind;
  private boolean isGap;
  private boolean isEnded;
  private Runnable untap = () -> {};

  /** Which instance of how many. */
  record Share(int instance, int of) {
    boolean has(int shard) {
      return shard % of == instance;
    }
  }

  LiveQueue(
      Guard guard,
      TopicFilter filter,
      GalopApi.Live handler,
      Consumer<String> onMissed,
      VerticleConfig config,
      Share share) {
    this.context = guard.context();
    this.guard = guard;
    this.meters = guard.meters();
    this.filter = filter;
    this.handler = handler;
    this.onMissed = onMissed;
    this.config = config;
    this.share = share;
  }

  void endedBy(Runnable untap) {
    this.untap = untap;
  }

  @Override
  public void onRecord(int shard, Record record) {
    if (share.has(shard) && filter.matches(record.topic())) {
      add(record);
    }
  }

  private synchronized void add(Record record) {
    if (isEnded) {
      return;
    }
    int cost = cost(record);
    if (config.overflow() == Overflow.DROP_NEWEST && isTooMuch(cost)) {
      missed();
      return;
    }
    while (isTooMuch(cost)) {
      take();
      missed();
    }
    waiting.add(record);
    grow(cost);
    run();
  }

  private static int cost(Record record) {
    return RecordCodec.approximateBytes(record) + OBJECTS_BYTES;
  }

  private boolean isTooMuch(int cost) {
    return !waiting.isEmpty() && bytes + cost > config.maxWaitingBytes();
  }

  private void grow(int cost) {
    bytes += cost;
    meters.waitingBytes().addAndGet(cost);
  }

  /** Null where nothing waits. */
  private synchronized @Nullable Record take() {
    Record record = waiting.poll();
    if (record != null) {
      grow(-cost(record));
    }
    return record;
  }

  private void missed() {
    meters.dropped(config.overflow()).increment();
    isBehind = true;
    run();
  }

  @Override
  public synchronized void onGap(int shard) {
    if (share.has(shard) && !isEnded) {
      meters.gaps().increment();
      isGap = true;
      run();
    }
  }

  private void run() {
    if (!isRunDue) {
      isRunDue = true;
      context.runOnContext(now -> handle());
    }
  }

  private void handle() {
    tellMissed();
    for (int i = 0; i < RECORDS_A_TURN; i++) {
      Record record = take();
      if (record == null) {
        break;
      }
      meters.consumed().increment();
      Future<?> done = guard.call(() -> handler.handle(new LiveRecord(record)));
      if (!done.isComplete()) {
        done.onComplete(ended -> context.runOnContext(now -> handle()));
        return;
      }
    }
    again();
  }

  private synchronized void again() {
    isRunDue = false;
    if (!waiting.isEmpty() || isBehind || isGap) {
      run();
    }
  }

  private void tellMissed() {
    boolean behind;
    boolean gap;
    synchronized (this) {
      behind = isBehind;
      gap = isGap;
      isBehind = false;
      isGap = false;
    }
    if (gap) {
      guard.run(() -> onMissed.accept("feed"));
    }
    if (behind) {
      guard.behind(config);
      guard.run(() -> onMissed.accept("behind"));
    }
  }

  @Override
  public void end() {
    untap.run();
    synchronized (this) {
      isEnded = true;
      grow((int) -bytes);
      waiting.clear();
    }
  }
}
