package io.galop.ops;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import java.util.stream.IntStream;

/** How the shards are spread. */
final class Shares {
  private Shares() {}

  /** How many shards a member stores. */
  static long of(Cluster cluster, Member member) {
    return IntStream.range(0, cluster.shards())
        .filter(shard -> cluster.owner(Role.PERSIST, shard).filter(member::equals).isPresent())
        .count();
  }
}
