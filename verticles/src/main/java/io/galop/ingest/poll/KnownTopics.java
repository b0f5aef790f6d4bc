package io.galop.ingest.poll;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What was last published of each topic of a source, so that only changes become records. Bounded:
 * beyond {@code maxTopics} a new topic is not taken. For one thread.
 */
public final class KnownTopics {
  /** What is to be published: an item, and the id that it keeps until it is acknowledged. */
  public record Change(PollItem item, String id) {}

  private static final class Known {
    private ContentHash hash = ContentHash.GONE;
    private String id = "";
    private boolean acknowledged;
  }

  private final Map<String, Known> topics = new HashMap<>();
  private final int maxTopics;
  private final boolean recordsGone;
  private final Supplier<String> ids;
  private int unchanged;
  private int gone;
  private int overLimit;

  /**
   * Nothing is known yet.
   *
   * @param recordsGone whether a topic that is in the answer no more gets a record
   * @param ids ids that are used once
   */
  public KnownTopics(int maxTopics, boolean recordsGone, Supplier<String> ids) {
    this.maxTopics = maxTopics;
    this.recordsGone = recordsGone;
    this.ids = ids;
  }

  /** What of an answer is to be published; the counts are of this answer then. */
  public List<Change> changes(List<PollItem> items) {
    unchanged = 0;
    gone = 0;
    overLimit = 0;
    List<Change> changes = new ArrayList<>();
    removeGone(changes, items);
    for (PollItem item : items) {
      Known known = topics.get(item.topic());
      if (known == null && topics.size() >= maxTopics) {
        overLimit++;
      } else {
        add(changes, known == null ? begin(item.topic()) : known, item);
      }
    }
    return changes;
  }

  /** Before what is new comes, for which there is room then. */
  private void removeGone(List<Change> changes, List<PollItem> items) {
    Set<String> there = items.stream().map(PollItem::topic).collect(Collectors.toSet());
    topics.entrySet().stream()
        .filter(known -> !there.contains(known.getKey()))
        .toList()
        .forEach(known -> leave(changes, known.getKey(), known.getValue()));
  }

  private Known begin(String topic) {
    Known known = new Known();
    topics.put(topic, known);
    return known;
  }

  private void add(List<Change> changes, Known known, PollItem item) {
    if (!known.hash.equals(item.hash())) {
      known.hash = item.hash();
      known.id = ids.get();
      known.acknowledged = false;
    }
    if (known.acknowledged) {
      unchanged++;
    } else {
      changes.add(new Change(item, known.id));
    }
  }

  private void leave(List<Change> changes, String topic, Known known) {
    boolean told = known.hash.equals(ContentHash.GONE) && known.acknowledged;
    if (!recordsGone || told) {
      topics.remove(topic);
      gone += recordsGone ? 0 : 1;
    } else {
      gone += known.hash.equals(ContentHash.GONE) ? 0 : 1;
      add(changes, known, PollItem.gone(topic));
    }
  }

  /** A change is acknowledged, or refused for good: it is not published again. */
  public void acknowledged(Change change) {
    Known known = topics.get(change.item().topic());
    if (known != null && known.id.equals(change.id())) {
      known.acknowledged = true;
    }
  }

  /** How many items of the last answer were as before. */
  public int unchanged() {
    return unchanged;
  }

  /** How many topics were in the last answer no more. */
  public int gone() {
    return gone;
  }

  /** How many items were not taken for want of room. */
  public int overLimit() {
    return overLimit;
  }

  /** How many topics are remembered. */
  public int size() {
    return topics.size();
  }

  /** Forgets everything: another node asks now. */
  public void clear() {
    topics.clear();
  }
}
