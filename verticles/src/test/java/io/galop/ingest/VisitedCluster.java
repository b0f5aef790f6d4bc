package io.galop.ingest;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A node of a cluster into which another comes for a moment. */
public final class VisitedCluster implements Cluster {
  private final Member self = new Member("1", "n", Set.of(Role.values()));
  private final int shards;
  private final List<Runnable> visits = new CopyOnWriteArrayList<>();

  public VisitedCluster(int shards) {
    this.shards = shards;
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> members() {
    return List.of(self);
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public void onChange(Consumer<List<Member>> listener) {
    Context context = Vertx.currentContext();
    if (context == null) {
      return; // the bus, to whose stages nobody came
    }
    List<Member> both = List.of(self, new Member("2", owner(), Set.of(Role.INGEST)));
    visits.add(
        () ->
            context.runOnContext(
                now -> {
                  listener.accept(both);
                  listener.accept(members());
                }));
  }

  /** Tells of the other, and that it has gone. */
  public void visit() {
    visits.forEach(Runnable::run);
  }

  /** A name that source s falls to beside this node. */
  private String owner() {
    return IntStream.range(0, 100)
        .mapToObj(i -> "other-" + i)
        .filter(name -> isOwner(new Member("2", name, Set.of(Role.INGEST))))
        .findFirst()
        .orElseThrow();
  }

  private boolean isOwner(Member other) {
    return Cluster.owner(Role.INGEST, "s".hashCode(), List.of(self, other)).get().equals(other);
  }
}
