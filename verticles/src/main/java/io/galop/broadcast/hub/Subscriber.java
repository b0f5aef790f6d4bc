package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Transport;
import io.galop.broadcast.write.Outbox;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One browser connection with its place in the node's ring and a bounded outbox. While there is
 * room in the outbox it is written to as records come. When there is none its place in the ring is
 * kept and it reads on from there at the pace of its socket; conflating registrations let only the
 * newest value of each topic wait. All on its Hub's event loop.
 */
public final class Subscriber implements RecordReceiver {
  private static final Logger LOG = LoggerFactory.getLogger(Subscriber.class);
  private static final long AT_THE_HEAD = -1;

  /** How many records are looked at in one go before others get their turn. */
  private static final int READ_AT_ONCE = 2048;

  private final Hub hub;
  private final Transport transport;
  private final Outbox outbox;
  private final Map<String, Registration> registrations = new HashMap<>();
  private final Backlogs backlogs;
  private final Conflation conflation;
  private final long connectedNanos = System.nanoTime();
  private final ConflationLimits limits;
  private long place = AT_THE_HEAD;
  private long begunSequence = AT_THE_HEAD;
  private boolean isEnded;
  private boolean isPumping;
  private boolean isPumpDue;
  private int mayRead;

  public Subscriber(Hub hub, Transport transport, int outboxBytes) {
    this.hub = hub;
    this.limits = new ConflationLimits(hub.maxWaitingTopics());
    this.transport = transport;
    this.outbox =
        new Outbox(
            hub.tally(),
            hub.pulse(),
            transport,
            outboxBytes,
            this::onRoom,
            () -> disconnect(Disconnect.FAULT));
    this.conflation = new Conflation(hub, this, outbox, this::hasRoom, limits);
    this.backlogs =
        new Backlogs(outbox, hub.catchUp()::past, hub.catchUp()::behindThePast, conflation);
    transport.limitSocket(hub.socketBytes());
  }

  public Collection<Registration> registrations() {
    return registrations.values();
  }

  public @Nullable Registration registration(String filter) {
    return registrations.get(filter);
  }

  /** What may be sent, whatever is registered; 0 is unlimited. Before any registration. */
  public void limit(double maxRate, long maxBytesPerSecond) {
    limits.limit(maxRate, maxBytesPerSecond);
  }

  public void add(Registration registration) {
    limits.begin(registration);
    registrations.put(registration.filter().toString(), registration);
    limits.follow(registrations.values(), registration);
  }

  /** The node's caps are these from now on, for whoever is registered, too. */
  public void cap(Caps caps) {
    limits.cap(caps, registrations.values()).forEach(this::pace);
  }

  /** Most bytes of records per second; 0 is unlimited. */
  public long maxBytesPerSecond() {
    return limits.bytesPerSecond();
  }

  @Override
  public void remove(Registration registration) {
    registrations.remove(registration.filter().toString());
    outbox.drop(registration.end());
    limits.end(registrations.values(), registration);
  }

  private boolean hasRoom() {
    return outbox.hasRoom() && !isEnded;
  }

  @Override
  public void offer(Registration registration, Entry entry) {
    if (isEnded) {
      return;
    }
    outbox.publish(entry.records());
    if (registration.isConflating()) {
      conflation.offer(registration, entry);
    } else if (place != AT_THE_HEAD) {
      registration.waits(entry.records());
    } else if (outbox.hasRoomForNew() || entry.sequence() == begunSequence) {
      begunSequence = entry.sequence();
      outbox.write(registration.group().frame(registration, entry));
    } else {
      registration.waits(entry.records());
      readFrom(entry.sequence());
    }
  }

  @Override
  public void sample(Registration registration, Entry entry, int standsFor) {
    boolean isBehind = !isUpToDate() || isEnded || registration.waiting() > 0;
    boolean isOverflown = registration.isConflating() && registration.newest().isOverflown();
    outbox.sample(entry.stamp(), standsFor, isBehind || isOverflown);
  }

  void reconsider(Registration registration) {
    conflation.reconsider(registration);
  }

  /** A registration is sent its records as often as it wishes, as soon as that can be. */
  void pace(Registration registration) {
    if (isEnded) {
      return;
    }
    limits.follow(registrations.values(), registration);
    long from = place == AT_THE_HEAD ? hub.tail() : place;
    Backlog left = conflation.pace(registration, from);
    if (left != null) {
      backlogs.addPublished(left);
      follow(left);
    } else if (place != AT_THE_HEAD
        && registrations.values().stream().noneMatch(Registration::readsRing)) {
      place = hub.tail(); // nobody reads what is before
      pump();
    }
  }

  private void readFrom(long sequence) {
    outbox.fallsBehind(sequence);
    place = sequence;
    hub.behind(this);
  }

  /** The other registrations must not be sent again what they had already. */
  @Override
  public void join(Registration registration, Joined joined, List<Entry> words) {
    registration.notBefore(joined.fromSequence());
    if (!registration.isConflating()) {
      goBack(registration, joined.fromSequence());
    }
    precede(Backlog.of(registration, joined).with(words));
    pace(registration);
  }

