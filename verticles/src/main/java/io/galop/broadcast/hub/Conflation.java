package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.write.Outbox;
import java.util.Collection;
import java.util.function.BooleanSupplier;

/**
 * The registrations of one Subscriber of which only the newest value of each topic waits. When more
 * topics wait than may, all that waits is given up for a new snapshot, which is asked for when the
 * connection takes something again: so the memory of one that does not is bounded, whatever the
 * number of topics.
 */
final class Conflation {
  private final Hub hub;
  private final Subscriber subscriber;
  private final Outbox outbox;
  private final BooleanSupplier hasRoom;
  private boolean isWaiting;

  Conflation(Hub hub, Subscriber subscriber, Outbox outbox, BooleanSupplier hasRoom) {
    this.hub = hub;
    this.subscriber = subscriber;
    this.outbox = outbox;
    this.hasRoom = hasRoom;
  }

  /** Whether something waits for room, or for its rate. */
  boolean isWaiting() {
    return isWaiting;
  }

  void offer(Registration registration, Entry entry) {
    Newest newest = registration.newest();
    if (newest.isOverflown()) {
      outbox.conflate(entry.records());
      return;
    }
    long now = System.nanoTime();
    boolean isOpen = hasRoom.getAsBoolean() && !registration.isJoining();
    if (isOpen && !entry.isRecord()) {
      newest.said(entry.topic());
      outbox.write(registration.group().frame(entry));
    } else if (isOpen && newest.mayPass(entry, now)) {
      newest.sent(entry.topic(), now);
      outbox.write(registration.group().frame(entry));
    } else {
      putAside(registration, entry, isOpen);
    }
  }

  /**
   * Without a place to wait a record is rather sent too early than lost; where a token forbids that
   * a snapshot makes up for it.
   */
  private void putAside(Registration registration, Entry entry, boolean isOpen) {
    switch (registration.newest().put(entry)) {
      case REPLACES -> outbox.conflate(entry.records());
      case HAS_NO_PLACE -> {
        if (isOpen && !registration.newest().isPaced()) {
          outbox.write(registration.group().frame(entry));
        } else {
          outbox.conflate(entry.records());
          overflow(registration);
        }
      }
      default -> {}
    }
    waits();
  }

  /**
   * Whether a record from before the present may be sent now; else it waits.
   *
   * @param begunNanos when the first of them was
   */
  boolean takesPast(Registration registration, Entry entry, long begunNanos) {
    if (!registration.isConflating() || !registration.newest().isPaced() || !entry.isRecord()) {
      return true;
    }
    Newest newest = registration.newest();
    long now = System.nanoTime();
    if (newest.mayPassPast(entry, begunNanos, now)) {
      newest.sent(entry.topic(), now);
      return true;
    }
    if (newest.isOverflown()) {
      outbox.conflate(entry.records());
      return false;
    }
    switch (newest.putPast(entry)) {
      case REPLACES -> outbox.conflate(entry.records());
      case HAS_NO_PLACE -> {
        outbox.conflate(entry.records());
        overflow(registration);
      }
      default -> {}
    }
    waits();
    return false;
  }

  /** Gives up what waits; a snapshot will make up for it. */
  void overflow(Registration registration) {
    outbox.conflate(registration.newest().clear());
    registration.newest().overflown(true);
    waits();
  }

  private void waits() {
    isWaiting = true;
    if (hasRoom.getAsBoolean()) {
      hub.conflating(subscriber);
    }
  }

  /** Writes what waits for as long as there is room. */
  void write(Collection<Registration> registrations) {
    if (!isWaiting) {
      return;
    }
    isWaiting = false;
    boolean isAnyWaiting = false;
    for (Registration registration : registrations) {
      // One that still waits for its first answer has nothing that could wait.
      if (registration.isConflating() && registration.isInGroup()) {
        isAnyWaiting |= write(registration);
      }
    }
    if (isAnyWaiting) {
      waits();
    }
  }

  private boolean write(Registration registration) {
    Newest newest = registration.newest();
    if (registration.isJoining()) {
      return newest.isOverflown() || !newest.isEmpty();
    }
    if (newest.isOverflown()) {
      boolean mayAsk = hasRoom.getAsBoolean() && newest.mayAskAgain(System.nanoTime());
      if (mayAsk) {
        registration.askAgain();
      }
      return !mayAsk;
    }
    FilterGroup group = registration.group();
    newest.drain(hasRoom, entry -> outbox.write(group.frame(entry)), System.nanoTime());
    return !newest.isEmpty();
  }
}
