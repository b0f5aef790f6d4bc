package io.galop.ops.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Which other nodes of the cluster do not answer over the event bus, and whether that is because of
 * this one. Pure but for its memory of questions; on one thread.
 */
final class Hearing {
  /** The time between two questions to a node. */
  static final long ASK_MS = 2_000;

  /** With the last question's time limit found within 15 s. */
  private static final int SILENT_AT = 4;

  private final String self;
  private final int silentAt;
  private final Map<String, Integer> missed = new HashMap<>();

  /**
   * What is so.
   *
   * @param silent the ids of nodes that have not answered for long, sorted
   * @param isDeaf whether it is this node that should go
   */
  record Verdict(Set<String> silent, boolean isDeaf) {}

  /**
   * @param self this node's id
   * @param silentAt how many questions in a row a silent node has not answered
   */
  Hearing(String self, int silentAt) {
    this.self = self;
    this.silentAt = silentAt;
  }

  /**
   * Later than the cluster takes a node for dead: of those that have died none answers, and this
   * one hears well.
   *
   * @param maxSilenceSeconds after which a member counts as dead
   */
  static int silentAt(int maxSilenceSeconds) {
    return (int) Math.max(SILENT_AT, TimeUnit.SECONDS.toMillis(maxSilenceSeconds) / ASK_MS + 1);
  }

  /** A node has answered, if only that it cannot. */
  void answered(String node) {
    missed.remove(node);
  }

  /** A node has not. */
  void missed(String node) {
    missed.merge(node, 1, Integer::sum);
  }

  /**
   * If nobody answers it is this node that hears nothing, or is not heard: all others would have to
   * be so at once. Of two it cannot be known which, and one has to stay: that is the elder.
   *
   * @param members the ids of all nodes, the eldest first
   */
  Verdict verdict(List<String> members) {
    Set<String> others = new HashSet<>(members);
    others.remove(self);
    missed.keySet().retainAll(others);
    Set<String> silent = new TreeSet<>(others);
    silent.removeIf(node -> missed.getOrDefault(node, 0) < silentAt);
    boolean isAll = !others.isEmpty() && silent.size() == others.size();
    return new Verdict(silent, isAll && (others.size() > 1 || !self.equals(members.get(0))));
  }
}
