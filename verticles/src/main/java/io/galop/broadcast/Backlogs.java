package io.galop.broadcast;

import io.galop.broadcast.sockjs.Frame;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What one Subscriber has to be sent from the past, in the order in which it was answered. */
final class Backlogs {
  private final Deliveries deliveries;
  private final BiFunction<FilterGroup, Entry, Frame> encoder;
  private final Deque<Backlog> unsent = new ArrayDeque<>(2);
  private final Deque<Backlog> unclosed = new ArrayDeque<>(2);
  private long movedNanos;

  /**
   * @param encoder makes frames of what is past
   */
  Backlogs(Deliveries deliveries, BiFunction<FilterGroup, Entry, Frame> encoder) {
    this.deliveries = deliveries;
    this.encoder = encoder;
  }

  void add(Backlog backlog) {
    deliveries.publish(backlog.waiting());
    backlog.registration().joining(true);
    if (unsent.isEmpty()) {
      movedNanos = System.nanoTime();
    }
    unsent.add(backlog);
  }

  /** Whether all records were written. */
  boolean isEmpty() {
    return unsent.isEmpty();
  }

  /** How many records wait. */
  int waiting() {
    return unsent.stream().mapToInt(Backlog::waiting).sum();
  }

  /** Whether records wait of which the connection has taken none for so long. */
  boolean isStalled(long nanos) {
    return !unsent.isEmpty() && System.nanoTime() - movedNanos > nanos;
  }

  /** What of the past is kept for this connection alone, in bytes; see {@link Backlog}. */
  long heldBytes(long first, long tail) {
    long held = 0;
    for (Backlog backlog : unsent) {
      held += backlog.heldBytes(first, tail);
    }
    return held;
  }

  /** Writes records while there is room. */
  void write(BooleanSupplier hasRoom, Consumer<Frame> writer) {
    if (unsent.isEmpty()) {
      return;
    }
    while (hasRoom.getAsBoolean() && !unsent.isEmpty()) {
      movedNanos = System.nanoTime();
      write(unsent.peek(), hasRoom, writer);
    }
  }

  private void write(Backlog first, BooleanSupplier hasRoom, Consumer<Frame> writer) {
    Registration registration = first.registration();
    while (hasRoom.getAsBoolean() && first.hasNext() && !registration.isEnded()) {
      writer.accept(encoder.apply(registration.group(), first.next()));
    }
    if (!first.hasNext() || registration.isEnded()) {
      end(unsent.poll(), writer);
    }
  }

  private void end(Backlog first, Consumer<Frame> writer) {
    deliveries.drop(first.waiting());
    first.release();
    Registration registration = first.registration();
    registration.joining(unsent.stream().anyMatch(other -> other.registration() == registration));
    if (registration.isConflating()) {
      close(first, writer);
    } else {
      unclosed.add(first);
    }
  }

  private static void close(Backlog past, Consumer<Frame> writer) {
    if (!past.registration().isEnded() && past.closing() != null) {
      writer.accept(past.closing());
    }
  }

  /** Closes those whose past ends at a place in the ring: a part of it may still be read there. */
  void closeUpTo(long place, Consumer<Frame> writer) {
    while (!unclosed.isEmpty() && unclosed.peek().cut() <= place) {
      close(unclosed.poll(), writer);
    }
  }

  /** Gives up what waits if conflating registrations are all it is for; returns whether it did. */
  boolean giveUp(Consumer<Registration> overflow) {
    if (!unsent.stream().allMatch(backlog -> backlog.registration().isConflating())) {
      return false;
    }
    unsent.forEach(
        backlog -> {
          deliveries.conflate(backlog.waiting());
          backlog.release();
          backlog.registration().joining(false);
          if (!backlog.registration().isEnded()) {
            overflow.accept(backlog.registration());
          }
        });
    unsent.clear();
    return true;
  }

  void release() {
    deliveries.drop(waiting());
    unsent.forEach(Backlog::release);
    unsent.clear();
    unclosed.clear();
  }
}
