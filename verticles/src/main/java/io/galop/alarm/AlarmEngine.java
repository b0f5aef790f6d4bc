package io.galop.alarm;

import io.galop.jvm.Moment;
import io.galop.node.OwnedShard;
import io.galop.node.OwnerTap;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Topic;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Evaluates the rules over all shards that this node owns, on one loop. What the loops of the
 * shards hand over waits there; beyond {@code alarms.maxWaiting} records are counted and passed
 * over, and the last value of each topic sets its alarms right as soon as there is room.
 */
final class AlarmEngine implements OwnerTap, AlarmSink {
  private final Loop loop;
  private final int count;
  private volatile RuleSet rules;
  private final AlarmMeters meters;
  private final AlarmRoom room;
  private final AlarmListener listener;
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * Shards of which records were passed over; their last values are looked at when there is room.
   */
  private final Set<Integer> behind = ConcurrentHashMap.newKeySet();

  private final Map<Integer, OwnedShard> owned = new HashMap<>();
  private final Map<Integer, ShardAlarms> shards = new HashMap<>();
  private final Map<Integer, AlarmOutbox> outboxes = new HashMap<>();

  /** The writing of what the order under way has changed, for whoever ordered it. */
  private Future<Void> lastWrite = Future.succeededFuture();

  /** Hears of alarms whose state is on disk. On the loop of alarms. */
  interface AlarmListener {
    /**
     * @param isNew whether it changed just now; else it stood when this node took the shard
     */
    void onState(AlarmState state, boolean isNew);

    /** It is another node's. */
    void onGone(AlarmState state);
  }

  /**
   * Of a node.
   *
   * @param count how many shards there are
   */
  AlarmEngine(Loop loop, AlarmRoom room, int count, RuleSet rules, AlarmListener listener) {
    this.loop = loop;
    this.count = count;
    this.rules = rules;
    this.meters = room.meters();
    this.room = room;
    this.listener = listener;
  }

  @Override
  public void onOwned(OwnedShard shard) {
    boolean isRead = !rules.all().isEmpty();
    List<Placed> known = isRead ? shard.latest() : List.of();
    // Behind what was handed over before, as all that follows.
    loop.later(
        () -> {
          own(shard, known);
          if (!isRead && !rules.all().isEmpty()) {
            change(shard.shard()); // the first rules came meanwhile, and passed it over
          }
        });
  }

  private void own(OwnedShard taken, List<Placed> latest) {
    int shard = taken.shard();
    lose(shard);
    owned.put(shard, taken);
    outboxes.put(shard, new AlarmOutbox(loop, taken));
    ShardAlarms alarms = new ShardAlarms(shard, rules, room, this);
    shards.put(shard, alarms);
    alarms.restore(latest, rules.exactTopics(count, shard), Moment.now());
  }

  @Override
  public void onLogged(Batch batch) {
    if (rules.all().isEmpty()) {
      return; // with the first rules all last values are looked at
    }
    int records = batch.records().size();
    if (waiting.addAndGet(records) > room.maxWaiting()) {
      waiting.addAndGet(-records);
      behind.add(batch.shard());
      meters.skipped(records);
      return;
    }
    loop.later(() -> look(batch));
  }

  private void look(Batch batch) {
    waiting.addAndGet(-batch.records().size());
    ShardAlarms alarms = shards.get(batch.shard());
    if (alarms != null) {
      alarms.look(batch.records(), batch.epoch(), batch.firstOffset(), Moment.now());
    }
  }

  @Override
  public void onLost(int shard) {
    loop.later(() -> lose(shard));
  }

  private void lose(int shard) {
    owned.remove(shard);
    Optional.ofNullable(shards.remove(shard)).ifPresent(ShardAlarms::close);
    Optional.ofNullable(outboxes.remove(shard)).ifPresent(AlarmOutbox::close);
  }

  @Override
  public void changed(int shard, AlarmState now) {
    meters.recorded();
    AlarmOutbox outbox = outboxes.get(shard);
    if (outbox != null) {
      lastWrite = outbox.write(now).onSuccess(written -> listener.onState(now, true));
    }
  }

