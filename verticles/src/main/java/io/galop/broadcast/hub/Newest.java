package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.record.Position;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest value of each topic that waits for one registration, and when the topic may be sent
 * again. The budget bounds how many topics are remembered for all registrations of a Subscriber.
 * What waits is the latest of its topic, which the node keeps anyway.
 */
public final class Newest {
  /** What has become of a record that was to wait. */
  enum Put {
    WAITS,
    REPLACES,
    HAS_NO_PLACE
  }

  private long intervalNanos;

  /** What the connection's token allows; null: any. */
  private final @Nullable TopicPace pace;

  /** What the node's caps allow; null: any. */
  private @Nullable CapPace caps;

  private final Budget topics;
  private final Map<String, Entry> waiting = new LinkedHashMap<>();
  private final Map<String, Long> sentNanos = new LinkedHashMap<>();
  private final Map<String, Entry> words = new LinkedHashMap<>(2);

  /** Of topics of which a record was sent that the Hub has not been handed yet. */
  private Map<String, Position> ahead = Map.of();

  private boolean isOverflown;
  private boolean isPastOver;
  private long pastOverNanos;

  /**
   * @param maxRate most messages per second and topic; 0 is unlimited
   * @param topics how many topics may be remembered
   * @param pace what the connection's token allows; null: any
   * @param caps what the node's caps allow; null: any
   */
  Newest(double maxRate, Budget topics, @Nullable TopicPace pace, @Nullable CapPace caps) {
    this.pace = pace;
    this.caps = caps;
    this.intervalNanos = intervalNanos(maxRate);
    this.topics = topics;
  }

  private static long intervalNanos(double maxRate) {
    return maxRate <= 0 ? 0 : (long) (1e9 / maxRate);
  }

  /** Another rate and other caps hold from now on, also for what waits; 0 is unlimited. */
  void rate(double maxRate, @Nullable CapPace otherCaps) {
    caps = otherCaps;
    intervalNanos = intervalNanos(maxRate);
    if (intervalNanos == 0) {
      forgetSent();
    }
  }

  /** Lets a record wait, instead of an older one of its topic if there is one. */
  Put put(Entry entry) {
    Map<String, Entry> place = entry.isRecord() ? waiting : words;
    if (place.containsKey(entry.topic())) {
      place.put(entry.topic(), entry);
      return Put.REPLACES;
    }
    if (!topics.take(1)) {
      return Put.HAS_NO_PLACE;
    }
    place.put(entry.topic(), entry);
    return Put.WAITS;
  }

  /** Lets a record from before the present wait, unless a newer one of its topic does. */
  Put putPast(Entry entry) {
    Entry other = waiting.get(entry.topic());
    boolean isNewer = other != null && other.position().compareTo(entry.position()) >= 0;
    return isNewer ? Put.REPLACES : put(entry);
  }

  /** A record was sent before the Hub was handed it. */
  void sentAhead(Entry entry) {
    ahead = ahead.isEmpty() ? new HashMap<>() : ahead;
    ahead.put(entry.topic(), entry.position());
  }

  /** Whether a record, or a newer one of its topic, was sent before the Hub was handed it. */
  boolean wasSentAhead(Entry entry) {
    Position sent = ahead.isEmpty() || !entry.isRecord() ? null : ahead.get(entry.topic());
    if (sent == null) {
      return false;
    }
    int order = entry.position().compareTo(sent);
    if (order >= 0) {
      ahead.remove(entry.topic());
    }
    return order <= 0;
  }

  /** What the node has begins anew: some of what was sent ahead may never come. */
  void forgetAhead() {
    ahead = Map.of();
  }

  /** Whether no record may ever be sent too early: rather a snapshot later. */
  boolean isPaced() {
    return pace != null || caps != null;
  }

  /** Whether a topic is one that no cap keeps back, where caps keep others back. */
  boolean isFree(String topic) {
    return caps != null && caps.isFree(topic);
  }

  /** Whether a record of a snapshot may be sent that was begun at a time. */
  boolean mayPassPast(Entry entry, long begunNanos, long nowNanos) {
    String topic = entry.topic();
    return (pace == null || pace.isDueIn(begunNanos, topic.hashCode(), nowNanos))
        && (caps == null || caps.isDueIn(begunNanos, topic, nowNanos));
  }

  /** A snapshot was sent. */
  void pastOver(long nowNanos) {
    isPastOver = true;
    pastOverNanos = nowNanos;
  }

