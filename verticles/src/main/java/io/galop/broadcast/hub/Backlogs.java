package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.write.Deliveries;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** What one Subscriber has to be sent from the past, in the order in which it was answered. */
final class Backlogs {
  /** So often in a row a snapshot is given up for a connection that takes a part of each. */
  private static final int MOST_GIVEN_UP = 3;

  private final Deliveries deliveries;
  private final BiFunction<FilterGroup, Entry, Frame> encoder;
  private final Function<Registration, Optional<Frame>> behind;
  private final Gate gate;
  private final Deque<Backlog> unsent = new ArrayDeque<>(2);
  private final Deque<Backlog> unclosed = new ArrayDeque<>(2);
  private long movedNanos;
  private int givenUp;

  /** What may be sent now. */
  interface Gate {
    /** Whether anything of the past may; if not, all of it waits, and is tried again soon. */
    boolean isOpen();

    /** Whether a record may; else it is seen to. */
    boolean takes(Registration registration, Entry entry, long begunNanos);

    /** One is sent, which counts for so many bytes. */
    void sent(Backlog from, Entry entry, int bytes);
  }

  /**
   * @param encoder makes frames of what is past
   * @param behind what a registration is told when that is over
   * @param gate which records are sent
   */
  Backlogs(
      Deliveries deliveries,
      BiFunction<FilterGroup, Entry, Frame> encoder,
      Function<Registration, Optional<Frame>> behind,
      Gate gate) {
    this.gate = gate;
    this.deliveries = deliveries;
    this.behind = behind;
    this.encoder = encoder;
  }

  void add(Backlog backlog) {
    deliveries.publish(backlog.waiting());
    addPublished(backlog);
  }

  /** The same for records that wait already, and only do so elsewhere from now on. */
  void addPublished(Backlog backlog) {
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
      if (!gate.isOpen()) {
        return;
      }
      write(unsent.peek(), hasRoom, writer);
    }
  }

  private void write(Backlog first, BooleanSupplier hasRoom, Consumer<Frame> writer) {
    Registration registration = first.registration();
    while (hasRoom.getAsBoolean() && first.hasNext() && !registration.isEnded() && gate.isOpen()) {
      long begunNanos = first.begunNanos();
      Entry entry = first.next();
      if (!registration.group().passes(entry)) {
        deliveries.conflate(entry.records());
      } else if (gate.takes(registration, entry, begunNanos)) {
        Frame frame = encoder.apply(registration.group(), entry);
        gate.sent(first, entry, entry.isRecord() ? frame.size() : 0);
        writer.accept(frame);
      }
    }
    // A write that failed has ended the connection and released all of them.
    if (unsent.peek() == first && (!first.hasNext() || registration.isEnded())) {
      end(unsent.poll(), writer);
    }
  }

  private void end(Backlog first, Consumer<Frame> writer) {
    deliveries.drop(first.waiting());
    givenUp = 0;
    first.release();
    Registration registration = first.registration();
    registration.joining(unsent.stream().anyMatch(other -> other.registration() == registration));
    if (registration.isConflating()) {
      registration.newest().pastOver(System.nanoTime());
      close(first, writer);
    } else {
      unclosed.add(first);
    }
  }

  private void close(Backlog past, Consumer<Frame> writer) {
    Frame closing = past.closing();
    if (!past.registration().isEnded() && closing != null) {
      writer.accept(closing);
      behind.apply(past.registration()).ifPresent(writer);
    }
  }

  /**
   * Closes one whose past ends at a place in the ring: a part of it may still be read there. One at
   * a time, as each takes room.
   *
   * @return whether there was one
   */
  boolean closeOne(long place, Consumer<Frame> writer) {
    if (unclosed.isEmpty() || unclosed.peek().cut() > place) {
      return false;
    }
    close(unclosed.poll(), writer);
    return true;
  }

  private boolean isConflating() {
    return unsent.stream().allMatch(backlog -> backlog.registration().isConflating());
  }

  /**
   * Goes on with the latest of each topic instead of what was the latest, if conflating
   * registrations are all it is for; returns whether it does. So a snapshot ends, however slowly it
   * is taken: what changed meanwhile comes in another one, since nobody has it waiting.
   */
  boolean renew(Consumer<Registration> overflow) {
    if (!isConflating()) {
      return false;
    }
    unsent.forEach(Backlog::renew);
    unsent.forEach(backlog -> overflow(backlog, overflow));
    return true;
  }

  private static void overflow(Backlog backlog, Consumer<Registration> overflow) {
    if (!backlog.registration().isEnded()) {
      overflow.accept(backlog.registration());
    }
  }

  /**
   * Gives up what waits if conflating registrations are all it is for and this is not the rule;
   * returns whether it did. The answer to an update that was to follow on it comes with the
   * snapshot that makes up for it.
   */
  boolean giveUp(Consumer<Registration> overflow) {
    if (!isConflating() || ++givenUp > MOST_GIVEN_UP) {
      return false;
    }
    unsent.forEach(
        backlog -> {
          deliveries.conflate(backlog.waiting());
          backlog.release();
          backlog.registration().joining(false);
          if (backlog.isAnswer()) {
            backlog.registration().owesAnswer();
          }
          overflow(backlog, overflow);
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
