package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.write.Pulse;
import io.galop.broadcast.write.Tally;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Context;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry of topic filters and Subscribers of one event loop. The feed loop posts records and
 * answers to it in one order; all else happens on its own event loop.
 */
public final class Hub {
  private static final Logger LOG = LoggerFactory.getLogger(Hub.class);
  private static final long WATCH_MS = 100;
  private static final long RATE_MS = 20;
  private final Context context;
  private final Loop loop;
  private final Ring ring;
  private final FilterIndex filters;
  private final BroadcastMeters meters;
  private final Tally tally;
  private final int maxWaitingTopics;
  private final int socketBytes;
  private final long stallNanos;
  private final Pulse pulse;
  private final CatchUp catchUp;
  private final Set<Subscriber> subscribers = new HashSet<>();

  /** How many of them the meter has. */
  private int counted;

  private final Set<Subscriber> behind = new HashSet<>();
  private Set<Subscriber> conflating = new HashSet<>();
  private boolean isRateTimerSet;
  private long tail;

  public Hub(
      Context context, Ring ring, int shards, BroadcastMeters meters, BroadcastConfig config) {
    this.context = context;
    this.loop = Loop.of(context);
    this.pulse = new Pulse(loop, config.maxTickMs(), this::tail, meters.filledRounds());
    this.ring = ring;
    this.meters = meters;
    this.tally = meters.tally();
    this.socketBytes = config.socketBytes();
    this.maxWaitingTopics = config.maxWaitingTopics();
    this.stallNanos = TimeUnit.MILLISECONDS.toNanos(config.snapshotStallMs());
    this.filters = new FilterIndex(shards, ring, tally, config.where(), meters);
    this.catchUp = new CatchUp(shards, filters, config.isWatched());
    context.owner().setPeriodic(WATCH_MS, timer -> watch());
    long beatMs = Subscriber.beatMs(config.heartbeatMs());
    context
        .owner()
        .setPeriodic(beatMs, timer -> each(List.copyOf(subscribers), Subscriber::onBeat));
  }

  /** What goes wrong with one connection ends it, and keeps no other from what is done to all. */
  private void each(Collection<Subscriber> all, Consumer<Subscriber> action) {
    for (Subscriber subscriber : all) {
      try {
        action.accept(subscriber);
      } catch (RuntimeException | OutOfMemoryError fault) {
        LOG.warn("a connection could not be served", fault);
        disconnect(subscriber, Disconnect.FAULT);
      }
    }
  }

  /** Runs something on the Hub's event loop, in the order of the calls. From any thread. */
  public void post(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  /** Runs something on the Hub's event loop after what is due there now. */
  void later(Runnable task) {
    pulse.later(task);
  }

  public Pulse pulse() {
    return pulse;
  }

  public Tally tally() {
    return tally;
  }

  /** How much the operating system may keep for a connection; 0 is its own choice. */
  int socketBytes() {
    return socketBytes;
  }

  /** Of how many topics the newest may wait for one Subscriber. */
  int maxWaitingTopics() {
    return maxWaitingTopics;
  }

  /** The number that the next record will have. */
  long tail() {
    return tail;
  }

  @Nullable Entry entry(long sequence) {
    return ring.get(sequence);
  }

  List<FilterGroup> groups(String topic) {
    return filters.matching(topic);
  }

  /**
   * The Hub hears the feed from this number on.
   *
   * @param watching see {@link CatchUp#begin}
   */
  public void attached(long nextSequence, BitSet stale, BiConsumer<String, Boolean> watching) {
    loop.check();
    tail = nextSequence;
    catchUp.begin(stale, watching);
  }

  /** These topics are silent as the Hub begins to listen. */
  public void silent(List<Entry> words) {
    words.forEach(catchUp::take);
  }

  /** These topics are no longer watched. */
  public void forget(List<String> topics) {
    catchUp.forget(topics);
  }

  /** What registrations are told beside the records that come. */
  CatchUp catchUp() {
    return catchUp;
  }

  /** The next records, and words about their topics. */
  public void append(List<Entry> entries) {
    loop.check();
    if (entries.get(0).sequence() != tail) {
      // What came before was not dealt with to its end. Nobody knows who was offered what of it.
      LOG.warn("records up to {} are missing from {} on", entries.get(0).sequence(), tail);
      disconnectAll(Disconnect.FAULT);
    }
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (!entry.isRecord()) {
        catchUp.take(entry);
      }
      List<FilterGroup> groups = filters.matching(entry.topic());
      for (int g = 0; g < groups.size(); g++) {
        FilterGroup group = groups.get(g);
        if (group.passes(entry)) {
          group.forEach(registration -> offer(registration, entry));
        }
      }
      tail = entry.sequence() + 1;
    }
    sample(entries.get(entries.size() - 1), entries.size());
  }

  /** One viewer stands for all: what each is sent costs nothing more. */
  private void sample(Entry last, int records) {
    if (!last.stamp().isNone()) {
      Registration any = FilterGroup.any(filters.matching(last.topic()));
      if (any != null && any.wants(last) && any.group().passes(last)) {
        any.receiver().sample(any, last, records);
      }
    }
  }

