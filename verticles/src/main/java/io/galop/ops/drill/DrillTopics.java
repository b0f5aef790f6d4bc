package io.galop.ops.drill;

import io.galop.config.broadcast.BroadcastConfig;
import io.galop.config.broadcast.FreshnessConfig;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The topics of a node's drills: two for each shard, and one that falls silent. */
final class DrillTopics {
  /** A topic that is silent for longer is not waited for. */
  private static final long LONGEST_SILENCE_MS = 60_000;

  private final String root;
  private final int shards;
  private final Supplier<BroadcastConfig> config;

  /**
   * @param config what is in force at the moment
   */
  DrillTopics(String node, int shards, Supplier<BroadcastConfig> config) {
    this.root = Topic.DRILL + node.replaceAll("[^A-Za-z0-9._-]", "_") + "/";
    this.shards = shards;
    this.config = config;
  }

  /** The topic of the next shard, so that all have their turn; the same few again and again. */
  String of(long number) {
    return of(root, number);
  }

  /** The same of those whose records are refused. */
  String refused(long number) {
    return of(root.substring(0, root.length() - 1) + Topic.REFUSED, number);
  }

  private String of(String under, long number) {
    int shard = (int) (number % shards);
    for (int i = 0; ; i++) {
      String topic = under + i;
      if (Topic.shard(topic, shards) == shard) {
        return topic;
      }
    }
  }

  String silent() {
    return root + "silent";
  }

  /** After how much silence of its topic viewers are told; empty: never, or too late. */
  OptionalLong silentMs() {
    return config.get().freshness().stream()
        .filter(rule -> TopicFilter.parse(rule.filter(), Integer.MAX_VALUE).matches(silent()))
        .mapToLong(FreshnessConfig::maxAgeMs)
        .filter(ms -> ms <= LONGEST_SILENCE_MS)
        .min();
  }
}
