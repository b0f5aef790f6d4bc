package io.galop.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What is done about consumers that the cluster's map does not have, look by look. Pure but for its
 * memory of them; on one thread. A look that failed says nothing, and must not be told.
 */
final class RegistrationWatch {
  /** The time between two looks. */
  static final long LOOK_MS = 2_000;

  /** One that comes or goes just now may lack its entry at one look, and not at two in a row. */
  static final int ENTER_AT = 2;

  /** In less than 15 s since it was lost, the looks' own time included. */
  static final int GIVE_UP_AT = 6;

  private Map<String, Integer> missed = Map.of();

  /**
   * What a look leads to.
   *
   * @param again those to be entered again
   * @param lost how many of these were not known to be lost before
   * @param isGivenUp whether that did not help for so long that this node has to go
   */
  record Verdict(Set<String> again, int lost, boolean isGivenUp) {}

  /**
   * @param missing all that are not in the map
   */
  Verdict look(Set<String> missing) {
    Map<String, Integer> now = new HashMap<>();
    missing.forEach(key -> now.put(key, missed.getOrDefault(key, 0) + 1));
    Set<String> again = new HashSet<>(missing);
    again.removeIf(key -> now.getOrDefault(key, 0) < ENTER_AT);
    long lost = again.stream().filter(key -> now.getOrDefault(key, 0) == ENTER_AT).count();
    boolean isGivenUp = now.values().stream().anyMatch(looks -> looks >= GIVE_UP_AT);
    missed = now;
    return new Verdict(Set.copyOf(again), (int) lost, isGivenUp);
  }
}
