package io.galop.persist;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Nodes of one Vertx that take themselves for members of a cluster. */
final class TestCluster {
  private final List<Member> members = new CopyOnWriteArrayList<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final Set<String> apart = ConcurrentHashMap.newKeySet();
  private final Map<String, String> opening = new ConcurrentHashMap<>();
  private final Set<String> blind = ConcurrentHashMap.newKeySet();
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final int shards;

  TestCluster(int shards) {
    this.shards = shards;
  }

  /** A member joins; {@link #announce} tells the others. */
  Cluster join(String id, String name, Role... roles) {
    Member self = new Member(id, name, Set.of(roles));
    members.add(self);
    return new View(self);
  }

  void leave(String id) {
    members.removeIf(member -> member.id().equals(id));
  }

  /** The network is cut between a member and all others; {@link #announce} tells them. */
  void cutOff(String id) {
    apart.add(id);
  }

  /**
   * A member has not been told yet that another may own something.
   *
   * @param isBlind whether it does not see that either when it looks
   */
  void takesForOpening(String by, String id, boolean isBlind) {
    opening.put(by, id);
    if (isBlind) {
      blind.add(by);
    }
  }

  /** It is told. */
  void tell(String by) {
    opening.remove(by);
  }

  private Member seen(String by, Member member) {
    return member.id().equals(opening.get(by))
        ? new Member(member.id(), member.name(), member.roles(), true)
        : member;
  }

  /** Looking at the members fails once where a class of this name does it. */
  void failOnceIn(String className) {
    failing.add(className);
  }

  /** Only there: other threads look meanwhile. */
  private void failIfTold() {
    if (failing.stream().anyMatch(one -> isCalledIn(one) && failing.remove(one))) {
      throw new IllegalStateException("told to fail");
    }
  }

  private static boolean isCalledIn(String className) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith(className)));
  }

  boolean hasFailed() {
    return failing.isEmpty();
  }

  /** All see each other again. */
  void reunite() {
    apart.clear();
  }

  void announce() {
    listeners.forEach(Runnable::run);
  }

  private final class View implements Cluster {
    private final Member self;

    private View(Member self) {
      this.self = self;
    }

    @Override
    public Member self() {
      return self;
    }

    @Override
    public List<Member> members() {
      failIfTold();
      return apart.contains(self.id())
          ? List.of(self)
          : members.stream()
              .filter(member -> !apart.contains(member.id()))
              .map(member -> seen(self.id(), member))
              .toList();
    }

    @Override
    public void lookForOpened() {
      if (!blind.contains(self.id())) {
        opening.remove(self.id());
      }
    }

    @Override
    public int shards() {
      return shards;
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {
      Context context = Vertx.currentContext();
      listeners.add(
          context == null
              ? () -> listener.accept(members())
              : () -> context.runOnContext(v -> listener.accept(members())));
    }
  }
}
