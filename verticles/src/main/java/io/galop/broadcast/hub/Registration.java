package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One filter that one Subscriber has registered, and how it wants its records. */
public final class Registration {
  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
  private final RecordReceiver receiver;
  private final TopicFilter filter;

  /** What waits where only the newest value of each topic does; null: every record matters. */
  private @Nullable Newest newest;

  /** How often it is to be sent its records; what is so now says {@code newest}. */
  private Pacing pacing;

  /** How many updates it has yet to be told that it has them. */
  private int unanswered;

  private final boolean hearsWords;

  /** What it is sent of the records that its filter means. */
  private Selection selection;

  /** What it is to be sent instead. */
  private Selection wished;

  private final boolean readsDeltas;

  /** Whether its browser understands deltas, and the selection is all that they are made for. */
  private boolean takesDeltas;

  /** The group it takes part in; null before it does. */
  private @Nullable FilterGroup group;

  private int place;

  /** Read by the feed loop too, which may see it late. */
  private volatile boolean isEnded;

  private boolean isJoining;
  private boolean isWarned;
  private boolean isAsking;
  private boolean isToBeShown;
  private int waiting;
  private long liveFrom;
  private long fromSequence;

  /** From this number on it was sent all of the ring that its filter means, in order. */
  private long unbrokenFrom;

  private final SeenPositions positions = new SeenPositions();
  private Runnable snapshot = () -> {};
  private BiConsumer<String, String> takenBack = (word, why) -> {};

  /** One that is shown records with all of their fields. */
  public Registration(
      RecordReceiver receiver, TopicFilter filter, Pacing pacing, boolean hearsWords) {
    this(receiver, filter, pacing, hearsWords, Selection.ALL, false);
  }

  /**
   * @param pacing how often it is to be sent its records
   * @param hearsWords whether it is told of the feed; else it gets records only
   * @param selection which records it is sent, and what of them
   * @param readsDeltas whether its browser understands deltas; it is sent some while it selects all
   */
  public Registration(
      RecordReceiver receiver,
      TopicFilter filter,
      Pacing pacing,
      boolean hearsWords,
      Selection selection,
      boolean readsDeltas) {
    this.readsDeltas = readsDeltas;
    this.takesDeltas = readsDeltas && selection.isAll();
    this.selection = selection;
    this.wished = selection;
    this.receiver = receiver;
    this.filter = filter;
    this.pacing = pacing;
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

  /** What it is sent of the records that its filter means. */
  public Selection selection() {
    return selection;
  }

  /** Notes what it is to be sent instead; the Hub changes it. */
  public void wish(Selection other) {
    wished = other;
  }

  Selection wished() {
    return wished;
  }

  /** Whether it wishes for something else than what it is sent. */
  boolean isToSelect() {
    return !wished.equals(selection);
  }

  /** From now on it is sent what it wishes; while it is in no group. */
  void select() {
    selection = wished;
    takesDeltas = readsDeltas && selection.isAll();
  }

  /** Notes how often it is to be sent its records; the Hub sees to it. */
  public void pace(Pacing other) {
    pacing = other;
  }

  /** How often it is to be sent its records. */
  public Pacing pacing() {
    return pacing;
  }

  /** It is to be told when all that it wished is so. */
  void owesAnswer() {
    unanswered++;
  }

  /** Tells it that it is sent what it wished, as far as caps allow, even if it hears no words. */
  void answerUpdates(Supplier<JsonObject> pace) {
    for (; unanswered > 0; unanswered--) {
      receiver.tell(ControlFrames.updated(filter, pace.get()));
    }
  }

  /** The words for that, to be said later; null if it waits for none. */
  @Nullable Supplier<Frame> takeAnswer(Supplier<JsonObject> pace) {
    Supplier<Frame> answer =
        unanswered > 0 ? () -> ControlFrames.updated(filter, pace.get()) : null;
    unanswered -= answer == null ? 0 : 1;
    answerUpdates(pace);
    return answer;
  }

  /** Whether only the newest value of each topic matters to it. */
  public boolean isConflating() {
    return newest != null;
  }

  /**
   * From now on only the newest value of each topic matters to it, or every record does.
   *
   * @param waiting what waits; null: every record matters
   */
  void conflate(@Nullable Newest waiting) {
    boolean was = isConflating();
    newest = waiting;
    if (group != null && was != isConflating()) {
      group.conflating(was ? -1 : 1);
    }
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
    if (isToBeShown && !joining && !isEnded) {
      isToBeShown = false;
      askAgain();
    }
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

  /**
   * Shows the last values once more, however often that is asked for meanwhile: behind what is on
   * its way, of which one answer at a time is made and kept.
   */
  public void showAgain() {
    isToBeShown = isJoining || !isInGroup();
    if (!isToBeShown) {
      askAgain();
    }
  }

  void answered() {
    isAsking = false;
  }

  /** From this number on it is offered each record as it comes. */
  void liveFrom(long sequence) {
    liveFrom = sequence;
    if (isConflating()) {
      unbrokenFrom = Math.max(unbrokenFrom, sequence);
    }
  }

  /** Whether records may be sent to it as deltas. */
  boolean takesDeltas() {
    return takesDeltas;
  }

  /**
   * A record of the ring that its filter means is not sent to it, or not in its turn. A delta
   * against it or against one before it would be against what its browser does not have.
   */
  void skips(Entry entry) {
    if (entry.isRecord()) {
      unbrokenFrom = Math.max(unbrokenFrom, entry.sequence() + 1);
    }
  }

  /** From this number on its browser has each record of the ring that its filter means. */
  long unbrokenFrom() {
    return unbrokenFrom;
  }

  /**
   * What waits for it in the ring is looked at again, as if it had not been offered.
   *
   * @param tail the number that the next record will have
   * @return how many records waited
   */
  int forgetWaiting(long tail) {
    int before = waiting;
    waiting = 0;
    liveFrom = tail;
    unbrokenFrom = Math.max(unbrokenFrom, tail); // what it was sent before was of another selection
    return before;
  }

  /**
   * @param action ends it, and tells why: with a stable word, and in a sentence
   */
  public void onTakenBack(BiConsumer<String, String> action) {
    takenBack = action;
  }

  /** Ends it, since it may not be had any more; where that fails, its connection. */
  void takeBack(String word, String why) {
    try {
      takenBack.accept(word, why);
    } catch (RuntimeException | OutOfMemoryError fault) {
      failed(fault);
    }
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
    unbrokenFrom = Math.max(unbrokenFrom, sequence);
  }

  /** Up to where it needs nothing of its shards. */
  SeenPositions positions() {
    return positions;
  }

  /** Reads a little of all that a record for it will touch; what it returns means nothing. */
  long look() {
    return fromSequence + receiver.look();
  }

  /** Whether a record is neither sent already nor before what it asked for. */
  boolean isMeant(Entry entry) {
    return entry.sequence() >= fromSequence
        && (hearsWords || entry.isRecord())
        && positions.isMeant(entry);
  }

  boolean wants(Entry entry) {
    return isMeant(entry) && !positions.isPassed(entry);
  }
}
