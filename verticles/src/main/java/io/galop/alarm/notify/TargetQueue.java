package io.galop.alarm.notify;

import io.galop.alarm.notify.AlarmNotifier.Alarm;
import io.galop.config.alarm.AlarmTargetConfig;
import io.galop.jvm.Moment;
import io.galop.retry.Backoff;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one target is still to be told: at most {@code maxWaiting} alarms, of which the oldest give
 * way. One message is under way at a time; one that fails is tried again after a pause, and what is
 * told then is marked as {@code repeated}, as it may have been taken. On the loop of alarms.
 */
final class TargetQueue {
  private static final Logger LOG = LoggerFactory.getLogger(TargetQueue.class);

  /** More are counted in a message, not listed. */
  private static final int MOST_LISTED = 100;

  private static final long FIRST_PAUSE_MS = 1_000;
  private static final long NEVER = Long.MAX_VALUE;

  private final AlarmTargetConfig config;
  private final Supplier<Moment> clock;
  private final TargetWay way;
  private final String node;
  private final BiConsumer<String, String> onTold;
  private final Backoff backoff;
  private final Map<String, Entry> waiting = new LinkedHashMap<>();
  private Map<String, Entry> underWay = new LinkedHashMap<>();

  /** What those under way have become meanwhile; empty: nobody has to be told any more. */
  private final Map<String, Optional<Alarm>> meanwhile = new HashMap<>();

  private final AtomicInteger size = new AtomicInteger();
  private final Counter sent;
  private final Counter failed;
  private final Counter dropped;
  private long gatherUntilMs = NEVER;
  private long notBeforeMs = Long.MIN_VALUE;

  /**
   * An alarm to be told.
   *
   * @param isRepeated whether it may have been told before
   * @param dueMs when it is to be told, by the clock that only goes on
   */
  private record Entry(Alarm alarm, boolean isRepeated, long dueMs) {}

  TargetQueue(
      AlarmTargetConfig config,
      Supplier<Moment> clock,
      TargetWay way,
      String node,
      MeterRegistry meters,
      BiConsumer<String, String> onTold) {
    this.config = config;
    this.clock = clock;
    this.way = way;
    this.node = node;
    this.onTold = onTold;
    this.backoff = new Backoff(FIRST_PAUSE_MS, config.maxBackoffMs());
    this.sent = counter(meters, "sent");
    this.failed = counter(meters, "failed");
    this.dropped = counter(meters, "dropped");
    Gauge.builder("galop.alarms.notifications.waiting", size, AtomicInteger::get)
        .description("Alarms that a target is still to be told")
        .tag("target", config.name())
        .register(meters);
  }

  private Counter counter(MeterRegistry meters, String outcome) {
    return Counter.builder("galop.alarms.notifications")
        .description(
            "Alarms told to a target, messages that failed, alarms dropped for lack of room")
        .tag("target", config.name())
        .tag("outcome", outcome)
        .register(meters);
  }

  void onState(String id, Alarm alarm, boolean isNew) {
    boolean isWanted =
        alarm.isDue()
            && config.wants(alarm.rule(), alarm.severity())
            && !alarm.told().contains(config.name());
    if (!isWanted) {
      forget(id);
    } else if (underWay.containsKey(id)) {
      meanwhile.put(id, Optional.of(alarm));
    } else {
      Entry before = waiting.remove(id);
      boolean isRepeated = !isNew || before != null && before.isRepeated();
      waiting.put(id, entry(alarm, isRepeated, Optional.ofNullable(before)));
      bound();
    }
  }

  /** One that waits already keeps its time; one from a time that is to come has waited for none. */
  private Entry entry(Alarm alarm, boolean isRepeated, Optional<Entry> before) {
    Optional<Entry> same = before.filter(one -> isSame(one.alarm(), alarm));
    if (same.isPresent()) {
      return new Entry(alarm, isRepeated, same.get().dueMs());
    }
    Moment now = clock.get();
    long patienceMs = TimeUnit.MINUTES.toMillis(config.afterMinutes());
    long waitedMs = Math.max(0, Math.min(now.wallMs() - alarm.sinceMs(), patienceMs));
    return new Entry(alarm, isRepeated, now.steadyMs() + patienceMs - waitedMs);
  }

  /** Nobody has to be told any more. */
  void forget(String id) {
    waiting.remove(id);
    size.set(waiting.size());
    if (underWay.containsKey(id)) {
      meanwhile.put(id, Optional.empty());
    }
  }

