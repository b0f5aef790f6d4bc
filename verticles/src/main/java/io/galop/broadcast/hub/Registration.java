package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One filter that one Subscriber has registered, and how it wants its records. */
public final class Registration {
  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
  private final RecordReceiver receiver;
  private final TopicFilter filter;

  /** What waits if only the newest value of each topic matters to it; else null. */
  private final @Nullable Newest newest;

  private final boolean hearsWords;

  /** The fields of data that it is not shown. */
  private final Set<String> omit;

  /** The group it takes part in; null before it does. */
  private @Nullable FilterGroup group;

  private int place;

  /** Read by the feed loop too, which may see it late. */
  private volatile boolean isEnded;

  private boolean isJoining;
  private boolean isWarned;
  private boolean isAsking;
  private int waiting;
  private long liveFrom;
  private long fromSequence;
  private Map<Integer, Position> seen = Map.of();
  private Map<Integer, Position> passed = Map.of();
  private Runnable snapshot = () -> {};

  /** One that is shown records with all of their fields. */
  public Registration(
      RecordReceiver receiver, TopicFilter filter, @Nullable Newest newest, boolean hearsWords) {
    this(receiver, filter, newest, hearsWords, Set.of());
  }

  /**
   * @param hearsWords whether it is told of the feed; else it gets records only
   * @param omit the fields of data that it is not shown
   */
  public Registration(
      RecordReceiver receiver,
      TopicFilter filter,
      @Nullable Newest newest,
      boolean hearsWords,
      Set<String> omit) {
    this.omit = omit;
    this.receiver = receiver;
    this.filter = filter;
    this.newest = newest;
    this.hearsWords = hearsWords;
  }

  boolean hearsWords() {
    return hearsWords;
  }

  /** Tells it of the feed, if it wants to hear of it. */
  void tell(Frame word) {
    if (hearsWords) {
      try {
        receiver.tell(word);
      } catch (RuntimeException | OutOfMemoryError fault) {
        failed(fault);
      }
    }
  }

  /** What goes wrong with one connection ends it, and keeps no other from what it is to have. */
  void failed(Throwable fault) {
    LOG.warn("a connection could not be served", fault);
    receiver.disconnect(Disconnect.FAULT);
  }

  public RecordReceiver receiver() {
    return receiver;
  }

  public TopicFilter filter() {
    return filter;
  }

  Set<String> omit() {
    return omit;
  }

  /** Whether only the newest value of each topic matters to it. */
  public boolean isConflating() {
    return newest != null;
  }

  /** What waits for a conflating registration, and for no other. */
  Newest newest() {
    return Objects.requireNonNull(newest, "wants every record");
  }

  /** Whether it takes part in a group, and gets records. */
  boolean isInGroup() {
    return group != null;
  }

  /** Whether it is sent the records that its connection reads from the ring. */
  boolean readsRing() {
    return isInGroup() && !isConflating();
  }

  /** The group it takes part in; not before it does. */
  FilterGroup group() {
    return Objects.requireNonNull(group, "is in no group");
  }

  void join(FilterGroup joined) {
    group = joined;
    joined.add(this);
  }

  /** Its place in the list of its group. */
  int place() {
    return place;
  }

  void place(int inGroup) {
    place = inGroup;
  }

  /** Ends it; returns how many records waited for it in the ring, or as the newest. */
  int end() {
    isEnded = true;
    int given = waiting + (newest == null ? 0 : newest.end());
    waiting = 0;
    return given;
  }

  public boolean isEnded() {
    return isEnded;
  }

  /** Whether its snapshot or what it missed has not been written completely. */
  boolean isJoining() {
    return isJoining;
  }

  void joining(boolean joining) {
    isJoining = joining;
  }

  /** Whether it was told that its filter is cut off, and not by its group that it is back. */
  boolean isWarned() {
    return isWarned;
  }

  void warned(boolean warned) {
    isWarned = warned;
  }

  /**
   * @param request asks for a snapshot, which comes as a {@link Joined}
   */
  public void onAskAgain(Runnable request) {
    snapshot = request;
  }

  /** Asks for a snapshot, unless one is on its way. */
  void askAgain() {
    if (!isAsking) {
      isAsking = true;
      snapshot.run();
    }
  }

  void answered() {
    isAsking = false;
  }

  /** From this number on it is offered each record as it comes. */
  void liveFrom(long sequence) {
    liveFrom = sequence;
  }

  /** A record that it was offered waits in the ring. */
  void waits(int records) {
    waiting += records;
  }

  /** A record that waited in the ring has been read. */
  void read(int records) {
    waiting -= records;
  }

  /** How many records wait for it in the ring or as the newest. */
  int waiting() {
    return waiting + (newest == null ? 0 : newest.size());
  }

  /** Whether a record of the ring was offered when it came, if it was wanted then. */
  boolean wasOffered(Entry entry) {
    return entry.sequence() >= liveFrom;
  }

  /** It wants no record of the ring before this number. */
  void notBefore(long sequence) {
    fromSequence = Math.max(fromSequence, sequence);
  }

  /** It wants no record at or before these Positions of their shards. */
  void seen(Map<Integer, Position> positions) {
    if (!positions.isEmpty()) {
      seen = new HashMap<>(seen);
      seen.putAll(positions);
    }
  }

  /**
   * A snapshot has made up for the records of a shard up to this Position. What was seen of an
   * epoch that its owner does not know says nothing about what comes after it.
   */
  void passed(Position position) {
    Position before = seen.get(position.shard());
    if (before != null && before.compareTo(position) > 0) {
      seen = new HashMap<>(seen);
      seen.remove(position.shard());
    }
    passed = new HashMap<>(passed);
    passed.put(position.shard(), position);
  }

  /** Reads a little of all that a record for it will touch; what it returns means nothing. */
  long look() {
    return fromSequence + receiver.look();
  }

  /** Whether a record is neither sent already nor before what it asked for. */
  boolean isMeant(Entry entry) {
    return entry.sequence() >= fromSequence
        && (hearsWords || entry.isRecord())
        && isAfter(seen, entry)
        && (!entry.isRepeat() || lacks(entry));
  }

  /**
   * Whether a browser lacks a record that the node has shown before. It does if it came back with a
   * Position of a later epoch: the owner of that epoch, or another node, gave it what was kept of
   * the epochs before, and the record may not have been.
   */
  private boolean lacks(Entry repeat) {
    Position last = seen.get(repeat.shard());
    return last != null && last.epoch() > repeat.shownInEpoch();
  }

  /** Whether a record was made up for by a snapshot. */
  boolean isPassed(Entry entry) {
    return !isAfter(passed, entry);
  }

  boolean wants(Entry entry) {
    return isMeant(entry) && isAfter(passed, entry);
  }

  private static boolean isAfter(Map<Integer, Position> positions, Entry entry) {
    Position last = positions.isEmpty() ? null : positions.get(entry.shard());
    return last == null || !entry.isRecord() || entry.position().compareTo(last) > 0;
  }
}
