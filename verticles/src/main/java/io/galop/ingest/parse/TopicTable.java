package io.galop.ingest.parse;

import io.galop.config.ingest.IngestConfig;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Topics by their bytes, so that a topic that has been seen costs a hash and a comparison instead
 * of a new text, a check and a checksum. Bounded: a topic takes the place of another one that falls
 * on the same slot. For one thread.
 */
final class TopicTable {
  /** A topic, its shard, and the rule it breaks; empty if it may be published to. */
  record Entry(byte[] utf8, String topic, int shard, String wrong) {
    boolean isAllowed() {
      return wrong.isEmpty();
    }

    /** What is wrong with the topic and what to do. */
    String sentence() {
      return "topic '" + JsonText.shown(topic, SHOWN) + "' " + wrong + "; publish to another";
    }
  }

  private static final int SHOWN = 80;
  private static final int SLOTS = 1 << 14;
  private final Entry[] slots = new Entry[SLOTS];
  private final int shards;
  private final int maxTopicBytes;
  private final List<TopicFilter> allowed;

  /**
   * For a node's configuration.
   *
   * @throws IllegalArgumentException if one of {@code ingest.allowTopics} is no filter
   */
  TopicTable(IngestConfig config, int shards) {
    this.shards = shards;
    this.maxTopicBytes = config.limits().maxTopicBytes();
    this.allowed =
        config.allowTopics().stream()
            .map(filter -> TopicFilter.parse(filter, maxTopicBytes))
            .toList();
  }

  Entry of(String topic) {
    if (JsonText.isBroken(topic)) {
      return new Entry(new byte[0], topic, 0, "holds half a character");
    }
    byte[] utf8 = topic.getBytes(StandardCharsets.UTF_8);
    return of(utf8, 0, utf8.length);
  }

  /** A topic that only drills may publish to. */
  Entry ofDrill(String topic) {
    String rule = Topic.check(topic, maxTopicBytes);
    String wrong = Topic.isDrill(topic) ? rule : "is none of a drill";
    byte[] utf8 = topic.getBytes(StandardCharsets.UTF_8);
    return new Entry(utf8, topic, Topic.shard(topic, shards), wrong);
  }

  /** The topic that is written in valid UTF-8 in {@code bytes[from, to)}. */
  Entry of(byte[] bytes, int from, int to) {
    int slot = hash(bytes, from, to) & (SLOTS - 1);
    Entry entry = slots[slot];
    if (entry == null || !Arrays.equals(entry.utf8, 0, entry.utf8.length, bytes, from, to)) {
      entry = make(Arrays.copyOfRange(bytes, from, to));
      if (to - from <= maxTopicBytes) {
        slots[slot] = entry;
      }
    }
    return entry;
  }

  private Entry make(byte[] utf8) {
    String topic = new String(utf8, StandardCharsets.UTF_8);
    return new Entry(utf8, topic, Topic.shard(topic, shards), wrong(topic));
  }

  private String wrong(String topic) {
    String rule = Topic.check(topic, maxTopicBytes);
    if (!rule.isEmpty()) {
      return rule;
    }
    if (Topic.isReserved(topic)) {
      return "starts with '$', which is kept for Galop's own topics";
    }
    for (TopicFilter filter : allowed) {
      if (filter.matches(topic)) {
        return "";
      }
    }
    return allowed.isEmpty() ? "" : "matches no filter of ingest.allowTopics";
  }

  /** FNV-1a, with its upper bits brought down to where the slot is taken from. */
  private static int hash(byte[] bytes, int from, int to) {
    int hash = 0x811c9dc5;
    for (int i = from; i < to; i++) {
      hash = (hash ^ bytes[i]) * 0x01000193;
    }
    return hash ^ (hash >>> 15);
  }
}
