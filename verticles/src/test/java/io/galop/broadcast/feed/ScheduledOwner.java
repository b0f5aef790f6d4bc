package io.galop.broadcast.feed;

import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.record.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** An owner of a {@link FetchSchedule}, and those that take its place. */
final class ScheduledOwner {
  /** No two have the same number but for this part. */
  private static final long LEVEL = 1_000_000;

  enum Mood {
    ANSWERS,
    REFUSES,
    REFUSES_SOME,
    STANDS_STILL,
    IS_SLOW,
    IS_BEHIND,
    BREAKS
  }

  final int shard;
  private final Random random;

  /** All records of the shard, whether an owner still has them or not; another list: all lost. */
  List<Position> records = new ArrayList<>();

  /** So many of the oldest no owner has any more. */
  private int forgotten;

  /** So many the node has been pushed, or told at a load. */
  int pushed;

  Mood mood = Mood.ANSWERS;
  private long epoch = 100 * LEVEL;

  ScheduledOwner(int shard, Random random) {
    this.shard = shard;
    this.random = random;
  }

  void append(int count) {
    for (int n = 0; n < count; n++) {
      Position last = records.isEmpty() ? Position.none(shard) : records.get(records.size() - 1);
      long offset = last.epoch() == epoch ? last.offset() + 1 : 1;
      records.add(new Position(shard, epoch, offset));
    }
  }

  /** The next owner has all of it. */
  void beginEpoch() {
    epoch = (epoch / LEVEL + 1) * LEVEL + epoch % LEVEL + 1;
  }

  /** The next owner has none of it, and perhaps a smaller epoch. */
  void loseAll() {
    long level = epoch / LEVEL + (random.nextBoolean() ? 1 : -1);
    epoch = level * LEVEL + epoch % LEVEL + 1;
    records = new ArrayList<>();
    forgotten = 0;
    append(1);
  }

  void forget() {
    forgotten = Math.max(forgotten, random.nextInt(records.size()));
  }

  boolean refuses() {
    return mood == Mood.REFUSES || mood == Mood.REFUSES_SOME && random.nextInt(10) < 3;
  }

  /** A fault of the program, which whoever asks has to live with. */
  void breakNowAndThen() {
    if (mood == Mood.BREAKS && random.nextInt(4) == 0) {
      throw new IllegalStateException("as a fault of the program would");
    }
  }

  /** How long it takes to answer. */
  long ms() {
    return switch (mood) {
      case STANDS_STILL -> FetchSchedule.ATTEMPT_MS;
      case IS_SLOW -> random.nextInt(4_000);
      default -> random.nextInt(30);
    };
  }

  /** What came after a Position; not all of it if it is behind what it has pushed. */
  Page page(Ask ask) {
    int has = records.indexOf(ask.since()) + 1;
    int from = Math.max(has, forgotten);
    int less = mood == Mood.IS_BEHIND ? random.nextInt(30) : 0;
    int to = Math.max(from, Math.min(records.size() - less, from + 1 + random.nextInt(15)));
    Position upTo = to == 0 ? Position.none(shard) : records.get(to - 1);
    List<Position> some = records.subList(from, to);
    return new Page(
        has > 0 && has >= forgotten,
        upTo,
        "",
        some.stream().map(at -> ReturningWorld.placed(at, "a")).toList());
  }
}
