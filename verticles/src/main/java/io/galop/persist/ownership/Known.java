package io.galop.persist.ownership;

import io.galop.persist.ownership.ShardEffect.AnswerSeal;
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
 * @param isInformed whether this node began an epoch or was told of one since it started, stood
 *     still or gave the shard away: it has heard of all that came since
 * @param isDoubting whether another node's lost Log may have held what is missing everywhere, and
 *     no owner has heard that
 */
public record Known(
    Set<String> others,
    Set<String> leaving,
    long newestEpoch,
    long ownEpoch,
    int attempt,
    boolean isEnding,
    boolean isInformed,
    boolean isDoubting) {
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
    return new Known(Set.of(), Set.of(), 0, 0, 0, false, false, false);
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
    return new Known(
        all, leaving, newestEpoch, ownEpoch, attempt, isEnding, isInformed, isDoubting);
  }

  Known withoutOthers() {
    return new Known(
        Set.of(), leaving, newestEpoch, ownEpoch, attempt, isEnding, isInformed, isDoubting);
  }

  Known seen(long epoch) {
    return epoch <= newestEpoch
        ? this
        : new Known(others, leaving, epoch, ownEpoch, attempt, isEnding, isInformed, isDoubting);
  }

  /**
   * Another node begins an epoch.
   *
   * @param isHeard whether it has heard what this node answered
   */
  Known told(long epoch, boolean isHeard) {
    Known now = seen(epoch);
    return new Known(
        now.others,
        leaving,
        now.newestEpoch,
        ownEpoch,
        attempt,
        isEnding,
        true,
        isDoubting && !isHeard);
  }

  /**
   * A node that stored here before is back with another Log. Whoever took part since it started
   * knows of all that the old one held; anybody else cannot say, and has to doubt it.
   */
  Known replaced() {
    long named = Math.max(1, newestEpoch); // 0 in an answer is as if it had not been heard
    return isInformed
        ? this
        : new Known(others, leaving, named, ownEpoch, attempt, isEnding, false, true);
  }

  Known began(long epoch) {
    long newest = Math.max(newestEpoch, epoch);
    return new Known(others, leaving, newest, epoch, attempt, isEnding, true, false);
  }

  /** What this node says to who asks for the shard. */
  AnswerSeal answer(long request, boolean isHeld) {
    return new AnswerSeal(request, isHeld, newestEpoch, isDoubting, isInformed);
  }

  /** Whether it knows what Logs that were replaced may have held. */
  public boolean mayForgetOldLogs() {
    return isInformed && !isDoubting;
  }

  /** Others may begin epochs of which this node does not hear. */
  Known uninformed() {
    return new Known(others, leaving, newestEpoch, ownEpoch, attempt, isEnding, false, isDoubting);
  }

  Known nextAttempt() {
    return new Known(
        others, leaving, newestEpoch, ownEpoch, attempt + 1, isEnding, isInformed, isDoubting);
  }

  Known ending() {
    return new Known(others, leaving, newestEpoch, ownEpoch, attempt, true, isInformed, isDoubting);
  }

  /** A node leaves; those that are not present have gone. */
  Known leftBy(String holder, Set<String> present) {
    Set<String> all = new LinkedHashSet<>(leaving);
    all.retainAll(present);
    all.add(holder);
    return new Known(others, all, newestEpoch, ownEpoch, attempt, isEnding, isInformed, isDoubting);
  }
}
