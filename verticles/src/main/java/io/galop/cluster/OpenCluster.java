package io.galop.cluster;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.transaction.TransactionOptions;
import java.lang.reflect.Field;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Hazelcast's members open to each other. Before the halves of a split cluster merge, one of
 * them is closed to new members: it is locked for a minute at most, then frozen until it has moved
 * over. When the member that does it stands still or dies, the others would take nobody back for as
 * long, or ever. Galop itself never closes a cluster.
 */
final class OpenCluster {
  private static final Logger LOG = LoggerFactory.getLogger(OpenCluster.class);

  /** The lock is taken twice; what it is for takes milliseconds, and is tried again if it fails. */
  static final long LOCK_MS = 5_000;

  /** A merge closes the smaller half for two seconds or so. */
  static final long CLOSED_MS = 10_000;

  private final HazelcastInstance hazelcast;
  private final LongSupplier nanos;
  private boolean isClosed;
  private long closedNanos;
  private boolean isOpening;

  OpenCluster(HazelcastInstance hazelcast, LongSupplier nanos) {
    this.hazelcast = hazelcast;
    this.nanos = nanos;
  }

  /** Hazelcast has no setting for it. To be called before the first member starts. */
  static void shortenLocks() {
    try {
      locks().setTimeout(LOCK_MS, TimeUnit.MILLISECONDS);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("a member that dies while it merges may close the cluster for a minute: {}", e, e);
    }
  }

  /** How Hazelcast locks the state of a cluster. */
  static TransactionOptions locks() throws ReflectiveOperationException {
    Field options =
        Class.forName("com.hazelcast.internal.cluster.impl.ClusterStateManager")
            .getDeclaredField("DEFAULT_TX_OPTIONS");
    options.setAccessible(true);
    return (TransactionOptions) options.get(null);
  }

  /** Whether {@link #open} is due: to be asked often. On one thread. */
  boolean isDue() {
    ClusterState state;
    try {
      state = hazelcast.getCluster().getClusterState();
    } catch (HazelcastInstanceNotActiveException e) {
      return false;
    }
    if (state == ClusterState.ACTIVE) {
      isClosed = false;
      return false;
    }
    if (!isClosed) {
      isClosed = true;
      closedNanos = nanos.getAsLong();
    }
    long closedMs = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - closedNanos);
    boolean isDue = closedMs >= CLOSED_MS && state != ClusterState.IN_TRANSITION && isFirst();
    return isDue && !isOpening;
  }

  /** One does it; when that one has gone, the next. */
  private boolean isFirst() {
    return hazelcast.getCluster().getMembers().iterator().next().localMember();
  }

  /** {@link #open} begins: no other does until it has ended. */
  void opening(boolean isUnderWay) {
    isOpening = isUnderWay;
  }

  /** Takes new members again. Blocking. */
  void open() {
    try {
      hazelcast.getCluster().changeClusterState(ClusterState.ACTIVE);
      LOG.warn("a merge that did not end had closed the cluster to new members; it is open again");
    } catch (HazelcastException | IllegalStateException e) {
      LOG.info("the cluster is closed to new members, trying again to open it: {}", e.getMessage());
    }
  }
}
