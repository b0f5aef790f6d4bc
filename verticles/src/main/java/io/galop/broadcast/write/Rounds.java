package io.galop.broadcast.write;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the rounds of a {@link Pulse} were, and how far in the ring each went: so that of a record
 * can be told when connections that keep up were written it, with nothing noted for a record or for
 * a connection. Of each round that brings something new four numbers are kept, of so many rounds
 * only. On the event loop of the Pulse.
 */
public final class Rounds {
  /** So many are remembered. */
  public static final int MOST = 16_384;

  /** How many have room at first: who shows little keeps little. */
  private static final int FIRST = 64;

  /** The numbers of a round. */
  private static final int NUMBERS = 4;

  /** All before this number in the ring was handed to the outboxes before it began. */
  private static final int UP_TO = 0;

  /** Of what is before this number some may have been written before it began. */
  private static final int AHEAD = 1;

  private static final int BEGIN = 2;
  private static final int END = 3;

  private final LongSupplier tail;

  /** Rounds by their number, as far as they are remembered; a power of two of them. */
  private long[] numbers = new long[FIRST * NUMBERS];

  private long oldest;
  private long next;
  private boolean isUnderWay;
  private long ahead;

  /**
   * Between two moments, see {@link System#nanoTime}.
   *
   * @param firstNanos nothing was written before
   * @param lastNanos nothing was written after
   */
  public record Span(long firstNanos, long lastNanos) {
    /** Both, and what is between. */
    public Span with(Span other) {
      return new Span(
          firstNanos - other.firstNanos < 0 ? firstNanos : other.firstNanos,
          lastNanos - other.lastNanos > 0 ? lastNanos : other.lastNanos);
    }

    /** Without what is before a moment at which nothing can have been written. */
    public Span notBefore(long nanos) {
      return firstNanos - nanos < 0 ? new Span(nanos, lastNanos) : this;
    }
  }

  /**
   * @param tail the number in the ring of the next record that the outboxes will be handed
   */
  Rounds(LongSupplier tail, long nowNanos) {
    this.tail = tail;
    note(0, nowNanos);
    set(0, END, nowNanos);
  }

  /** The number in the ring of the next record that the outboxes will be handed. */
  long tail() {
    return tail.getAsLong();
  }

  /** All outboxes to which something was handed before now are emptied until {@link #end}. */
  void begin(long nowNanos) {
    long upTo = tail();
    isUnderWay = upTo > get(next - 1, UP_TO);
    if (isUnderWay) {
      note(upTo, nowNanos);
    }
  }

  /** Who was handed something since the begin may have been emptied with it. */
  void end(long nowNanos) {
    if (isUnderWay) {
      isUnderWay = false;
      set(next - 1, END, nowNanos);
    }
    ahead = Math.max(ahead, tail());
  }

  /** An outbox is emptied out of its turn, perhaps of a record that is being handed out. */
  void emptiedAhead() {
    ahead = Math.max(ahead, tail() + 1);
  }

  private void note(long upTo, long nowNanos) {
    makeRoom();
    next++;
    set(next - 1, UP_TO, upTo);
    set(next - 1, AHEAD, ahead);
    set(next - 1, BEGIN, nowNanos);
  }

  private void makeRoom() {
    int rounds = numbers.length / NUMBERS;
    if (next - oldest < rounds) {
      return;
    }
    if (rounds == MOST) {
      oldest++;
      return;
    }
    // Twice the room, where all begin anew: the oldest has number 0 as long as none is forgotten.
    numbers = Arrays.copyOf(numbers, 2 * numbers.length);
  }

  private int at(long round, int number) {
    return (int) (round % (numbers.length / NUMBERS)) * NUMBERS + number;
  }

  private long get(long round, int number) {
    return numbers[at(round, number)];
  }

  private void set(long round, int number, long value) {
    numbers[at(round, number)] = value;
  }

  /**
   * Between which moments a record was written to the connections that were handed it as it came,
   * whose sockets have taken it at once; null if that is forgotten.
   *
   * @param sequence of the record
   * @param nowNanos such a connection has it by now
   */
  public @Nullable Span of(long sequence, long nowNanos) {
    long round = roundOf(sequence);
    if (round == oldest) {
      return null;
    }
    boolean isBegun = round < next;
    boolean isOver = isBegun && !(isUnderWay && round == next - 1);
    // What came after the begin of the round before was not written before that.
    boolean isInIt = isBegun && sequence >= get(round, AHEAD);
    long first = get(isInIt ? round : round - 1, BEGIN);
    return new Span(first, isOver ? get(round, END) : nowNanos);
  }

  /** The first round that began when the record had been handed out; the next if none did. */
  private long roundOf(long sequence) {
    long low = oldest;
    long high = next;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (get(middle, UP_TO) > sequence) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
