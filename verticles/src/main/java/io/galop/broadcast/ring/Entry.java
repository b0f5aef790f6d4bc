package io.galop.broadcast.ring;

import io.galop.json.JsonOmit;
import io.galop.record.DoorStamp;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a node keeps for its browsers: a record, encoded once except for the filter that each of
 * them registered, which a {@link io.galop.broadcast.hub.FilterGroup} puts before it; or the word
 * that a topic is silent, or back.
 */
public final class Entry {
  /** The objects around the text, about, on a 64-bit JVM with compressed references. */
  private static final int OVERHEAD_BYTES = 176;

  private static final byte[] NO_TEXT = {};
  private static final long UNHEARD = Long.MIN_VALUE;
  private static final int NONE = -1;

  private enum Kind {
    RECORD,
    STALE,
    FRESH
  }

  private final Kind kind;
  private final Position position;
  private final String topic;
  private final byte[] remainder;
  private final int cost;
  private final long timeUs;
  private long originNanos = UNHEARD;
  private long sequence = NONE;
  private long baseSequence = NONE;
  private int topicNumber = NONE;
  private long shownInEpoch = ShownRecords.NEVER;
  private DoorStamp stamp = DoorStamp.NONE;
  private @Nullable Topical latest;

  /** The latest record of a topic, for whoever holds one that was: not all between the two. */
  private static final class Topical implements TopicNumbers.Owner {
    private volatile @Nullable Entry entry;

    /** What stands for the topic in the ring, and the last record with it there; or none. */
    private int number = NONE;

    private long lastSequence = NONE;

    @Override
    public void lose() {
      number = NONE;
      lastSequence = NONE;
    }
  }

  private Entry(
      Kind kind, Position position, String topic, byte[] remainder, int cost, long timeUs) {
    this.kind = kind;
    this.position = position;
    this.topic = topic;
    this.remainder = remainder;
    this.cost = cost;
    this.timeUs = timeUs;
  }

  public static Entry of(Position position, Record record) {
    byte[] text = EntryText.of(position, record);
    int cost = OVERHEAD_BYTES + text.length;
    return new Entry(Kind.RECORD, position, record.topic(), text, cost, record.timeUs());
  }

  /** The word that a topic is silent; since when its age counts, see {@link System#nanoTime}. */
  public static Entry stale(String topic, int shard, long originNanos) {
    Entry word = word(Kind.STALE, topic, shard);
    word.originNanos = originNanos;
    return word;
  }

  /** The word that a topic is back. */
  public static Entry fresh(String topic, int shard) {
    return word(Kind.FRESH, topic, shard);
  }

  private static Entry word(Kind kind, String topic, int shard) {
    return new Entry(
        kind, Position.none(shard), topic, NO_TEXT, OVERHEAD_BYTES + topic.length(), 0);
  }

  /** Numbers the entry; before other threads see it. */
  public void number(long sequence) {
    this.sequence = sequence;
  }

  /** The same for a ring that has short numbers for topics, and knows the record before. */
  void number(long next, TopicNumbers numbers) {
    sequence = next;
    Topical topic = latest;
    if (topic != null && isRecord()) {
      if (topic.number == NONE) {
        topic.number = numbers.take(topic);
      }
      topicNumber = topic.number;
      baseSequence = topic.lastSequence;
      topic.lastSequence = next;
    }
  }

  /** The node has shown the record before, in this epoch; before other threads see it. */
  public void repeats(long epoch) {
    shownInEpoch = epoch;
  }

  /** Whether it is a later attempt to publish a record that the node has shown. */
  public boolean isRepeat() {
    return shownInEpoch != ShownRecords.NEVER;
  }

  /** The epoch of the first attempt; {@link ShownRecords#NEVER} if this is it. */
  public long shownInEpoch() {
    return shownInEpoch;
  }

  /** Notes when a door read it, or a record of its Batch; before other threads see it. */
  public void stamp(DoorStamp read) {
    stamp = read;
  }

  /** When a door read it, or a record of its Batch, if that is known. */
  public DoorStamp stamp() {
    return stamp;
  }

  /** Notes when the record came, as it happened; before other threads see it. */
  public void heardAt(long nanos) {
    originNanos = nanos;
  }

  /**
   * From now on it is the latest of its topic that the node keeps; before other threads see it.
   *
   * @param before the one that was, or null
   */
  public void becomesLatest(@Nullable Entry before) {
    Topical topic = before == null ? null : before.latest;
    topic = topic == null ? new Topical() : topic;
    topic.entry = this;
    latest = topic;
  }

  /** The node keeps no latest of the topic any more. */
  public void forgotten() {
    if (latest != null) {
      latest.entry = null;
    }
  }

  /** Whether it was the latest of its topic and the node does not keep it as that any more. */
  public boolean isReplaced() {
    return latest != null && latest.entry != this;
  }

  /** The latest of its topic as the node knows it now; itself where the node knows none. */
  public Entry current() {
    Entry now = latest == null ? null : latest.entry;
    return now == null ? this : now;
  }

  /**
   * The moment from which the age counts: when the record came as it happened, otherwise its event
   * time, as far as that has passed.
   */
  public long originNanos(long nowNanos) {
    if (originNanos != UNHEARD) {
      return originNanos;
    }
    long ageMs = Math.max(0, System.currentTimeMillis() - timeUs / 1000);
    return nowNanos - TimeUnit.MILLISECONDS.toNanos(ageMs);
  }

  /** When the record came, see {@link System#nanoTime}; empty if not as it happened. */
  public OptionalLong heardNanos() {
    return originNanos == UNHEARD ? OptionalLong.empty() : OptionalLong.of(originNanos);
  }

  /** How old it is, in milliseconds. */
  public long ageMs() {
    long now = System.nanoTime();
    return TimeUnit.NANOSECONDS.toMillis(now - originNanos(now));
  }

  public boolean isRecord() {
    return kind == Kind.RECORD;
  }

  public boolean isStaleWord() {
    return kind == Kind.STALE;
  }

  /** How many records it is: one or none. */
  public int records() {
    return kind == Kind.RECORD ? 1 : 0;
  }

  /** The entry's number in the node's ring; -1 if it was never there. */
  public long sequence() {
    return sequence;
  }

  /** The number in the ring of the record of its topic before it; -1 if there is none. */
  public long baseSequence() {
    return baseSequence;
  }

  /** A short number that stands for the topic from its base on; -1 if it has none. */
  public int topicNumber() {
    return topicNumber;
  }

  public Position position() {
    return position;
  }

  public int shard() {
    return position.shard();
  }

  public String topic() {
    return topic;
  }

  /** The message to a browser from the value of {@code body} on, in UTF-8; not to be changed. */
  public byte[] remainder() {
    return remainder;
  }

  /** The same without some fields of the data. */
  public byte[] without(JsonOmit fields) {
    return EntryText.without(fields, remainder);
  }

  /**
   * A remainder with the record's age among the headers, and whether its topic is silent for too
   * long.
   */
  public byte[] aged(byte[] remainder, boolean isStale) {
    String end = ",\"age\":" + ageMs() + (isStale ? ",\"stale\":true}}" : "}}");
    int open = remainder.length - "}}".length();
    byte[] aged = Arrays.copyOf(remainder, open + end.length());
    System.arraycopy(end.getBytes(StandardCharsets.US_ASCII), 0, aged, open, end.length());
    return aged;
  }

  /** About how many bytes of memory the entry takes. */
  public int cost() {
    return cost;
  }
}
