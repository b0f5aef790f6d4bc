package io.galop.cluster;

import io.galop.config.Role;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * A node of the cluster as the others see it. Two are the same if their ids are, whatever became
 * known of them in between.
 *
 * @param id new at every start; part of the node's addresses
 * @param name kept over restarts; shards are given to names
 * @param roles what it runs
 * @param isOpening whether it has not read its Log yet: then it stores nothing for now, and no
 *     shard is its own
 */
public record Member(String id, String name, Set<Role> roles, boolean isOpening) {
  public Member {
    roles = Set.copyOf(roles);
  }

  /** A node that does what its roles say. */
  public Member(String id, String name, Set<Role> roles) {
    this(id, name, roles, false);
  }

  /** Whether shards may be given to it at the stage of a role. */
  boolean mayOwn(Role role) {
    return roles.contains(role) && !(isOpening && role == Role.PERSIST);
  }

  /**
   * What the epochs that this start of the node begins have in common with no other's: an even
   * number of 32 bits, above 0. Neighbours of one cluster never have the same.
   */
  public long epochTag() {
    CRC32 sum = new CRC32();
    sum.update(id.getBytes(StandardCharsets.UTF_8));
    return Math.max(2, sum.getValue() & ~1L);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Member member && member.id.equals(id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }
}
