package io.galop.persist;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The other nodes that store, as this one has seen them over time: who was out of sight and is back
 * may have owned what this node owned too, and so may all of them when it was this process that
 * stood still, as one that is frozen or swapped out. Lives on one event loop.
 */
public final class Company {
  /** So long a node that stood still and finds itself alone waits for those that were there. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Each start of another node has an id of its own; older ones will not come back. */
  private static final int MOST_GONE = 256;

  private final Cluster cluster;
  private final long mostNanos;
  private final LongSupplier clock;
  private final Set<String> gone = new LinkedHashSet<>();
  private Set<String> present;
  private long merges;
  private long beatNanos;
  private long pauseNanos;
  private boolean hasLost;
  private boolean isInDoubt;
  private boolean wasAlone;
  private long doubtEndsNanos;

  /**
   * Looks from now on.
   *
   * @param mostNanos for how long the process may stand still unnoticed by the others
   */
  public Company(Cluster cluster, long mostNanos, LongSupplier clock) {
    this.cluster = cluster;
    this.mostNanos = mostNanos;
    this.clock = clock;
    this.beatNanos = clock.getAsLong();
    this.merges = cluster.merges();
    this.present = others();
  }

  private Set<String> others() {
    return cluster.members().stream()
        .filter(member -> member.roles().contains(Role.PERSIST))
        .map(Member::id)
        .filter(id -> !id.equals(cluster.self().id()))
        .collect(Collectors.toSet());
  }

  /**
   * Looks who is there.
   *
   * @return the ids of those that are back: an id is of one start of a process, so they have been
   *     up all the time
   */
  public Set<String> look() {
    Set<String> now = others();
    Set<String> back = new HashSet<>(now);
    if (merges == cluster.merges()) {
      back.retainAll(gone);
    }
    merges = cluster.merges();
    hasLost = !now.containsAll(present);
    gone.addAll(present);
    gone.removeAll(now);
    while (gone.size() > MOST_GONE) {
      gone.remove(gone.iterator().next());
    }
    present = now;
    if (isInDoubt) {
      boolean isBack = wasAlone && !now.isEmpty() || !back.isEmpty();
      wasAlone |= now.isEmpty();
      isInDoubt = !isBack && clock.getAsLong() - doubtEndsNanos < 0;
    }
    return back;
  }

  /** Whether the last look missed somebody who was there before it. */
  public boolean hasLost() {
    return hasLost;
  }

  /**
   * To be called before anything that came from elsewhere is dealt with.
   *
   * @return whether the process has just stood still for so long that the others may have gone on
   *     without it
   */
  public boolean stoodStill() {
    long now = clock.getAsLong();
    long silenceNanos = now - beatNanos;
    boolean tooLong = silenceNanos > mostNanos;
    beatNanos = now;
    if (!tooLong || present.isEmpty()) {
      return false;
    }
    isInDoubt = true;
    wasAlone = false;
    pauseNanos = silenceNanos;
    doubtEndsNanos = now + PATIENCE_NANOS;
    return true;
  }

  /** The duration of the last pause that {@link #stoodStill} reported, in seconds; 0 before. */
  double pausedSeconds() {
    return pauseNanos / 1e9;
  }

  /**
   * Whether this node may take what its view of the cluster gives it: after a standstill not while
   * it sees nobody else, since it may be the one that was thrown out.
   */
  public boolean mayTake() {
    return !isInDoubt || !others().isEmpty() || clock.getAsLong() - doubtEndsNanos >= 0;
  }
}
