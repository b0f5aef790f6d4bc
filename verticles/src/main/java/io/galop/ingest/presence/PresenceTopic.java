package io.galop.ingest.presence;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.util.List;

/** A filter whose viewers are counted, and the topic that tells them. For one event loop. */
final class PresenceTopic {
  private final Cluster cluster;
  private final String topic;
  private final TopicFilter filter;
  private final PresenceState state = new PresenceState(System.nanoTime());

  PresenceTopic(Cluster cluster, String filter) {
    this.cluster = cluster;
    this.topic = Topic.presence(filter);
    this.filter = TopicFilter.parse(filter, Integer.MAX_VALUE);
  }

  TopicFilter filter() {
    return filter;
  }

  /** Of what the topic tells. */
  PresenceState state() {
    return state;
  }

  /** Whether this node tells it: one of those that take records in, by the topic. */
  boolean isMine() {
    return isMine(cluster.members());
  }

  private boolean isMine(List<Member> members) {
    return Cluster.owner(Role.INGEST, topic.hashCode(), members)
        .map(Member::name)
        .filter(cluster.self().name()::equals)
        .isPresent();
  }

  /** The cluster has changed. */
  void onMembers(List<Member> members) {
    state.others(isMine(members), System.nanoTime());
  }

  int shard() {
    return Topic.shard(topic, cluster.shards());
  }

  /** A record that says what is to be said; on the way until the state is settled. */
  Record say(String id, long timeUs) {
    return new Record(id, topic, timeUs, state.say());
  }
}
