package io.galop.bus;

import io.galop.config.Role;
import java.util.Set;

/**
 * A node of the cluster as the others see it.
 *
 * @param id new at every start; part of the node's addresses
 * @param name kept over restarts; shards are given to names
 * @param roles what it runs
 */
public record Member(String id, String name, Set<Role> roles) {
  public Member {
    roles = Set.copyOf(roles);
  }
}
