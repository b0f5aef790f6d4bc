package io.galop.broadcast.hub;

import io.galop.config.broadcast.WhereConfig;
import io.galop.expression.RecordFilter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The conditions of the registrations of one event loop. Bounded in their number, and in the time
 * that all of them together take of the loop: beyond, the costliest ends, and is refused for a
 * while. On that event loop.
 */
final class Conditions implements RecordCondition.Cost {
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long REFUSED_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Beyond it the one refused longest ago may come again. */
  private static final int MOST_REFUSED = 1000;

  private final WhereConfig limits;
  private final BroadcastMeters meters;
  private final LongSupplier clock;
  private final long mostNanos;
  private final Map<Key, Used> used = new HashMap<>();
  private final Map<Set<String>, ConditionInput> inputs = new HashMap<>();

  /** Until when each is refused. */
  private final Map<RecordFilter, Long> refused = new LinkedHashMap<>();

  private long windowNanos;
  private long spentNanos;
  private boolean isAnyCostly;

  private record Key(RecordFilter where, Set<String> omit) {}

  private static final class Used {
    private final RecordCondition condition;
    private int groups;

    Used(RecordCondition condition) {
      this.condition = condition;
    }
  }

  /**
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  Conditions(WhereConfig limits, BroadcastMeters meters, LongSupplier clock) {
    this.limits = limits;
    this.meters = meters;
    this.clock = clock;
    this.mostNanos = WINDOW_NANOS / 100 * limits.maxLoadPercent();
    this.windowNanos = clock.getAsLong();
  }

  /** How many there may be. */
  int most() {
    return limits.maxConditions();
  }

  /** Why a selection may not be had now, in a sentence; empty: it may. */
  String refusal(Selection selection) {
    RecordFilter where = selection.where().orElse(null);
    if (where == null) {
      return "";
    }
    Long until = refused.get(where);
    if (until != null && until - clock.getAsLong() > 0) {
      return "the condition has cost too much a short while ago";
    }
    boolean isNew = !used.containsKey(new Key(where, selection.omit()));
    return isNew && used.size() >= limits.maxConditions()
        ? "there are as many conditions as broadcast.where.maxConditions allows"
        : "";
  }

  /** One more group has a condition. */
  RecordCondition use(RecordFilter where, Set<String> omit) {
    Used one =
        used.computeIfAbsent(
            new Key(where, omit),
            key ->
                new Used(
                    new RecordCondition(
                        where, inputs.computeIfAbsent(omit, ConditionInput::new), this)));
    one.groups++;
    return one.condition;
  }

  /** A group that had a condition is no more. */
  void letGo(RecordFilter where, Set<String> omit) {
    Key key = new Key(where, omit);
    Used one = used.get(key);
    if (one != null && --one.groups == 0) {
      used.remove(key);
      if (used.keySet().stream().noneMatch(other -> other.omit.equals(omit))) {
        inputs.remove(omit);
      }
    }
  }

  @Override
  public void failed() {
    meters.conditionFailed();
  }

  @Override
  public void spent(RecordCondition condition, long nanos) {
    long now = clock.getAsLong();
    if (now - windowNanos > WINDOW_NANOS) {
      windowNanos = now;
      spentNanos = 0;
      used.values().forEach(one -> one.condition.forgetSpent());
    }
    spentNanos += nanos;
    condition.spend(nanos);
    if (spentNanos > mostNanos) {
      endCostliest(now);
    }
  }

  private void endCostliest(long now) {
    used.values().stream()
        .map(one -> one.condition)
        .filter(condition -> !condition.isCostly())
        .max(Comparator.comparingLong(RecordCondition::spentNanos))
        .ifPresent(
            costliest -> {
              costliest.becomesCostly();
              isAnyCostly = true;
              spentNanos -= costliest.spentNanos();
              refuse(costliest.where(), now + REFUSED_NANOS);
              meters.conditionEnded();
            });
  }

  private void refuse(RecordFilter where, long untilNanos) {
    if (refused.size() >= MOST_REFUSED) {
      refused.remove(refused.keySet().iterator().next());
    }
    refused.put(where, untilNanos);
  }

  /** Whether a condition has become too costly since it was asked last. */
  boolean takeCostly() {
    boolean is = isAnyCostly;
    isAnyCostly = false;
    return is;
  }
}
