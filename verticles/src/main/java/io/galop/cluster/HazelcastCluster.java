package io.galop.cluster;

import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.galop.config.Role;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that Hazelcast sees. A node that stores joins as a lite member, like all others, and is
 * promoted when its Log is read: that is the one thing about a member that can change while it is
 * there, that all learn in the same order, and that does not outlive it.
 */
final class HazelcastCluster extends MembershipAdapter implements Cluster {
  private static final Logger LOG = LoggerFactory.getLogger(HazelcastCluster.class);
  private static final long PROMOTION_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PROMOTION_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final HazelcastInstance hazelcast;
  private final Member self;
  private final int shards;
  private final Runnable onFirstData;
  private final List<Consumer<List<Member>>> listeners = new CopyOnWriteArrayList<>();
  private final List<Runnable> shutOut = new CopyOnWriteArrayList<>();
  private final AtomicLong merges = new AtomicLong();
  private volatile List<Member> members;

  /**
   * @param manager is told when a node holds data where none did
   */
  HazelcastCluster(
      HazelcastInstance hazelcast, NodeAttributes attributes, NodeClusterManager manager) {
    this.hazelcast = hazelcast;
    this.self = member(hazelcast.getCluster().getLocalMember()).findFirst().orElseThrow();
    this.shards = attributes.shards();
    this.onFirstData = manager::onFirstData;
    this.members = now();
    hazelcast.getCluster().addMembershipListener(this);
    // When a split cluster is one again, those who changed sides may be told of no change.
    hazelcast
        .getLifecycleService()
        .addLifecycleListener(
            event -> {
              if (event.getState() == LifecycleState.MERGED) {
                merges.incrementAndGet();
                onMembership();
              } else if (event.getState() == LifecycleState.SHUTDOWN && !manager.isLeaving()) {
                shutOut.forEach(Runnable::run);
              }
            });
    this.members = now();
  }

  private List<Member> now() {
    return hazelcast.getCluster().getMembers().stream().flatMap(HazelcastCluster::member).toList();
  }

  private static Stream<Member> member(com.hazelcast.cluster.Member member) {
    return NodeAttributes.of(member)
        .map(said -> said.toMember(NodeAttributes.id(member), member.isLiteMember()))
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
  public void onShutOut(Runnable listener) {
    shutOut.add(listener);
  }

  /**
   * A member that leads the others and leaves just now fails the promotion, and the next one may
   * not: that is tried again, unless this member itself is on its way out.
   */
  @Override
  public void open() {
    long deadline = System.nanoTime() + PROMOTION_PATIENCE_NANOS;
    while (hazelcast.getCluster().getLocalMember().isLiteMember()) {
      try {
        hazelcast.getCluster().promoteLocalLiteMember();
      } catch (IllegalStateException | HazelcastException notNow) {
        boolean isGone = notNow instanceof HazelcastInstanceNotActiveException;
        if (isGone || System.nanoTime() - deadline > 0) {
          throw notNow;
        }
        LockSupport.parkNanos(PROMOTION_PAUSE_NANOS);
      }
    }
    look();
  }

  /** Hazelcast tells nobody of a promotion, so it is looked for: to be called often. */
  void look() {
    try {
      if (opening(members) != opening(now())) {
        onMembership();
      }
    } catch (HazelcastInstanceNotActiveException e) {
      LOG.debug("the node leaves the cluster, nobody is looked for any more");
    }
  }

  private static long opening(List<Member> members) {
    return members.stream().filter(Member::isOpening).count();
  }

  @Override
  public void memberAdded(MembershipEvent event) {
    onMembership();
  }

  @Override
  public void memberRemoved(MembershipEvent event) {
    onMembership();
  }

  private synchronized void onMembership() {
    boolean hadData = holdsData(members);
    List<Member> now = now();
    members = now;
    listeners.forEach(listener -> listener.accept(now));
    if (!hadData && holdsData(now)) {
      onFirstData.run();
    }
  }

  private static boolean holdsData(List<Member> members) {
    return members.stream().anyMatch(member -> member.mayOwn(Role.PERSIST));
  }
}