  private void bound() {
    Iterator<String> oldest = waiting.keySet().iterator();
    while (waiting.size() > config.maxWaiting()) {
      oldest.next();
      oldest.remove();
      dropped.increment();
    }
    size.set(waiting.size());
  }

  /** Sends what is due, if it has been gathered for long enough. */
  void tick() {
    Moment now = clock.get();
    long steadyMs = now.steadyMs();
    if (!underWay.isEmpty() || waiting.isEmpty() || steadyMs < notBeforeMs) {
      return;
    }
    Map<String, Entry> due = new LinkedHashMap<>();
    waiting.forEach(
        (id, entry) -> {
          if (steadyMs >= entry.dueMs()) {
            due.put(id, entry);
          }
        });
    if (due.isEmpty()) {
      gatherUntilMs = NEVER;
    } else if (gatherUntilMs == NEVER && config.groupMs() > 0) {
      gatherUntilMs = steadyMs + config.groupMs();
    } else if (steadyMs >= gatherUntilMs || config.groupMs() == 0) {
      gatherUntilMs = NEVER;
      send(due, now.wallMs());
    }
  }

  private void send(Map<String, Entry> due, long nowMs) {
    due.keySet().forEach(waiting::remove);
    size.set(waiting.size());
    underWay = new LinkedHashMap<>(due);
    way.send(message(List.copyOf(due.values()), nowMs))
        .onSuccess(taken -> onTaken())
        .onFailure(failure -> onFailed(failure));
  }

  /** What was raised anew while the message was under way is not what was told. */
  private void onTaken() {
    Map<String, Entry> taken = underWay;
    underWay = new LinkedHashMap<>();
    backoff.reset();
    sent.increment(taken.size());
    List<String> told = new ArrayList<>();
    taken.forEach(
        (id, entry) -> {
          Optional<Alarm> now = meanwhile.getOrDefault(id, Optional.empty());
          if (now.filter(alarm -> !isSame(alarm, entry.alarm())).isPresent()) {
            waiting.put(id, entry(now.get(), false, Optional.empty()));
          } else {
            told.add(id);
          }
        });
    meanwhile.clear();
    bound();
    told.forEach(id -> onTold.accept(id, config.name()));
  }

  private static boolean isSame(Alarm one, Alarm other) {
    return one.sinceMs() == other.sinceMs();
  }

  private void onFailed(Throwable failure) {
    long pauseMs = backoff.nextMs();
    LOG.warn(
        "{} was not told of {} alarms, trying again in {} ms: {}",
        config.name(),
        underWay.size(),
        pauseMs,
        failure.getMessage());
    failed.increment();
    notBeforeMs = clock.get().steadyMs() + pauseMs;
    gatherUntilMs = notBeforeMs;
    Map<String, Entry> newer = new LinkedHashMap<>(waiting);
    waiting.clear();
    underWay.forEach(
        (id, entry) ->
            meanwhile
                .getOrDefault(id, Optional.of(entry.alarm()))
                .ifPresent(
                    now ->
                        waiting.put(
                            id, entry(now, isSame(now, entry.alarm()), Optional.of(entry)))));
    waiting.putAll(newer); // behind: the oldest give way
    underWay = new LinkedHashMap<>();
    meanwhile.clear();
    bound();
  }

  /**
   * {@code {"node","target","time","alarms":[…],"groups":[{"rule","severity","count"}],"left":n}}:
   * a line for each rule, and the first alarms of all.
   */
  private JsonObject message(List<Entry> entries, long nowMs) {
    JsonArray alarms = new JsonArray();
    Map<String, JsonObject> groups = new LinkedHashMap<>();
    for (Entry entry : entries) {
      Alarm alarm = entry.alarm();
      JsonObject group =
          groups.computeIfAbsent(
              alarm.rule(),
              rule ->
                  new JsonObject()
                      .put("rule", rule)
                      .put("severity", alarm.severity().word())
                      .put("count", 0));
      group.put("count", group.getInteger("count") + 1);
      if (alarms.size() < MOST_LISTED) {
        alarms.add(alarm.json().copy().put("repeated", entry.isRepeated()));
      }
    }
    return new JsonObject()
        .put("node", node)
        .put("target", config.name())
        .put("time", nowMs)
        .put("alarms", alarms)
        .put("groups", new JsonArray(new ArrayList<>(groups.values())))
        .put("left", entries.size() - alarms.size());
  }

  void close() {
    way.close();
  }
}
