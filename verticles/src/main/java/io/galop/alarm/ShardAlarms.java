package io.galop.alarm;

import io.galop.alarm.Judge.Verdict;
import io.galop.jvm.Moment;
import io.galop.record.Placed;
import io.galop.record.Record;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The alarms of one shard that this node owns. What stood is read from its last records; then each
 * topic's last value is looked at, as the owner before may have gone before it did. Belongs to the
 * loop of alarms.
 */
final class ShardAlarms {
  /** A power of two. */
  private static final int UNWATCHED = 8_192;

  private static final long SWEEP_MS = 1_000;
  private final int shard;
  private RuleSet rules;
  private final AlarmRoom room;
  private final AlarmSink sink;
  private final Map<String, TopicWatch> topics = new HashMap<>();

  /** Topics without a rule by their hash; one that has lost its place costs a look at the rules. */
  private final String[] unwatched = new String[UNWATCHED];

  private long sweptMs = Long.MIN_VALUE;
  private long logAge = -1;
  private final Deque<Runnable> over = new ArrayDeque<>();

  /** Topics of which time alone may change something; a subset of those above. */
  private final Set<TopicWatch> timed = new LinkedHashSet<>();

  /** States read from records, until their topic is watched. */
  private final Map<String, AlarmState> found = new HashMap<>();

  ShardAlarms(int shard, RuleSet rules, AlarmRoom room, AlarmSink sink) {
    this.shard = shard;
    this.rules = rules;
    this.room = room;
    this.sink = sink;
  }

  /** Begins with the last record of each topic, of alarms and of what they watch. */
  void restore(List<Placed> latest, List<String> exactTopics, Moment at) {
    AlarmRecord.read(latest, state -> found.put(state.id(), state));
    watchFound(at);
    for (Placed placed : latest) {
      look(placed.record(), placed.position().epoch(), placed.position().offset(), at, true);
    }
    exactTopics.forEach(topic -> watch(topic, at, 0, at.wallMs()));
    endFound(at);
    each(one -> sink.found(one.state()));
  }

  private Optional<TopicWatch> watch(String topic, Moment at, long epoch, long offset) {
    TopicWatch known = topics.get(topic);
    if (known != null) {
      return Optional.of(known);
    }
    List<AlarmRule> matching = rules.of(topic);
    if (matching.isEmpty()) {
      unwatched[place(topic)] = topic;
      return Optional.empty();
    }
    if (!room.hasTopicRoom()) {
      sweep(at);
    }
    if (!room.takeTopic()) {
      return Optional.empty();
    }
    List<RuleWatch> watches = new ArrayList<>();
    for (AlarmRule rule : matching) {
      AlarmState normal = AlarmState.normal(rule.name(), topic, rule.severity());
      AlarmState before = Optional.ofNullable(found.remove(normal.id())).orElse(normal);
      AlarmState state = graded(before, rule, at);
      watches.add(new RuleWatch(rule, room.field(rule), state));
      room.here(state, 1);
    }
    TopicWatch watch = new TopicWatch(topic, watches, at.steadyMs(), epoch, offset);
    topics.put(topic, watch);
    begin(watch, at);
    return Optional.of(watch);
  }

  private void watchFound(Moment at) {
    List<String> about =
        found.values().stream().filter(AlarmState::stands).map(AlarmState::topic).toList();
    about.forEach(topic -> watch(topic, at, 0, at.wallMs()));
  }

  private void endFound(Moment at) {
    found.values().stream().filter(one -> !rules.has(one)).forEach(one -> end(one, at));
    found.clear();
  }

  private void end(AlarmState state, Moment at) {
    if (state.stands()) {
      sink.changed(shard, state.ended(at.wallMs()));
    }
  }

  /**
   * Goes by other rules: alarms of those that are gone end, those of changed ones go on.
   *
   * @param latest the last record of each topic, of alarms and of others
   */
  void change(RuleSet next, List<Placed> latest, List<String> exactTopics, Moment at) {
    rules = next;
    Arrays.fill(unwatched, null);
    AlarmRecord.read(latest, state -> found.put(state.id(), state));
    topics.values().forEach(one -> one.rules().forEach(rule -> found.remove(rule.state().id())));
    List.copyOf(topics.values()).forEach(watch -> change(watch, at));
    watchFound(at);
    lookAgain(latest, at);
    exactTopics.forEach(topic -> watch(topic, at, 0, at.wallMs()));
    endFound(at);
  }

