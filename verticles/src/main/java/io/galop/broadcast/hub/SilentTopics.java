package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.record.TopicFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The topics that are silent for longer than they may be, as one event loop has heard of them. */
final class SilentTopics {
  private final Map<String, Entry> words = new HashMap<>();

  /** Takes what {@link io.galop.broadcast.feed.Freshness} has said. */
  void take(Entry word) {
    if (word.isStaleWord()) {
      words.put(word.topic(), word);
    } else {
      words.remove(word.topic());
    }
  }

  /** These topics are no longer watched. */
  void forget(List<String> topics) {
    topics.forEach(words::remove);
  }

  boolean has(String topic) {
    return words.containsKey(topic);
  }

  /** The words about the topics that a filter means. */
  List<Entry> of(TopicFilter filter) {
    if (filter.isExact()) {
      Entry word = words.get(filter.toString());
      return word == null ? List.of() : List.of(word);
    }
    return words.values().stream().filter(word -> filter.matches(word.topic())).toList();
  }
}
