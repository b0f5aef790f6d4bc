package io.galop.cluster;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.config.Config;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vert.x's Hazelcast cluster manager, made to live without data members.
 *
 * <p>The stock one keeps who consumes what, and where each node is reached, in distributed maps. A
 * lite member cannot enter itself there before a data member is up, and loses its entries with the
 * last one; others then send into the void. Here a Galop address names its node and a node's
 * whereabouts are member attributes, so neither needs an entry; other addresses (users' own
 * verticles) still use the maps, and are entered again when a data member comes, or when a look
 * finds that their entry is lost.
 */
final class NodeClusterManager extends HazelcastClusterManager {
  private static final Logger LOG = LoggerFactory.getLogger(NodeClusterManager.class);

  private final NodeAttributes attributes;
  private final BusAddresses buses;
  private final Map<String, RegistrationInfo> others = new ConcurrentHashMap<>();

  private volatile boolean isLeaving;

  /**
   * @param buses is told where the event bus of another node is, before it is connected to
   */
  NodeClusterManager(Config config, NodeAttributes attributes, BusAddresses buses) {
    super(config);
    this.buses = buses;
    this.attributes = attributes;
  }

  @Override
  public void setNodeInfo(NodeInfo nodeInfo, Completable<Void> done) {
    done.succeed();
  }

  @Override
  public synchronized NodeInfo getNodeInfo() {
    return attributes.toNodeInfo();
  }

  @Override
  public void getNodeInfo(String nodeId, Completable<NodeInfo> done) {
    Optional<NodeInfo> info =
        getHazelcastInstance().getCluster().getMembers().stream()
            .filter(member -> NodeAttributes.id(member).equals(nodeId))
            .findFirst()
            .flatMap(NodeAttributes::of)
            .map(NodeAttributes::toNodeInfo);
    if (info.isPresent()) {
      buses.put(info.get().host(), info.get().port());
      done.succeed(info.get());
    } else {
      done.fail("node " + nodeId + " is not in the cluster");
    }
  }

  @Override
  public void getRegistrations(String address, Completable<List<RegistrationInfo>> done) {
    Optional<String> node = NodeAddress.node(address);
    if (node.isPresent()) {
      done.succeed(List.of(new RegistrationInfo(node.get(), 0, false)));
    } else {
      super.getRegistrations(address, done);
    }
  }

  @Override
  public void addRegistration(String address, RegistrationInfo info, Completable<Void> done) {
    if (NodeAddress.node(address).isPresent()) {
      done.succeed();
      return;
    }
    if (!info.localOnly()) {
      others.put(address + '/' + info.seq(), info);
    }
    super.addRegistration(address, info, done);
  }

  @Override
  public void removeRegistration(String address, RegistrationInfo info, Completable<Void> done) {
    if (NodeAddress.node(address).isPresent()) {
      done.succeed();
      return;
    }
    others.remove(address + '/' + info.seq());
    super.removeRegistration(address, info, done);
  }

  @Override
  public void leave(Completable<Void> done) {
    isLeaving = true;
    super.leave(done);
  }

  /** Whether this node leaves the cluster of its own will. */
  boolean isLeaving() {
    return isLeaving;
  }

  /** A member holds data where none did: what could not be entered, or was lost, is entered. */
  void onFirstData() {
    new ArrayList<>(others.entrySet()).forEach(this::enterAgain);
  }

  /** Which consumers the cluster's map does not have; fails where it cannot be read just now. */
  Future<Set<String>> missing() {
    return missing(new ArrayDeque<>(others.entrySet()), new HashSet<>());
  }

  /** One after the other: each takes a thread of the pool that all questions to stores have. */
  private Future<Set<String>> missing(
      Deque<Map.Entry<String, RegistrationInfo>> left, Set<String> missing) {
    Map.Entry<String, RegistrationInfo> next = left.poll();
    if (next == null) {
      return Future.succeededFuture(missing);
    }
    Promise<List<RegistrationInfo>> read = Promise.promise();
    super.getRegistrations(address(next.getKey()), read);
    return read.future()
        .compose(
            known -> {
              if (!known.contains(next.getValue())) {
                missing.add(next.getKey());
              }
              return missing(left, missing);
            });
  }

  /** Enters one of {@link #missing} again, unless it has gone meanwhile. */
  void enterAgain(String key) {
    RegistrationInfo info = others.get(key);
    if (info != null) {
      enterAgain(Map.entry(key, info));
    }
  }

  private void enterAgain(Map.Entry<String, RegistrationInfo> entry) {
    String address = address(entry.getKey());
    super.addRegistration(
        address,
        entry.getValue(),
        (done, failure) -> {
          if (failure != null) {
            LOG.warn("cannot register the consumer of {} in the cluster again", address);
          } else if (!others.containsKey(entry.getKey())) { // it has gone meanwhile
            super.removeRegistration(address, entry.getValue(), (gone, why) -> {});
          }
        });
  }

  /** Of a key of {@link #others}. */
  static String address(String key) {
    return key.substring(0, key.lastIndexOf('/'));
  }

  @Override
  public synchronized void memberRemoved(MembershipEvent event) {
    if (dataMembers(event) > 0) {
      super.memberRemoved(event);
    } else {
      // The maps that the stock manager would clean have gone with their last member.
      LOG.info("the last storing node has left; waiting for one");
    }
  }

  private static long dataMembers(MembershipEvent event) {
    return event.getMembers().stream().filter(member -> !member.isLiteMember()).count();
  }
}