  /** Whether another snapshot may be sent. */
  boolean mayAskAgain(long nowNanos) {
    return !isPastOver
        || (pace == null || pace.isOver(pastOverNanos, nowNanos))
            && (caps == null || caps.maySnapshotAgain(pastOverNanos, nowNanos));
  }

  boolean isEmpty() {
    return waiting.isEmpty() && words.isEmpty();
  }

  /** A word about a topic was sent; one that waits is older. */
  void said(String topic) {
    if (!words.isEmpty() && words.remove(topic) != null) {
      topics.giveBack(1);
    }
  }

  /** How many records wait. */
  int size() {
    return waiting.size();
  }

  /** Forgets some of what waits; returns how much it was. */
  int drop(Predicate<Entry> which) {
    int before = waiting.size();
    waiting.values().removeIf(which);
    topics.giveBack(before - waiting.size());
    return before - waiting.size();
  }

  /** Forgets what waits; returns how much it was. */
  int clear() {
    int before = waiting.size();
    topics.giveBack(before + words.size());
    waiting.clear();
    words.clear();
    return before;
  }

  /** Forgets everything; returns how much waited. */
  int end() {
    forgetSent();
    return clear();
  }

  private void forgetSent() {
    topics.giveBack(sentNanos.size());
    sentNanos.clear();
  }

  /** The records that wait; the topic that has waited longest comes first. */
  List<Entry> records() {
    return List.copyOf(waiting.values());
  }

  /** The words that wait. */
  List<Entry> words() {
    return List.copyOf(words.values());
  }

  /** More topics have changed than are remembered: only a snapshot makes up for them. */
  boolean isOverflown() {
    return isOverflown;
  }

  void overflown(boolean overflown) {
    isOverflown = overflown;
  }

  /** Whether a record may be sent at once: nothing of its topic waits, and the rate allows it. */
  boolean mayPass(Entry entry, long nowNanos) {
    return (waiting.isEmpty() || !waiting.containsKey(entry.topic()))
        && isDue(entry.topic(), nowNanos);
  }

  private boolean isDue(String topic, long nowNanos) {
    if (pace != null && !pace.isDue(topic.hashCode(), nowNanos)) {
      return false;
    }
    if (caps != null && !caps.isDue(topic, nowNanos)) {
      return false;
    }
    Long sent = intervalNanos == 0 ? null : sentNanos.get(topic);
    return sent == null || nowNanos - sent >= intervalNanos;
  }

  /**
   * Counts a topic as sent. Where there is no place to remember it, the one sent longest ago is
   * forgotten, and may be sent again too early.
   */
  void sent(String topic, long nowNanos) {
    if (pace != null) {
      pace.sent(topic.hashCode(), nowNanos);
    }
    if (caps != null) {
      caps.sent(topic, nowNanos);
    }
    if (intervalNanos == 0) {
      return;
    }
    forgetOld(nowNanos);
    if (sentNanos.remove(topic) == null && !topics.take(1)) {
      if (sentNanos.isEmpty()) {
        return;
      }
      forgetFirst();
      topics.take(1);
    }
    sentNanos.put(topic, nowNanos);
  }

  /**
   * Hands over the records that are due, while there is room; the topic that has waited longest
   * comes first.
   */
  void drain(BooleanSupplier hasRoom, Consumer<Entry> writer, long nowNanos) {
    Iterator<Entry> entries = waiting.values().iterator();
    while (hasRoom.getAsBoolean() && entries.hasNext()) {
      Entry entry = entries.next();
      if (isDue(entry.topic(), nowNanos)) {
        entries.remove();
        topics.giveBack(1);
        sent(entry.topic(), nowNanos);
        writer.accept(entry);
      }
    }
  }

  /** Hands over the words that wait, while there is room. */
  void drainWords(BooleanSupplier hasRoom, Consumer<Entry> writer) {
    Iterator<Entry> entries = words.values().iterator();
    while (hasRoom.getAsBoolean() && entries.hasNext()) {
      Entry word = entries.next();
      entries.remove();
      topics.giveBack(1);
      writer.accept(word);
    }
  }

  /** They are in the order in which they were sent. */
  private void forgetOld(long nowNanos) {
    while (!sentNanos.isEmpty()
        && nowNanos - sentNanos.values().iterator().next() >= intervalNanos) {
      forgetFirst();
    }
  }

  private void forgetFirst() {
    Iterator<Long> oldest = sentNanos.values().iterator();
    oldest.next();
    oldest.remove();
    topics.giveBack(1);
  }
}
