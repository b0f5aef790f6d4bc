package io.galop.bus;

import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The nodes that Hazelcast sees. */
final class HazelcastCluster extends MembershipAdapter implements Cluster {
  private final HazelcastInstance hazelcast;
  private final Member self;
  private final int shards;
  private final List<Consumer<List<Member>>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong merges = new AtomicLong();
  private volatile List<Member> members;

  HazelcastCluster(HazelcastInstance hazelcast, NodeAttributes attributes) {
    this.hazelcast = hazelcast;
    this.self = attributes.toMember(NodeAttributes.id(hazelcast.getCluster().getLocalMember()));
    this.shards = attributes.shards();
    this.members = look();
    hazelcast.getCluster().addMembershipListener(this);
    // When a split cluster is one again, those who changed sides may be told of no change.
    hazelcast
        .getLifecycleService()
        .addLifecycleListener(
            event -> {
              if (event.getState() == LifecycleState.MERGED) {
                merges.incrementAndGet();
                onMembership();
              }
            });
    this.members = look();
  }

  private List<Member> look() {
    return hazelcast.getCluster().getMembers().stream().flatMap(HazelcastCluster::member).toList();
  }

  private static Stream<Member> member(com.hazelcast.cluster.Member member) {
    return NodeAttributes.of(member)
        .map(attributes -> attributes.toMember(NodeAttributes.id(member)))
        .stream();
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> members() {
    return members;
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public long merges() {
    return merges.get();
  }

  @Override
  public void onChange(Consumer<List<Member>> listener) {
    Context context = Vertx.currentContext();
    listeners.add(
        context == null ? listener : now -> context.runOnContext(ran -> listener.accept(now)));
  }

  @Override
  public void memberAdded(MembershipEvent event) {
    onMembership();
  }

  @Override
  public void memberRemoved(MembershipEvent event) {
    onMembership();
  }

  private void onMembership() {
    List<Member> now = look();
    members = now;
    listeners.forEach(listener -> listener.accept(now));
  }
}
