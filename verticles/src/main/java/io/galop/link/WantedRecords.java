package io.galop.link;

import io.galop.bus.Push;
import io.galop.record.Placed;
import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which records of a Batch a relay wants, as it has said over one connection; all, before it has
 * said anything. What is left out moves its Position all the same, though not at once: a Batch of
 * which nothing is wanted goes with the next. Decides only; on one event loop.
 */
final class WantedRecords {
  /** For so long nothing is said of what nobody wants. */
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private long version;
  private int filters = -1;

  /** Null: everything is wanted. */
  private @Nullable TopicMatch match;

  /** By shard. */
  private final Map<Integer, Shard> shards = new HashMap<>();

  private List<Push> marks = List.of();

  private static final class Shard {
    /** Without its records. */
    private final Push sent;

    private final long sentNanos;

    /** When the owner spoke last. A mark is no sign of its life. */
    private long heardNanos;

    /** What goes on from it and was not sent; null: nothing. */
    private @Nullable Push held;

    Shard(Push sent, long sentNanos, long heardNanos) {
      this.sent = sent.with(new Push.Part(0, sent.upTo(), List.of()));
      this.sentNanos = sentNanos;
      this.heardNanos = heardNanos;
    }

    private Push last() {
      Push kept = held;
      return kept == null ? sent : kept;
    }

    private boolean isBefore(Push push) {
      return sent.session() == push.session() && last().upTo().equals(push.after());
    }
  }

  /**
   * Takes what is wanted from now on. Shards whose owners have been silent get no mark: the relay
   * takes it for a sign of the owner's life.
   *
   * @param wanted null: everything
   */
  void set(long newVersion, @Nullable List<TopicFilter> wanted, long nowNanos) {
    List<Push> due = new ArrayList<>();
    Map<Integer, Shard> goOn = new HashMap<>();
    for (Shard shard : shards.values()) {
      Push last = shard.held;
      if (last != null) {
        due.add(last);
      }
      if (wanted != null && nowNanos - shard.heardNanos < HOLD_NANOS) {
        last = mark(shard.last(), newVersion);
        due.add(last);
      }
      if (last != null) {
        goOn.put(last.batch().shard(), new Shard(last, nowNanos, shard.heardNanos));
      }
    }
    shards.clear();
    shards.putAll(goOn);
    marks = due;
    version = newVersion;
    match = wanted == null ? null : new TopicMatch(wanted);
    filters = wanted == null ? -1 : wanted.size();
  }

  private static Push mark(Push last, long version) {
    Push none = new Push(last.session(), last.upTo(), last.head(), last.batch());
    return none.with(new Push.Part(version, last.upTo(), List.of()));
  }

  /** Pushes without records that say from where on the last word holds; to be sent once. */
  List<Push> marks() {
    List<Push> due = marks;
    marks = List.of();
    return due;
  }

  /** How many filters are wanted; -1: everything. */
  int filters() {
    return filters;
  }

  /** What is to be sent of a push; null: nothing yet. */
  @Nullable Push of(Push push, long nowNanos) {
    int number = push.batch().shard();
    TopicMatch wanted = match;
    if (wanted == null) {
      shards.put(number, new Shard(push, nowNanos, nowNanos));
      return push;
    }
    Shard shard = shards.get(number);
    Shard before = shard != null && shard.isBefore(push) ? shard : null;
    Push held = before == null ? null : before.held;
    Push whole =
        held == null ? push : new Push(push.session(), held.after(), push.head(), push.batch());
    List<Placed> kept = kept(push, wanted);
    Push own = whole.with(new Push.Part(version, push.upTo(), kept));
    boolean isSign = push.batch().records().isEmpty();
    boolean mayWait = kept.isEmpty() && !isSign;
    if (mayWait && before != null && nowNanos - before.sentNanos < HOLD_NANOS) {
      before.held = own;
      before.heardNanos = nowNanos;
      return null;
    }
    shards.put(number, new Shard(own, nowNanos, nowNanos));
    return own;
  }

  private static List<Placed> kept(Push push, TopicMatch wanted) {
    List<Placed> kept = new ArrayList<>();
    for (int i = 0; i < push.batch().records().size(); i++) {
      if (wanted.matches(push.batch().records().get(i).topic())) {
        kept.add(new Placed(push.batch().position(i), push.batch().records().get(i)));
      }
    }
    return kept;
  }

  /** A push was not taken: where the relay is is not known until the next one is sent. */
  void notSent(Push push) {
    shards.remove(push.batch().shard());
  }
}