  @Override
  public void makeUp(Registration registration, Joined snapshot) {
    registration.answered();
    conflation.makeUp(registration, snapshot);
    precede(Backlog.of(registration, snapshot));
    pace(registration);
  }

  @Override
  public void makeUpForGap(
      Registration registration, int shard, List<Entry> latest, long cut, @Nullable Frame closing) {
    outbox.gap();
    if (registration.isConflating()) {
      outbox.conflate(registration.newest().drop(entry -> entry.shard() == shard));
      registration.newest().forgetAhead();
    }
    precede(
        new Backlog(registration, latest, cut, closing == null ? null : () -> closing, () -> {}));
  }

  @Override
  public void precede(Registration registration, List<Entry> words, long cut) {
    precede(Backlog.ofWords(registration, words, cut));
  }

  private void precede(Backlog backlog) {
    backlogs.add(backlog);
    follow(backlog);
  }

  /** What comes from now on follows on what is from before. */
  private void follow(Backlog backlog) {
    if (!backlog.registration().isConflating() && place == AT_THE_HEAD) {
      readFrom(hub.tail());
    }
    hub.behind(this);
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

  @Override
  public void tell(Frame word) {
    if (outbox.isFlooded(registrations.size())) {
      disconnect(Disconnect.SLOW);
    } else if (!isEnded) {
      outbox.write(word);
    }
  }

  /** How bytes travel to it. */
  public String transport() {
    return transport.kind();
  }

  /** Whether messages travel to it in SockJS frames, and not each by itself. */
  public boolean isSockJs() {
    return transport.isSockJs();
  }

  private void onRoom() {
    if (place != AT_THE_HEAD || conflation.isWaiting() || !backlogs.isEmpty()) {
      pump();
    }
  }

  /**
   * Writes what waits, in order, for as long as there is room. What fails on the way may be lost,
   * so the connection ends.
   */
  void pump() {
    if (isPumping || isEnded) {
      return;
    }
    isPumping = true;
    try {
      mayRead = READ_AT_ONCE;
      conflation.writeBeforeThePast(registrations.values());
      backlogs.write(this::mayRead, outbox::write);
      conflation.write(registrations.values());
      if (backlogs.isEmpty()) {
        readRing();
      }
      if (mayRead <= 0) {
        pumpLater();
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("what waited for a connection could not be written", fault);
      disconnect(Disconnect.FAULT);
    } finally {
      isPumping = false;
    }
  }

  private boolean mayRead() {
    return hasRoom() && mayRead-- > 0;
  }

  private void readRing() {
    while (place != AT_THE_HEAD && mayRead()) {
      if (backlogs.closeOne(place, outbox::write)) {
        continue;
      }
      if (place >= hub.tail()) {
        outbox.catchesUp(place);
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
      disconnect(Disconnect.SLOW);
      return;
    }
    for (FilterGroup group : hub.groups(entry.topic())) {
      Registration registration = registrations.get(group.filter().toString());
      if (registration != null
          && registration.readsRing()
          && registration.group() == group
          && group.passes(entry)
          && conflation.isToBeSent(registration, entry)) {
        outbox.write(group.frame(registration, entry));
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

  /** Whether there is nothing that it may fall behind with. */
  boolean isUpToDate() {
    return isEnded || (place == AT_THE_HEAD && backlogs.isEmpty());
  }

  /** Whether the record it has to read next has left the ring. */
  boolean isLeftBehind(long firstSequence) {
    return place != AT_THE_HEAD && place < firstSequence;
  }

  /** Gives up a past of which nothing is taken, renews an old one; false if it can do neither. */
  boolean outlasts(long stallNanos, long firstSequence) {
    long heldBytes = backlogs.heldBytes(firstSequence, hub.tail());
    return backlogs.isStalled(stallNanos)
        ? backlogs.giveUp(conflation::overflow)
        : heldBytes <= outbox.maxHeldBytes() || backlogs.renew(conflation::overflow);
  }

  @Override
  public boolean isEnded() {
    return isEnded;
  }

  /** The time between two calls of {@link #onBeat}. */
  static long beatMs(long heartbeatMs) {
    return heartbeatMs / Transport.BEATS;
  }

  void onBeat() {
    transport.onBeat();
  }

  @Override
  public Outbox deliveries() {
    return outbox;
  }

  /** How many records have yet to leave: in the outbox, in the ring, from the past, the newest. */
  public int waiting() {
    int waiting = outbox.records() + backlogs.waiting();
    for (Registration registration : registrations.values()) {
      waiting += registration.waiting();
    }
    return waiting;
  }

  @Override
  public String address() {
    return transport.address();
  }

  public long connectedMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - connectedNanos);
  }

  @Override
  public long behind() {
    return place == AT_THE_HEAD ? 0 : hub.tail() - place;
  }

  @Override
  public void disconnect(Disconnect why) {
    hub.disconnect(this, why);
  }

  @Override
  public long look() {
    return outbox.bytes() + outbox.published();
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
    List.copyOf(registrations.values()).forEach(each -> outbox.drop(each.end()));
  }
}
