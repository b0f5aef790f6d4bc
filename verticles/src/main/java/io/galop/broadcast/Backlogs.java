package io.galop.broadcast;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What one Subscriber has to be sent from the past, in the order in which it was answered. */
final class Backlogs {
  private final Deque<Backlog> unsent = new ArrayDeque<>();
  private final Deque<Backlog> unclosed = new ArrayDeque<>();

  void add(Backlog backlog) {
    backlog.registration().joining(true);
    unsent.add(backlog);
  }

  /** Whether all records were written. */
  boolean isEmpty() {
    return unsent.isEmpty();
  }

  /** Writes records while there is room. */
  void write(BooleanSupplier hasRoom, Consumer<Frame> writer) {
    while (hasRoom.getAsBoolean() && !unsent.isEmpty()) {
      Backlog first = unsent.peek();
      Registration registration = first.registration();
      while (hasRoom.getAsBoolean() && first.hasNext() && !registration.isEnded()) {
        writer.accept(registration.group().frame(first.next()));
      }
      if (!first.hasNext() || registration.isEnded()) {
        end(unsent.poll(), writer);
      }
    }
  }

  private void end(Backlog first, Consumer<Frame> writer) {
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
    if (!past.registration().isEnded()) {
      writer.accept(past.closing());
    }
  }

  /** Closes those whose past ends at a place in the ring: a part of it may still be read there. */
  void closeUpTo(long place, Consumer<Frame> writer) {
    while (!unclosed.isEmpty() && unclosed.peek().cut() <= place) {
      close(unclosed.poll(), writer);
    }
  }

  void release() {
    unsent.forEach(Backlog::release);
    unsent.clear();
    unclosed.clear();
  }
}
