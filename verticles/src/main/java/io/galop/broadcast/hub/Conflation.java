package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.write.Outbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The registrations of one Subscriber of which only the newest value of each topic waits. When more
 * topics wait than may, all that waits is given up for a new snapshot, which is asked for when the
 * connection takes something again: so the memory of one that does not is bounded, whatever the
 * number of topics.
 */
final class Conflation implements Backlogs.Gate {
  /** How many records of the ring are looked at in one go; takes about a millisecond. */
  private static final int LOOKED_AT_AT_ONCE = 8192;

  private final Hub hub;
  private final Subscriber subscriber;
  private final Outbox outbox;
  private final BooleanSupplier hasRoom;
  private final ConflationLimits limits;
  private boolean isWaiting;

  Conflation(
      Hub hub,
      Subscriber subscriber,
      Outbox outbox,
      BooleanSupplier hasRoom,
      ConflationLimits limits) {
    this.limits = limits;
    this.hub = hub;
    this.subscriber = subscriber;
    this.outbox = outbox;
    this.hasRoom = hasRoom;
  }

  /** Whether something waits for room, or for its rate. */
  boolean isWaiting() {
    return isWaiting;
  }

  /**
   * Sends a registration its records as often as it wishes, and tells it so. Not before it has its
   * first answer, nor before the snapshot that makes up for what had no place to wait: until then
   * it stays as it is.
   *
   * @param from the first record of the ring that the connection has not read
   * @return what waited for one to which every record matters again, and comes before them; null:
   *     nothing
   */
  @Nullable Backlog pace(Registration registration, long from) {
    boolean isToConflate = limits.conflates(registration);
    if (registration.isConflating()) {
      // Also where it is for later: what keeps it back then must not be what holds no more.
      registration.newest().rate(registration.pacing().maxRate(), limits.capPace(registration));
    }
    if (isToConflate != registration.isConflating()) {
      boolean isForLater = registration.isConflating() && registration.newest().isOverflown();
      if (isForLater || !registration.isInGroup()) {
        return null;
      }
      if (registration.isConflating()) {
        return everyRecord(registration);
      }
      newestOnly(registration, from);
    }
    registration.answerUpdates(() -> limits.told(registration));
    return null;
  }

  /** The answer follows on what waited: whoever has it has missed nothing. */
  private Backlog everyRecord(Registration registration) {
    Newest newest = registration.newest();
    List<Entry> records = newest.records();
    List<Entry> words = newest.words();
    newest.end();
    registration.conflate(null);
    registration.notBefore(hub.tail());
    registration.liveFrom(hub.tail());
    return new Backlog(
            registration,
            records,
            hub.tail(),
            registration.takeAnswer(() -> limits.told(registration)),
            () -> {})
        .answering()
        .with(words);
  }

  /**
   * Of what waits in the ring the newest of each topic waits on. Too much of it to look at in one
   * go is given up for a snapshot, as what has no place to wait is.
   */
  private void newestOnly(Registration registration, long from) {
    registration.conflate(limits.newest(registration));
    long next = from;
    if (hub.tail() - from <= LOOKED_AT_AT_ONCE) {
      while (next < hub.tail() && passes(registration, hub.entry(next))) {
        next++;
      }
    }
    int before = registration.forgetWaiting(hub.tail());
    if (next < hub.tail()) {
      outbox.conflate(before);
      overflow(registration);
    }
    waits();
  }

  /** Returns whether a record of the ring, if it is wanted, waits on or gave way to a newer one. */
  private boolean passes(Registration registration, @Nullable Entry entry) {
    if (entry == null) {
      return false;
    }
    if (!registration.filter().matches(entry.topic())
        || !registration.group().passes(entry)
        || !isToBeSent(registration, entry)) {
      return true;
    }
    Newest.Put put = registration.newest().put(entry);
    outbox.conflate(put == Newest.Put.WAITS ? 0 : entry.records());
    return put != Newest.Put.HAS_NO_PLACE;
  }

  /** Counts a record of the ring as read; returns whether it is to be sent. */
  boolean isToBeSent(Registration registration, Entry entry) {
    if (!registration.isMeant(entry)) {
      registration.skips(entry);
      return false;
    }
    boolean isPassed = registration.positions().isPassed(entry);
    if (registration.wasOffered(entry)) {
      registration.read(entry.records());
      outbox.conflate(isPassed ? entry.records() : 0);
    } else if (!isPassed) {
      outbox.publish(entry.records());
    }
    if (isPassed) {
      registration.skips(entry);
    }
    return !isPassed;
  }

  void offer(Registration registration, Entry entry) {
    Newest newest = registration.newest();
    boolean isOpen = hasRoom.getAsBoolean() && !registration.isJoining();
    // The snapshot that follows is for the topics that wait: it must not keep the others back.
    boolean isForLater = newest.isOverflown() && !(isOpen && newest.isFree(entry.topic()));
    if (newest.wasSentAhead(entry) || isForLater) {
      registration.skips(entry);
      outbox.conflate(entry.records());
      return;
    }
    long now = System.nanoTime();
    if (isOpen && !entry.isRecord()) {
      newest.said(entry.topic());
      outbox.write(registration.group().frame(entry));
    } else if (isOpen && newest.mayPass(entry, now) && hasBytes(registration, now)) {
      newest.sent(entry.topic(), now);
      Frame frame = registration.group().frame(registration, entry);
      limits.spend(registration, frame.size());
      outbox.write(frame);
    } else {
      registration.skips(entry);
      putAside(registration, entry, isOpen);
    }
  }

