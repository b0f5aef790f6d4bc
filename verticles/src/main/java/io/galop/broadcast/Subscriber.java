package io.galop.broadcast;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * One browser connection with its place in the node's ring and a bounded outbox. While there is
 * room in the outbox it is written to as records come. When there is none its place in the ring is
 * kept and it reads on from there at the pace of its socket; conflating registrations let only the
 * newest value of each topic wait. All on its Hub's event loop.
 */
final class Subscriber {
  private static final long AT_THE_HEAD = -1;

  /** How many records are looked at in one go before others get their turn. */
  private static final int READ_AT_ONCE = 2048;

  private final Hub hub;
  private final Transport transport;
  private final Outbox outbox;
  private final Map<String, Registration> registrations = new HashMap<>();
  private final Backlogs backlogs = new Backlogs();
  private long place = AT_THE_HEAD;
  private long begunSequence = AT_THE_HEAD;
  private boolean isEnded;
  private boolean isPumping;
  private boolean isPumpDue;
  private boolean isNewestWaiting;
  private int mayRead;

  Subscriber(Hub hub, Transport transport, int outboxBytes) {
    this.hub = hub;
    this.transport = transport;
    this.outbox = new Outbox(hub, transport, outboxBytes, this::onRoom);
  }

  Collection<Registration> registrations() {
    return registrations.values();
  }

  Registration registration(String filter) {
    return registrations.get(filter);
  }

  void add(Registration registration) {
    registrations.put(registration.filter().toString(), registration);
  }

  void remove(Registration registration) {
    registrations.remove(registration.filter().toString());
  }

  private boolean hasRoom() {
    return outbox.hasRoom() && !isEnded;
  }

  /** A record for one of the registrations, which wants it. */
  void offer(Registration registration, Entry entry) {
    if (isEnded) {
      return;
    }
    if (registration.isConflating()) {
      offerNewest(registration, entry);
    } else if (place != AT_THE_HEAD) {
      return;
    } else if (hasRoom() || entry.sequence() == begunSequence) {
      begunSequence = entry.sequence();
      outbox.write(registration.group().frame(entry));
    } else {
      readFrom(entry.sequence());
    }
  }

  private void offerNewest(Registration registration, Entry entry) {
    Newest newest = registration.newest();
    long now = System.nanoTime();
    if (hasRoom() && !registration.isJoining() && newest.mayPass(entry, now)) {
      newest.sent(entry.topic(), now);
      outbox.write(registration.group().frame(entry));
      return;
    }
    if (newest.put(entry)) {
      hub.meters().conflated();
    }
    newestWaits();
  }

  private void newestWaits() {
    isNewestWaiting = true;
    if (hasRoom()) {
      hub.conflating(this);
    }
  }

  private void readFrom(long sequence) {
    place = sequence;
    hub.behind(this);
  }

  /**
   * A registration that begins with records from before the present. The others must not be sent
   * again what they had already.
   */
  void join(Registration registration, Backlog backlog, long fromSequence) {
    registration.notBefore(fromSequence);
    if (!registration.isConflating()) {
      goBack(registration, fromSequence);
    }
    precede(registration, backlog);
  }

  /** Records that a registration has to be sent before what comes next. */
  void precede(Registration registration, Backlog backlog) {
    backlogs.add(backlog);
    if (!registration.isConflating() && place == AT_THE_HEAD) {
      readFrom(hub.tail());
    }
    pump();
  }

  private void goBack(Registration registration, long fromSequence) {
    long present = place == AT_THE_HEAD ? hub.tail() : place;
    if (fromSequence < present) {
      registrations.values().stream()
          .filter(other -> other != registration)
          .forEach(other -> other.notBefore(present));
    }
    readFrom(Math.min(fromSequence, present));
  }

  /** Sends a word about the feed, before any record that waits. */
  void tell(Frame word) {
    if (outbox.isFlooded()) {
      hub.disconnect(this, Disconnect.SLOW);
    } else if (!isEnded) {
      outbox.write(word);
    }
  }

  private void onRoom() {
    if (place != AT_THE_HEAD || isNewestWaiting || !backlogs.isEmpty()) {
      pump();
    }
  }

  /** Writes what waits, in order, for as long as there is room. */
  void pump() {
    if (isPumping || isEnded) {
      return;
    }
    isPumping = true;
    try {
      mayRead = READ_AT_ONCE;
      backlogs.write(this::mayRead, outbox::write);
      writeNewest();
      if (backlogs.isEmpty()) {
        readRing();
      }
      if (mayRead <= 0) {
        pumpLater();
      }
    } finally {
      isPumping = false;
    }
  }

  private void writeNewest() {
    if (!isNewestWaiting) {
      return;
    }
    isNewestWaiting = false;
    boolean isWaiting = false;
    for (Registration registration : registrations.values()) {
      if (registration.isConflating() && !registration.isJoining()) {
        FilterGroup group = registration.group();
        registration
            .newest()
            .drain(this::hasRoom, entry -> outbox.write(group.frame(entry)), System.nanoTime());
        isWaiting |= !registration.newest().isEmpty();
      }
    }
    if (isWaiting) {
      newestWaits();
    }
  }

  private boolean mayRead() {
    return hasRoom() && mayRead-- > 0;
  }

  private void readRing() {
    while (place != AT_THE_HEAD && mayRead()) {
      backlogs.closeUpTo(place, outbox::write);
      if (place >= hub.tail()) {
        place = AT_THE_HEAD;
        hub.caughtUp(this);
      } else {
        readOne();
      }
    }
  }

  private void readOne() {
    Entry entry = hub.entry(place);
    if (entry == null) {
      hub.disconnect(this, Disconnect.SLOW);
      return;
    }
    for (FilterGroup group : hub.groups(entry.topic())) {
      Registration registration = registrations.get(group.filter().toString());
      boolean reads = registration != null && registration.group() != null;
      if (reads && !registration.isConflating() && registration.wants(entry)) {
        outbox.write(group.frame(entry));
      }
    }
    place++;
  }

  private void pumpLater() {
    if (!isPumpDue) {
      isPumpDue = true;
      hub.later(
          () -> {
            isPumpDue = false;
            pump();
          });
    }
  }

  /** Whether the record it has to read next has left the ring. */
  boolean isLeftBehind(long firstSequence) {
    return place != AT_THE_HEAD && place < firstSequence;
  }

  boolean isEnded() {
    return isEnded;
  }

  void onBeat() {
    transport.onBeat();
  }

  /** Ends the connection from this side, after what it was sent. */
  void close(Disconnect why) {
    outbox.flush();
    transport.close(why);
  }

  /** Nothing more is written. */
  void end() {
    isEnded = true;
    backlogs.release();
  }
}