  private void change(TopicWatch before, Moment at) {
    Map<String, RuleWatch> known = new HashMap<>();
    before.rules().forEach(one -> known.put(one.rule().name(), one));
    List<RuleWatch> watches = new ArrayList<>();
    for (AlarmRule rule : rules.of(before.topic())) {
      watches.add(changed(before, rule, Optional.ofNullable(known.remove(rule.name())), at));
    }
    for (RuleWatch gone : known.values()) {
      room.here(gone.state(), -1);
      end(gone.state(), at);
    }
    timed.remove(before);
    if (watches.isEmpty()) {
      topics.remove(before.topic());
      room.leaveTopics(1);
    } else {
      TopicWatch after = before.with(watches);
      topics.put(after.topic(), after);
      begin(after, at);
    }
  }

  private RuleWatch changed(
      TopicWatch watch, AlarmRule rule, Optional<RuleWatch> known, Moment at) {
    if (known.isPresent() && known.get().rule().config().equals(rule.config())) {
      return known.get();
    }
    AlarmState normal = AlarmState.normal(rule.name(), watch.topic(), rule.severity());
    AlarmState before =
        known
            .map(RuleWatch::state)
            .orElseGet(() -> Optional.ofNullable(found.remove(normal.id())).orElse(normal));
    AlarmState state = graded(before, rule, at);
    RuleWatch fresh = new RuleWatch(rule, room.field(rule), state, "+" + at.wallMs());
    RuleWatch now = RuleWatch.after(known, fresh);
    room.here(before, known.isPresent() ? -1 : 0);
    room.here(state, 1);
    if (state.isActive() && rule.silentMs() > watch.silentFor(at.steadyMs())) {
      step(watch, now, new AlarmEvent.Returned("", at.wallMs()));
    }
    return now;
  }

  /** As bad as the rule says now. */
  private AlarmState graded(AlarmState before, AlarmRule rule, Moment at) {
    AlarmState now = before.graded(rule.severity(), at.wallMs());
    if (now != before && now.stands()) {
      sink.changed(shard, now);
    }
    return now;
  }

  private void begin(TopicWatch watch, Moment at) {
    for (RuleWatch rule : watch.rules()) {
      step(watch, rule, new AlarmEvent.Parent(watch.hasActiveParent(rule), at.wallMs()));
    }
    if (watch.hasTimers()) {
      timed.add(watch);
    }
  }

  private static int place(String topic) {
    int hash = topic.hashCode();
    return (hash ^ hash >>> 16) & UNWATCHED - 1;
  }

  /** Makes room: forgets what has nothing to say before its next record. Costs a look at all. */
  private void sweep(Moment at) {
    if (at.steadyMs() < sweptMs + SWEEP_MS) {
      return;
    }
    sweptMs = at.steadyMs();
    int before = topics.size();
    topics.values().removeIf(TopicWatch::isIdle);
    timed.removeIf(TopicWatch::isIdle);
    room.leaveTopics(before - topics.size());
  }

  /** Looks at records of the shard that are on disk. */
  void look(List<Record> records, long epoch, long firstOffset, Moment at) {
    for (int i = 0; i < records.size(); i++) {
      look(records.get(i), epoch, firstOffset + i, at);
    }
  }

  /** Looks at a record of the shard that is on disk, unless it or a newer one was looked at. */
  void look(Record record, long epoch, long offset, Moment at) {
    look(record, epoch, offset, at, false);
  }

  /** Looks at the last records of all topics, as some were passed over, or rules are new. */
  void lookAgain(List<Placed> latest, Moment at) {
    for (Placed placed : latest) {
      look(placed.record(), placed.position().epoch(), placed.position().offset(), at);
    }
  }

  private void look(Record record, long epoch, long offset, Moment at, boolean isOld) {
    String topic = record.topic();
    TopicWatch known = topics.get(topic);
    if (known != null) {
      look(known, record, epoch, offset, at, isOld);
    } else if (!topic.equals(unwatched[place(topic)]) && RuleSet.mayWatch(topic)) {
      watch(topic, at, epoch, offset).ifPresent(watch -> judge(watch, record, false, isOld, at));
    }
  }

  private void look(
      TopicWatch watch, Record record, long epoch, long offset, Moment at, boolean isOld) {
    if (watch.isBefore(epoch, offset)) {
      watch.heard(at.steadyMs(), epoch, offset);
      judge(watch, record, false, isOld, at);
    } else if (watch.isAt(epoch, offset)) {
      judge(watch, record, true, true, at);
    }
  }