  private static void offer(Registration registration, Entry entry) {
    try {
      if (registration.wants(entry)) {
        registration.receiver().offer(registration, entry);
      } else {
        registration.skips(entry);
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      registration.failed(fault);
    }
  }

  /**
   * Records could not be dealt with to their end. Nobody knows who was offered what of them, and on
   * a quiet feed nothing else would tell.
   */
  public void failed(Throwable fault) {
    loop.check();
    LOG.warn("records could not be dealt with to their end", fault);
    disconnectAll(Disconnect.FAULT);
  }

  public void connected(Subscriber subscriber) {
    loop.check();
    try {
      subscribers.add(subscriber);
    } finally {
      count();
    }
  }

  /** The meter has as many as are here, whatever went wrong on the way. */
  private void count() {
    meters.connections().addAndGet(subscribers.size() - counted);
    counted = subscribers.size();
  }

  /** Whether nobody is connected. */
  public boolean isEmpty() {
    return subscribers.isEmpty();
  }

  /** The registration gets records from now on. */
  public void register(Registration registration) {
    loop.check();
    catchUp.register(registration, tail);
  }

  /** The registration has asked for a snapshot, or for what it missed. */
  public void awaitJoined(Registration registration) {
    catchUp.await(registration);
  }

  /** The registration gets its answer, and records from there on. */
  public void joined(Registration registration, Joined joined) {
    loop.check();
    catchUp.joined(registration, joined, tail);
  }

  public void unregister(Registration registration) {
    loop.check();
    catchUp.forget(registration);
    registration.receiver().remove(registration);
    if (registration.isInGroup()) {
      leaveGroup(registration);
    }
  }

  private void leaveGroup(Registration registration) {
    registration.group().remove(registration);
    filters.removeIfEmpty(registration.filter(), registration.selection());
  }

  /** Why a registration may not have what it wishes now, in a sentence; empty: it may. */
  public String refusal(Registration registration) {
    return filters.refusal(registration.wished());
  }

  /**
   * A registration of a Subscriber is sent what it wishes from now on, as often as it wishes: of
   * what waits for it, too, so that nothing is sent by the old wishes behind the answer.
   */
  public void reselect(Subscriber subscriber, Registration registration) {
    loop.check();
    if (!registration.isInGroup()) {
      registration.select();
    } else if (registration.isToSelect()) {
      leaveGroup(registration);
      registration.select();
      registration.join(filters.groupOf(registration.filter(), registration.selection()));
      subscriber.reconsider(registration);
    }
    registration.owesAnswer();
    subscriber.pace(registration);
  }

  /** The connection has ended. */
  public void closed(Subscriber subscriber) {
    loop.check();
    subscribers.remove(subscriber);
    count();
    subscriber.end();
    List.copyOf(subscriber.registrations()).forEach(this::unregister);
    behind.remove(subscriber);
    conflating.remove(subscriber);
  }

  public void disconnect(Subscriber subscriber, Disconnect why) {
    loop.check();
    if (!subscriber.isEnded()) {
      subscriber.end();
      close(subscriber, why);
      meters.disconnected(why, subscriber, subscriber.registrations());
    }
  }

  /** Whoever ends one may be in the middle of all; a transport ends without its last words, too. */
  private static void close(Subscriber subscriber, Disconnect why) {
    try {
      subscriber.close(why);
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a connection could not be told why it ends", fault);
    }
  }

  /** Everybody who is connected now. */
  public List<Subscriber> subscribers() {
    return List.copyOf(subscribers);
  }

  /**
   * How many registrations mean a topic, and how many of these want its newest value only.
   *
   * @param registrations of filters that match; a viewer may have several
   */
  public record Watching(int registrations, int newestOnly) {}

  /** Who watches a topic now. */
  public Watching watching(String topic) {
    loop.check();
    List<FilterGroup> groups = filters.matching(topic);
    return new Watching(
        groups.stream().mapToInt(FilterGroup::size).sum(),
        groups.stream().mapToInt(FilterGroup::conflating).sum());
  }

  /**
   * How many viewers watch something of a filter now, those that wait for a snapshot among them.
   *
   * @param most from how many on there is no need to count further
   */
  public int viewers(String filter, int most) {
    loop.check();
    return catchUp.viewers(filter, most);
  }

  /** Ends all connections. */
  public void disconnectAll(Disconnect why) {
    List.copyOf(subscribers).forEach(subscriber -> disconnect(subscriber, why));
  }

  void behind(Subscriber subscriber) {
    behind.add(subscriber);
  }

  void caughtUp(Subscriber subscriber) {
    behind.remove(subscriber);
  }

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
    behind.removeIf(Subscriber::isUpToDate);
    each(List.copyOf(behind), subscriber -> watch(subscriber, first));
    String why = "the condition costs too much: see broadcast.where.maxLoadPercent";
    filters.takeCostly().forEach(costly -> costly.takeBack("condition_too_costly", why));
  }

  private void watch(Subscriber subscriber, long first) {
    if (subscriber.isLeftBehind(first) || !subscriber.outlasts(stallNanos, first)) {
      behind.remove(subscriber);
      disconnect(subscriber, Disconnect.SLOW);
    }
  }

  /** A shard has become stale or fresh. */
  public void stale(int shard, boolean isStale) {
    loop.check();
    catchUp.stale(shard, isStale);
  }

  /**
   * Records of a shard up to a Position are missing; its latest make up for them, perhaps partly.
   */
  public void gap(Position upTo, List<Entry> latest, boolean partial) {
    loop.check();
    catchUp.gap(upTo, latest, partial, tail);
  }
}
