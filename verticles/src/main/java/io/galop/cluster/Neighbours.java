package io.galop.cluster;

import com.hazelcast.core.HazelcastInstance;
import io.galop.yaml.ConfigException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** What a node has to agree on with the others before it may serve. */
final class Neighbours {
  private static final long PAUSE_NS = 200_000_000;

  private Neighbours() {}

  /**
   * Blocks until this node fits the cluster.
   *
   * @param patienceMs how long another node of the same name may still be there: one that was
   *     killed and starts again finds itself until the others have noticed
   * @throws ConfigException naming what does not fit
   */
  static void check(HazelcastInstance hazelcast, NodeAttributes own, long patienceMs) {
    long deadline = System.nanoTime() + patienceMs * 1_000_000;
    Optional<String> problem = problem(hazelcast, own);
    while (problem.isPresent() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(PAUSE_NS);
      problem = problem(hazelcast, own);
    }
    if (problem.isPresent()) {
      throw new ConfigException(List.of(problem.get()));
    }
  }

  private static Optional<String> problem(HazelcastInstance hazelcast, NodeAttributes own) {
    com.hazelcast.cluster.Member self = hazelcast.getCluster().getLocalMember();
    return hazelcast.getCluster().getMembers().stream()
        .filter(member -> !member.equals(self))
        .flatMap(other -> problem(own, self, other).stream())
        .findFirst();
  }

  private static Optional<String> problem(
      NodeAttributes own, com.hazelcast.cluster.Member self, com.hazelcast.cluster.Member other) {
    Optional<NodeAttributes> said = NodeAttributes.of(other);
    return said.flatMap(attributes -> problem(own, attributes))
        .or(() -> said.filter(is -> tag(own, self) == tag(is, other)).map(Neighbours::sameTag));
  }

  private static long tag(NodeAttributes said, com.hazelcast.cluster.Member member) {
    return said.toMember(NodeAttributes.id(member), false).epochTag();
  }

  /** One start in two thousand million. */
  private static String sameTag(NodeAttributes other) {
    return "node.name: by chance this start of the node numbers its epochs as node '%s' does; start it again"
        .formatted(other.name());
  }

  private static Optional<String> problem(NodeAttributes own, NodeAttributes other) {
    if (other.shards() != own.shards()) {
      return Optional.of(
          "node.shards: is %d, but node '%s' of the cluster has %d; give all nodes the same"
              .formatted(own.shards(), other.name(), other.shards()));
    }
    return other.name().equals(own.name())
        ? Optional.of(
            "node.name: '%s' is taken by another node of the cluster; give each its own"
                .formatted(own.name()))
        : Optional.empty();
  }
}