  /** Nobody is told of it. */
  @Override
  public void restated(int shard, AlarmState now) {
    meters.recorded();
    Optional.ofNullable(outboxes.get(shard)).ifPresent(outbox -> outbox.write(now));
  }

  @Override
  public void found(AlarmState state) {
    listener.onState(state, false);
  }

  @Override
  public void gone(AlarmState state) {
    listener.onGone(state);
  }

  /**
   * Time has passed.
   *
   * @return whether alarms were not raised since the last time, as too many stand
   */
  boolean tick() {
    Moment now = Moment.now();
    if (waiting.get() <= room.maxWaiting() / 2) {
      catchUp();
    }
    shards.forEach(
        (shard, alarms) -> {
          alarms.tick(now);
          Optional.ofNullable(owned.get(shard)).ifPresent(from -> alarms.restate(from.logAge()));
        });
    return room.wasRefused();
  }

  /** Looks at the last values of shards of which records were passed over. */
  private void catchUp() {
    for (Integer shard : behind) {
      behind.remove(shard);
      OwnedShard from = owned.get(shard);
      if (from != null) {
        from.latestNow().onSuccess(latest -> loop.later(() -> lookAgain(from, latest)));
      }
    }
  }

  private void lookAgain(OwnedShard from, List<Placed> latest) {
    ShardAlarms alarms = shards.get(from.shard());
    if (alarms != null && from == owned.get(from.shard())) {
      alarms.lookAgain(latest, Moment.now());
    }
  }

  /**
   * Goes by other rules, a shard in each turn of the loop; on it.
   *
   * @return succeeds when all alarms do, and what has become of them is on disk
   */
  Future<Void> change(RuleSet next) {
    rules = next;
    Future<Void> done = Future.succeededFuture();
    for (Integer shard : List.copyOf(owned.keySet())) {
      done = done.compose(before -> loop.call(() -> change(shard)));
    }
    return done;
  }

  private Future<Void> change(int shard) {
    OwnedShard from = owned.get(shard);
    ShardAlarms alarms = shards.get(shard);
    if (from == null || alarms == null) {
      return Future.succeededFuture(); // its next owner looks at all by itself
    }
    return loop.bring(from.latestNow())
        .compose(
            latest -> {
              if (from != owned.get(shard)) {
                return Future.succeededFuture();
              }
              lastWrite = Future.succeededFuture(); // of this change, if it writes anything
              alarms.change(rules, latest, rules.exactTopics(count, shard), Moment.now());
              return lastWrite;
            })
        .recover(
            failure ->
                from == owned.get(shard)
                    ? Future.failedFuture(failure)
                    : Future.succeededFuture()); // it is another node's by now
  }

  /**
   * Does what somebody ordered.
   *
   * @return empty if there is no such alarm here; else why not, or nothing once it is on disk
   */
  Optional<Future<String>> order(String id, AlarmEvent event) {
    int slash = id.indexOf('/');
    if (slash < 1) {
      return Optional.empty();
    }
    String rule = id.substring(0, slash);
    String topic = id.substring(slash + 1);
    ShardAlarms alarms = shards.get(Topic.shard(topic, count));
    if (alarms == null) {
      return Optional.empty();
    }
    lastWrite = Future.succeededFuture(); // of this order, if it writes anything
    return alarms
        .order(rule, topic, event)
        .map(refusal -> refusal.isEmpty() ? lastWrite.map("") : Future.succeededFuture(refusal));
  }

  /** Shows each alarm that stands. */
  void standing(Consumer<AlarmState> shown) {
    shards.values().forEach(alarms -> alarms.standing(shown));
  }

  /** Ids of a rule's alarms that stand. */
  List<String> ids(String rule) {
    List<String> found = new ArrayList<>();
    standing(
        state -> {
          if (state.rule().equals(rule)) {
            found.add(state.id());
          }
        });
    return found;
  }
}
