package io.galop.persist;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import java.util.List;
import java.util.function.Consumer;

/** The cluster as it would be without this node: who owns what when it has gone. */
record Others(Cluster cluster, List<Member> members) implements Cluster {
  @Override
  public Member self() {
    return cluster.self();
  }

  @Override
  public int shards() {
    return cluster.shards();
  }

  @Override
  public void onChange(Consumer<List<Member>> listener) {
    cluster.onChange(listener);
  }
}
