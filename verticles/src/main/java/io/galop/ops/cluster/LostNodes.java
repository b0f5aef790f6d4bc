package io.galop.ops.cluster;

import io.galop.cluster.Member;
import io.galop.config.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which nodes have been members of the cluster and are not any more, without a word that they go.
 * One that does not come back is forgotten after an hour: by then it is known, or was meant to go.
 * For one thread.
 */
final class LostNodes {
  static final Duration KEPT = Duration.ofHours(1);

  /** By name. */
  private final Map<String, Member> seen = new TreeMap<>();

  /** The ids of those that have said so; a name comes back with another. */
  private final Set<String> leaving = new HashSet<>();

  private final Map<String, Instant> lost = new TreeMap<>();

  /**
   * Those that are missing.
   *
   * @param what says which
   * @param since when the first of those that are missing was missed
   */
  record Missing(String what, Instant since) {}

  /** A member says that it is about to go. */
  void leaves(String id) {
    leaving.add(id);
  }

  /** Looks at who is there; tells who is not. */
  Optional<Missing> look(Collection<Member> members, Instant now) {
    Set<String> there = members.stream().map(Member::name).collect(Collectors.toSet());
    seen.values().removeIf(one -> leaving.contains(one.id()) && !there.contains(one.name()));
    lost.keySet().retainAll(seen.keySet());
    seen.keySet().forEach(name -> lost.putIfAbsent(name, now));
    for (Member member : members) {
      seen.put(member.name(), member);
      lost.remove(member.name());
    }
    lost.values().removeIf(since -> since.plus(KEPT).isBefore(now));
    seen.keySet().removeIf(name -> !there.contains(name) && !lost.containsKey(name));
    leaving.retainAll(seen.values().stream().map(Member::id).toList());
    return lost.values().stream().min(Instant::compareTo).map(since -> new Missing(what(), since));
  }

  private String what() {
    String names =
        seen.values().stream()
            .filter(one -> lost.containsKey(one.name()))
            .map(one -> one.name() + " (" + roles(one.roles()) + ")")
            .collect(Collectors.joining(", "));
    return lost.size() == 1
        ? "the node " + names + " is lost: it is in the cluster no more"
        : lost.size() + " nodes are lost: they are in the cluster no more: " + names;
  }

  private static String roles(Set<Role> roles) {
    return roles.stream().sorted().map(Role::word).collect(Collectors.joining(", "));
  }
}
