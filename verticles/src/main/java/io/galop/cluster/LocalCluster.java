package io.galop.cluster;

import io.galop.config.Role;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** A node that is alone. */
public final class LocalCluster implements Cluster {
  private final Member self;
  private final List<Member> members;
  private final int shards;

  public LocalCluster(String name, Set<Role> roles, int shards) {
    this.self = new Member("local-" + UUID.randomUUID(), name, roles);
    this.members = List.of(self);
    this.shards = shards;
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> members() {
    return members;
  }

  @Override
  public int shards() {
    return shards;
  }

  /** Never calls back: a node that is alone stays alone. */
  @Override
  public void onChange(Consumer<List<Member>> listener) {}
}
