package io.galop.ops.cluster;

import io.galop.cluster.Member;
import io.galop.config.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which nodes have been members of the cluster and are not any more. One that does not come back is
 * forgotten after an hour: by then it is known, or was meant to go. For one thread.
 */
final class LostNodes {
  static final Duration KEPT = Duration.ofHours(1);

  /** By name, with the roles. */
  private final Map<String, String> seen = new TreeMap<>();

  private final Map<String, Instant> lost = new TreeMap<>();

  /**
   * Those that are missing.
   *
   * @param what says which
   * @param since when the first of them was missed
   */
  record Missing(String what, Instant since) {}

  /** Looks at who is there; tells who is not. */
  Optional<Missing> look(Collection<Member> members, Instant now) {
    seen.keySet().forEach(name -> lost.putIfAbsent(name, now));
    for (Member member : members) {
      seen.put(member.name(), member.name() + " (" + roles(member.roles()) + ")");
      lost.remove(member.name());
    }
    lost.values().removeIf(since -> since.plus(KEPT).isBefore(now));
    Set<String> there = members.stream().map(Member::name).collect(Collectors.toSet());
    seen.keySet().removeIf(name -> !there.contains(name) && !lost.containsKey(name));
    return lost.values().stream().min(Instant::compareTo).map(since -> new Missing(what(), since));
  }

  private String what() {
    String names =
        lost.keySet().stream()
            .map(name -> seen.getOrDefault(name, name))
            .collect(Collectors.joining(", "));
    return lost.size() == 1
        ? "the node " + names + " is lost: it is in the cluster no more"
        : lost.size() + " nodes are lost: they are in the cluster no more: " + names;
  }

  private static String roles(Set<Role> roles) {
    return roles.stream().sorted().map(Role::word).collect(Collectors.joining(", "));
  }
}