  /**
   * Asks the rules of its topic about a record.
   *
   * @param isAgain only those that have looked at none yet
   */
  private void judge(TopicWatch watch, Record record, boolean isAgain, boolean isOld, Moment at) {
    @Nullable RuleWatch found = null;
    boolean isNumber = false;
    for (int i = 0; i < watch.count(); i++) {
      RuleWatch rule = watch.rule(i);
      if (rule.looks() && isAgain) {
        continue;
      }
      if (rule.isOfOtherField(found)) {
        found = rule;
        isNumber = rule.findsNumber(record);
      }
      Verdict verdict = rule.verdict(record, isNumber, isOld, room);
      if (!rule.isSettled(verdict)) {
        String value = isNumber ? rule.text() : "";
        if (verdict == Verdict.OVER && rule.state().isActive()) {
          over.addFirst(() -> apply(watch, rule, verdict, value, at));
        } else {
          apply(watch, rule, verdict, value, at);
        }
      }
    }
    over.forEach(Runnable::run); // children first: the end of a parent must not show them
    over.clear();
  }

  private void apply(TopicWatch watch, RuleWatch rule, Verdict verdict, String value, Moment at) {
    if (verdict == Verdict.HOLDS) {
      rule.hold(value, watch.heardAt(shard), at.steadyMs());
      raiseIfRipe(watch, rule, at);
    } else {
      rule.forget();
      if (verdict == Verdict.OVER) {
        step(watch, rule, new AlarmEvent.Returned(value, at.wallMs()));
      }
    }
    if (watch.hasTimers()) {
      timed.add(watch);
    }
  }

  private void raiseIfRipe(TopicWatch watch, RuleWatch rule, Moment at) {
    if (!rule.isRipe(at.steadyMs()) || !rule.state().stands() && !room.hasRoom(rule)) {
      return;
    }
    String text = rule.rule().text(watch.topic(), rule.value());
    AlarmEvent raised = new AlarmEvent.Raised(rule.cause(), text, rule.value(), at.wallMs());
    rule.forget();
    step(watch, rule, raised);
  }

  /** Has something happen to an alarm; returns why not, or nothing. */
  private String step(TopicWatch watch, RuleWatch rule, AlarmEvent event) {
    AlarmState before = rule.state();
    Transitions.Next next = Transitions.next(before, event);
    if (next.state() != before) {
      rule.become(next.state());
      room.changed(before, next.state());
      if (next.isRecorded()) {
        sink.changed(shard, rule.recorded());
      }
      if (before.isActive() != next.state().isActive()) {
        children(watch, rule, event.atMs());
      }
    }
    return next.refusal();
  }

  private void children(TopicWatch watch, RuleWatch parent, long atMs) {
    for (RuleWatch rule : watch.rules()) {
      if (rule.rule().config().parent().equals(parent.rule().name())) {
        step(watch, rule, new AlarmEvent.Parent(parent.state().isActive(), atMs));
      }
    }
  }

  /** Time has passed. */
  void tick(Moment at) {
    for (TopicWatch watch : List.copyOf(timed)) {
      for (RuleWatch rule : watch.rules()) {
        if (rule.isSilentTooLong(watch.silentFor(at.steadyMs()))) {
          rule.hold("", watch.heardAt(shard), at.steadyMs());
        }
        raiseIfRipe(watch, rule, at);
        step(watch, rule, new AlarmEvent.Looked(at.wallMs()));
      }
      if (!watch.hasTimers()) {
        timed.remove(watch);
      }
    }
  }

  /** Has what stands recorded again: what an owner has found, and all at each age of its Log. */
  void restate(long age) {
    if (age != logAge) {
      boolean isAll = logAge >= 0;
      logAge = age;
      each(rule -> rule.restate(isAll).ifPresent(state -> sink.restated(shard, state)));
    }
  }

  /** Does what somebody ordered; empty if there is no such alarm here, else why not, or nothing. */
  Optional<String> order(String rule, String topic, AlarmEvent event) {
    TopicWatch watch = topics.get(topic);
    if (watch == null) {
      return Optional.empty();
    }
    for (RuleWatch one : watch.rules()) {
      if (one.rule().name().equals(rule) && one.state().stands()) {
        String refusal = step(watch, one, event);
        if (watch.hasTimers()) {
          timed.add(watch);
        }
        return Optional.of(refusal);
      }
    }
    return Optional.empty();
  }

  /** Shows each alarm that stands. */
  void standing(Consumer<AlarmState> shown) {
    each(one -> shown.accept(one.state()));
  }

  private void each(Consumer<RuleWatch> shown) {
    for (TopicWatch watch : topics.values()) {
      for (RuleWatch rule : watch.rules()) {
        if (rule.state().stands()) {
          shown.accept(rule);
        }
      }
    }
  }

  /** The shard is another node's. */
  void close() {
    for (TopicWatch watch : topics.values()) {
      for (RuleWatch rule : watch.rules()) {
        room.here(rule.state(), -1);
        if (rule.state().stands()) {
          sink.gone(rule.state());
        }
      }
    }
    room.leaveTopics(topics.size());
  }
}