  /**
   * Whether a record may be sent by the bytes per second of the connection. What waits for them
   * comes first.
   */
  private boolean hasBytes(Registration registration, long nowNanos) {
    boolean isFirst =
        !limits.isLimited(registration)
            || !limits.isShortOfBytes() && registration.newest().isEmpty();
    if (isFirst && limits.hasBytes(registration, nowNanos)) {
      return true;
    }
    limits.refuse();
    outbox.throttle(1);
    return false;
  }

  /**
   * Without a place to wait a record is rather sent too early than lost; where a token or the bytes
   * per second forbid that a snapshot makes up for it.
   */
  private void putAside(Registration registration, Entry entry, boolean isOpen) {
    switch (registration.newest().put(entry)) {
      case REPLACES -> outbox.conflate(entry.records());
      case HAS_NO_PLACE -> {
        boolean isFree = !registration.newest().isPaced() && !limits.isLimited(registration);
        if (isOpen && isFree) {
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

  /** Whether a token's bytes per second allow more: what it limits is all that is sent. */
  @Override
  public boolean isOpen() {
    if (limits.allowsPast(System.nanoTime())) {
      return true;
    }
    limits.refuse();
    waits();
    return false;
  }

  @Override
  public void sent(Backlog from, Entry entry, int bytes) {
    limits.spendPast(bytes);
    if (from.isAhead() && (entry.sequence() < 0 || entry.sequence() >= hub.tail())) {
      from.registration().newest().sentAhead(entry);
    }
  }

  /**
   * Whether a record from before the present may be sent now; else it waits.
   *
   * @param begunNanos when the first of them was
   */
  @Override
  public boolean takes(Registration registration, Entry entry, long begunNanos) {
    if (!registration.isConflating() || !entry.isRecord()) {
      return true;
    }
    Newest newest = registration.newest();
    if (newest.wasSentAhead(entry)) {
      outbox.conflate(entry.records());
      return false;
    }
    if (!newest.isPaced()) {
      return true;
    }
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
    for (Registration registration : inTurn(registrations)) {
      // One that still waits for its first answer has nothing that could wait.
      if (registration.isConflating() && registration.isInGroup()) {
        isAnyWaiting |= write(registration);
      }
    }
    if (isAnyWaiting) {
      waits();
    }
  }

  /**
   * Where they share bytes or the places of a pace no registration is always the first to have
   * them. By chance, as turns could keep step with the pace.
   */
  private Collection<Registration> inTurn(Collection<Registration> registrations) {
    if (!limits.areShared() || registrations.size() < 2) {
      return registrations;
    }
    List<Registration> turned = new ArrayList<>(registrations);
    Collections.rotate(turned, ThreadLocalRandom.current().nextInt(turned.size()));
    return turned;
  }

  /** Begins a round of writing; before the past, if that had the last bytes. */
  void writeBeforeThePast(Collection<Registration> registrations) {
    limits.beginRound();
    if (!limits.isPastFirst()) {
      write(registrations);
    }
  }

  private boolean write(Registration registration) {
    Newest newest = registration.newest();
    if (registration.isJoining()) {
      return newest.isOverflown() || !newest.isEmpty();
    }
    if (newest.isOverflown()) {
      boolean mayAsk = mayAskAgain(registration, System.nanoTime());
      if (mayAsk) {
        registration.askAgain();
      }
      return !mayAsk;
    }
    FilterGroup group = registration.group();
    long now = System.nanoTime();
    newest.drainWords(hasRoom, word -> outbox.write(group.frame(word)));
    newest.drain(
        () -> hasRoom.getAsBoolean() && limits.hasBytes(registration, now),
        entry -> {
          Frame frame = group.frame(entry);
          limits.spend(registration, frame.size());
          outbox.write(frame);
        },
        now);
    boolean isWaiting = !newest.isEmpty();
    if (isWaiting && !limits.hasBytes(registration, now)) {
      limits.refuse();
    }
    return isWaiting;
  }

  private boolean mayAskAgain(Registration registration, long nowNanos) {
    if (!hasRoom.getAsBoolean() || !registration.newest().mayAskAgain(nowNanos)) {
      return false;
    }
    if (!limits.hasBytes(registration, nowNanos)) {
      limits.refuse();
      return false;
    }
    return true;
  }

  /**
   * A snapshot makes up for what had no place to wait. Its bytes count, as those of no other
   * snapshot do unless a token limits them: else whoever watches more topics than may wait would
   * get one after the other.
   */
  void makeUp(Registration registration, Joined snapshot) {
    if (!registration.isConflating()) {
      return;
    }
    outbox.conflate(registration.newest().clear());
    registration.newest().overflown(false);
    if (limits.isLimited(registration) && !limits.countsPast()) {
      snapshot.entries().forEach(each -> limits.spend(registration, each.remainder().length));
    }
  }

  /** What waits for a registration is sent only if its selection, which is another now, allows. */
  void reconsider(Registration registration) {
    outbox.conflate(registration.forgetWaiting(hub.tail()));
    if (registration.isConflating()) {
      FilterGroup group = registration.group();
      outbox.conflate(registration.newest().drop(entry -> !group.passes(entry)));
    }
  }
}
