package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Who owns each shard at a stage, and where that node takes its Batches: worked out once for each
 * change of the cluster, as it is asked several times for each Batch. From any thread.
 */
final class Owners {
  private final Cluster cluster;
  private final Role role;
  private final Lane lane;
  private volatile Known known;

  /** A shard's owner. */
  record Owner(Member member, String address) {}

  /**
   * @param members as the cluster gave them: after a change it gives another list
   */
  private record Known(List<Member> members, List<Optional<Owner>> byShard) {}

  Owners(Cluster cluster, Role role, Lane lane) {
    this.cluster = cluster;
    this.role = role;
    this.lane = lane;
    this.known = known(cluster.members());
  }

  Optional<Owner> of(int shard) {
    List<Member> members = cluster.members();
    Known now = known;
    if (now.members() != members) {
      now = known(members);
      known = now;
    }
    return now.byShard().get(shard);
  }

  /** Should they change meanwhile, the next who asks finds another list. */
  private Known known(List<Member> members) {
    List<Optional<Owner>> byShard = new ArrayList<>();
    for (int shard = 0; shard < cluster.shards(); shard++) {
      byShard.add(cluster.owner(role, shard).map(at(shard)));
    }
    return new Known(members, List.copyOf(byShard));
  }

  private Function<Member, Owner> at(int shard) {
    return owner -> new Owner(owner, Addresses.of(owner.id(), lane, shard));
  }
}
