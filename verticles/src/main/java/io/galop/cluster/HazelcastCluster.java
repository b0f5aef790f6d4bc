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
  private final NodeClusterManager manager;
  private final List<Consumer<List<Member>>> listeners = new CopyOnWriteArrayList<>();
  private final List<Runnable> shutOut = new CopyOnWriteArrayList<>();
  private final AtomicLong merges = new AtomicLong();
  private final AtomicLong lostConsumers = new AtomicLong();
  private final RegistrationWatch watch = new RegistrationWatch();
  private volatile List<Member> members;

  /** On the event loop of {@link #lookForConsumers}. */
  private boolean isLooking;

  /** Written on that loop. Once so, it stays so. */
  private volatile boolean isGivenUp;

  /**
   * @param manager is told when a node holds data where none did
   */
  HazelcastCluster(
      HazelcastInstance hazelcast, NodeAttributes attributes, NodeClusterManager manager) {
    this.hazelcast = hazelcast;
    this.self = member(hazelcast.getCluster().getLocalMember()).findFirst().orElseThrow();
    this.shards = attributes.shards();
    this.manager = manager;
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
  public long lostConsumers() {
    return lostConsumers.get();
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
    if (isGivenUp) { // before anybody listened; another call does no harm
      listener.run();
    }
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
    lookForOpened();
  }

  /** Hazelcast tells nobody of a promotion, so it is looked for: to be called often. */
  @Override
  public void lookForOpened() {
    try {
      if (opening(members) != opening(now())) {
        onMembership();
      }
    } catch (HazelcastInstanceNotActiveException e) {
      LOG.debug("the node leaves the cluster, nobody is looked for any more");
    }
  }

  /**
   * Looks from now on whether the cluster still knows this node's consumers, and enters again what
   * it has lost; where that does not help this node has to go. There is one look at a time.
   */
  void watchConsumers(Vertx vertx) {
    vertx.setPeriodic(RegistrationWatch.LOOK_MS, timer -> lookForConsumers());
  }

  private void lookForConsumers() {
    if (isLooking || manager.isLeaving() || !holdsData(members)) {
      return;
    }
    isLooking = true;
    manager
        .missing()
        .onComplete(
            (missing, why) -> {
              isLooking = false;
              if (why == null) {
                mend(watch.look(missing));
              } else {
                LOG.debug("the cluster's consumers cannot be read just now", why);
              }
            });
  }

  private void mend(RegistrationWatch.Verdict verdict) {
    if (verdict.lost() > 0) {
      lostConsumers.addAndGet(verdict.lost());
      LOG.warn("the cluster has lost {}; they are entered again", verdict.again());
    }
    verdict.again().forEach(manager::enterAgain);
    if (verdict.isGivenUp() && !isGivenUp && !manager.isLeaving()) {
      isGivenUp = true;
      LOG.error("the cluster does not keep {} of this node", verdict.again());
      shutOut.forEach(Runnable::run);
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
      manager.onFirstData();
    }
  }

  private static boolean holdsData(List<Member> members) {
    return members.stream().anyMatch(member -> member.mayOwn(Role.PERSIST));
  }
}
