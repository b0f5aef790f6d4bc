package io.galop.ledger;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one thread counts at a border, by minute and shard: an addition to an array. Its thread
 * alone counts; others read what is a few seconds old.
 */
public final class Book {
  /** How many minutes are kept, the present one included; what is older is in the Ledger. */
  static final int MINUTES = 16;

  /** The column of what came. */
  public static final int IN = Border.IN;

  private final Border border;
  private final String stage;
  private final int shards;
  private final LongSupplier minuteNow;

  /** Runs a task on the thread that counts; null if the minutes come from another book. */
  private final @Nullable Executor thread;

  private final AtomicLongArray counts;
  private volatile long minute;

  /**
   * A book without counts.
   *
   * @param stage the border's word, and of what
   * @param minuteNow the number of the present minute
   * @param thread runs what is to run on the book's thread; null if all is counted in minutes that
   *     another book has returned
   */
  Book(Border border, String stage, int shards, LongSupplier minuteNow, @Nullable Executor thread) {
    this.border = border;
    this.stage = stage;
    this.shards = shards;
    this.minuteNow = minuteNow;
    this.thread = thread;
    this.counts = new AtomicLongArray(MINUTES * shards * border.width());
    this.minute = minuteNow.getAsLong();
  }

  Border border() {
    return border;
  }

  String stage() {
    return stage;
  }

  /** The number of a column of its border. */
  public int column(String name) {
    return border.column(name);
  }

  /** How many shards there are. */
  public int shards() {
    return shards;
  }

  /**
   * Goes on to the present minute, if it is another; call it when what was counted balances.
   *
   * @return the minute in which is counted from now on
   */
  public long turn() {
    long now = minuteNow.getAsLong();
    goTo(now);
    return minute;
  }

  private void goTo(long then) {
    if (then > minute) {
      clear(then);
      minute = then;
    }
  }

  private void clear(long upTo) {
    for (long next = Math.max(minute + 1, upTo - MINUTES + 1); next <= upTo; next++) {
      int first = at(next, 0, 0);
      for (int i = 0; i < shards * border.width(); i++) {
        counts.setPlain(first + i, 0);
      }
    }
  }

  /** So many more, in the minute of the last {@link #turn}. */
  public void add(int shard, int column, long more) {
    addAt(minute, shard, column, more);
  }

  /**
   * So many more in a minute that {@link #turn} has returned; one that is too old has been told.
   */
  public void addAt(long then, int shard, int column, long more) {
    goTo(then);
    if (then > minute - MINUTES) {
      int at = at(then, shard, column);
      counts.setRelease(at, counts.getPlain(at) + more);
    }
  }

  /** So many more, or fewer, of the minute of the last {@link #turn} that are open. */
  public void open(int shard, long more) {
    open(minute, shard, more);
  }

  /** So many more, or fewer, without which the minute cannot be told. */
  public void open(long then, int shard, long more) {
    addAt(then, shard, border.width() - 1, more);
  }

  /** Has its thread go on to the present minute, soon. */
  void askToTurn() {
    if (thread != null) {
      thread.execute(this::turn);
    }
  }

  /** Whether nothing more is counted in a minute, but of what is open. */
  boolean isBeyond(long then) {
    return thread == null || minute > then;
  }

  /** What was counted; {@code column} may be one more than there are: what is open. */
  long count(long then, int shard, int column) {
    return then > minute - MINUTES && then <= minute
        ? counts.getAcquire(at(then, shard, column))
        : 0;
  }

  private int at(long then, int shard, int column) {
    return ((int) (then % MINUTES) * shards + shard) * border.width() + column;
  }
}
