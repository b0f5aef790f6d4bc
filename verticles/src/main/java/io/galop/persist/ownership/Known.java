package io.galop.persist.ownership;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a node knows of a shard in every state.
 *
 * @param others ids of nodes that may have placed records which nobody here has asked for; at most
 *     {@link #MAX_OTHERS}, oldest first
 * @param leaving ids of nodes that hand the shard over because they leave: until they have gone it
 *     seems to be theirs
 * @param newestEpoch the largest epoch that anybody has told of: the next one here is larger
 * @param ownEpoch the epoch that this node began last; 0 if it began none
 * @param attempt counts takeovers: what comes back from an older one is ignored
 * @param isEnding whether this node shuts down, and takes nothing that is offered
 */
public record Known(
    Set<String> others,
    Set<String> leaving,
    long newestEpoch,
    long ownEpoch,
    int attempt,
    boolean isEnding) {
  /**
   * An id is of one start of a process, so old ones never come back. As long as one of them is not
   * there, nothing is called certain, and which one that is does not matter.
   */
  public static final int MAX_OTHERS = 256;

  public Known {
    others = Collections.unmodifiableSet(new LinkedHashSet<>(others));
    leaving = Set.copyOf(leaving);
  }

  /** What a node knows that has just started. */
  public static Known nothing() {
    return new Known(Set.of(), Set.of(), 0, 0, 0, false);
  }

  Known withOthers(Collection<String> more) {
    if (others.containsAll(more)) {
      return this;
    }
    Set<String> all = new LinkedHashSet<>(others);
    all.addAll(more);
    while (all.size() > MAX_OTHERS) {
      all.remove(all.iterator().next());
    }
    return new Known(all, leaving, newestEpoch, ownEpoch, attempt, isEnding);
  }

  Known withoutOthers() {
    return new Known(Set.of(), leaving, newestEpoch, ownEpoch, attempt, isEnding);
  }

  Known seen(long epoch) {
    return epoch <= newestEpoch
        ? this
        : new Known(others, leaving, epoch, ownEpoch, attempt, isEnding);
  }

  Known began(long epoch) {
    return new Known(others, leaving, Math.max(newestEpoch, epoch), epoch, attempt, isEnding);
  }

  Known nextAttempt() {
    return new Known(others, leaving, newestEpoch, ownEpoch, attempt + 1, isEnding);
  }

  Known ending() {
    return new Known(others, leaving, newestEpoch, ownEpoch, attempt, true);
  }

  /** A node leaves; those that are not present have gone. */
  Known leftBy(String holder, Set<String> present) {
    Set<String> all = new LinkedHashSet<>(leaving);
    all.retainAll(present);
    all.add(holder);
    return new Known(others, all, newestEpoch, ownEpoch, attempt, isEnding);
  }
}
