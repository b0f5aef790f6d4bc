package io.galop.broadcast;

import io.galop.config.BroadcastConfig;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The registry of topic filters and Subscribers of one event loop. The feed loop posts records and
 * answers to it in one order; all else happens on its own event loop.
 */
public final class Hub {
  private static final long WATCH_MS = 100;
  private static final long RATE_MS = 20;

  private final Context context;
  private final Ring ring;
  private final FilterIndex filters;
  private final BroadcastMeters meters;
  private final Pulse pulse;
  private final BitSet staleShards = new BitSet();
  private final Set<Subscriber> subscribers = new HashSet<>();
  private final Set<Subscriber> behind = new HashSet<>();
  private Set<Subscriber> conflating = new HashSet<>();
  private boolean isRateTimerSet;
  private long tail;

  Hub(Context context, Ring ring, int shards, BroadcastMeters meters, BroadcastConfig config) {
    this.context = context;
    this.pulse = new Pulse((ContextInternal) context, config.maxTickMs());
    this.ring = ring;
    this.meters = meters;
    this.filters = new FilterIndex(shards);
    staleShards.set(0, shards);
    context.owner().setPeriodic(WATCH_MS, timer -> watch());
    long beatMs = config.heartbeatMs() / Transport.BEATS;
    context.owner().setPeriodic(beatMs, timer -> subscribers.forEach(Subscriber::onBeat));
  }

  /** Runs something on the Hub's event loop, in the order of the calls. From any thread. */
  void post(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  /** Runs something on the Hub's event loop after what is due there now. */
  void later(Runnable task) {
    pulse.later(task);
  }

  Pulse pulse() {
    return pulse;
  }

  BroadcastMeters meters() {
    return meters;
  }

  /** The number that the next record will have. */
  long tail() {
    return tail;
  }

  Entry entry(long sequence) {
    return ring.get(sequence);
  }

  List<FilterGroup> groups(String topic) {
    return filters.matching(topic);
  }

  /** The Hub hears the feed from this number on. */
  void attached(long nextSequence, BitSet stale) {
    tail = nextSequence;
    BitSet fresh = (BitSet) staleShards.clone();
    fresh.andNot(stale);
    fresh.stream().forEach(shard -> stale(shard, false));
  }

  /** The next records. */
  void append(List<Entry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      List<FilterGroup> groups = filters.matching(entry.topic());
      for (int g = 0; g < groups.size(); g++) {
        groups.get(g).forEach(registration -> offer(registration, entry));
      }
      tail = entry.sequence() + 1;
    }
  }

  private static void offer(Registration registration, Entry entry) {
    if (registration.wants(entry)) {
      registration.subscriber().offer(registration, entry);
    }
  }

  void connected(Subscriber subscriber) {
    subscribers.add(subscriber);
  }

  /** Whether nobody is connected. */
  boolean isEmpty() {
    return subscribers.isEmpty();
  }

  /** The registration gets records from now on. */
  void register(Registration registration) {
    registration.notBefore(tail);
    enter(registration);
  }

  private void enter(Registration registration) {
    FilterGroup group = filters.groupOf(registration.filter());
    registration.join(group);
    if (filters.count(group, staleShards) > 0) {
      registration.subscriber().tell(Words.stale(registration.filter()));
    }
  }

  /** The registration gets its answer, and records from there on. */
  void joined(Registration registration, Joined joined) {
    if (registration.isEnded() || registration.subscriber().isEnded()) {
      joined.release().run();
      return;
    }
    enter(registration);
    TopicFilter filter = registration.filter();
    Subscriber subscriber = registration.subscriber();
    registration.seen(joined.seen());
    joined.complete().ifPresent(is -> subscriber.tell(Words.resumed(filter, is)));
    Frame closing = Words.live(filter, joined.heads());
    Backlog backlog =
        new Backlog(registration, joined.entries(), joined.cut(), closing, joined.release());
    subscriber.join(registration, backlog, joined.fromSequence());
  }

  void unregister(Registration registration) {
    registration.end();
    registration.subscriber().remove(registration);
    if (registration.group() != null) {
      registration.group().remove(registration);
      filters.removeIfEmpty(registration.group());
    }
  }

  /** The connection has ended. */
  void closed(Subscriber subscriber) {
    subscriber.end();
    List.copyOf(subscriber.registrations()).forEach(this::unregister);
    subscribers.remove(subscriber);
    behind.remove(subscriber);
    conflating.remove(subscriber);
  }

  void disconnect(Subscriber subscriber, Disconnect why) {
    if (!subscriber.isEnded()) {
      subscriber.end();
      subscriber.close(why);
      meters.disconnected(why);
    }
  }

  /** Ends all connections. */
  void disconnectAll(Disconnect why) {
    List.copyOf(subscribers).forEach(subscriber -> disconnect(subscriber, why));
  }

  void behind(Subscriber subscriber) {
    behind.add(subscriber);
  }

  void caughtUp(Subscriber subscriber) {
    behind.remove(subscriber);
  }

  /** Something conflated waits for room, or for its rate. */
  void conflating(Subscriber subscriber) {
    conflating.add(subscriber);
    if (!isRateTimerSet) {
      isRateTimerSet = true;
      context.owner().setTimer(RATE_MS, timer -> pumpConflating());
    }
  }

  private void pumpConflating() {
    isRateTimerSet = false;
    Set<Subscriber> due = conflating;
    conflating = new HashSet<>();
    due.forEach(Subscriber::pump);
  }

  private void watch() {
    long first = ring.first();
    for (Subscriber subscriber : List.copyOf(behind)) {
      if (subscriber.isLeftBehind(first)) {
        behind.remove(subscriber);
        disconnect(subscriber, Disconnect.SLOW);
      }
    }
  }

  /** A shard has become stale or fresh. */
  void stale(int shard, boolean isStale) {
    BitSet before = (BitSet) staleShards.clone();
    staleShards.set(shard, isStale);
    for (FilterGroup group : filters.touching(shard)) {
      int was = filters.count(group, before);
      int is = filters.count(group, staleShards);
      if (was == 0 && is > 0) {
        tell(group, Words.stale(group.filter()));
      } else if (was > 0 && is == 0) {
        tell(group, Words.fresh(group.filter()));
      }
    }
  }

  private static void tell(FilterGroup group, Frame word) {
    group.forEach(registration -> registration.subscriber().tell(word));
  }

  /** Records of a shard up to a Position are missing; its latest records make up for them. */
  void gap(Position upTo, List<Entry> latest) {
    for (FilterGroup group : filters.touching(upTo.shard())) {
      List<Entry> entries =
          latest.stream().filter(entry -> group.filter().matches(entry.topic())).toList();
      group.forEach(registration -> gap(registration, upTo, entries));
    }
  }

  private void gap(Registration registration, Position upTo, List<Entry> entries) {
    TopicFilter filter = registration.filter();
    registration.seen(Map.of(upTo.shard(), upTo));
    if (registration.isConflating()) {
      registration.newest().drop(upTo.shard());
    }
    registration.subscriber().tell(Words.resumed(filter, false));
    Frame closing = Words.live(filter, List.of(upTo));
    Backlog backlog = new Backlog(registration, entries, tail, closing, () -> {});
    registration.subscriber().precede(registration, backlog);
  }
}
