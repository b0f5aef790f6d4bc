package io.galop.link;

import io.galop.bus.Carrier;
import io.galop.bus.Errand;
import io.galop.bus.Refusal;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A relay's cluster: the nodes that store, as those see them that have dialled it, and the way to
 * each: over its own link, or over another's through the secure zone. Safe to ask from any thread;
 * one event loop {@link #use}s others.
 */
public final class Links implements Cluster, Carrier {
  private final Member self;
  private final int shards;
  private final List<Consumer<List<Member>>> listeners = new CopyOnWriteArrayList<>();
  private volatile State state;

  /** What was said last; null before anything was. */
  private volatile Errand.@Nullable Want want;

  /**
   * @param open the links that are heard, oldest first
   * @param members those that they see, and this node
   * @param relays by which they have their feed, and this node
   */
  private record State(List<RelayLink> open, List<Member> members, List<Member> relays) {}

  /** Of a relay that nobody has dialled yet. */
  public Links(String name, int shards) {
    this.self = new Member("relay-" + UUID.randomUUID(), name, Set.of(Role.BROADCAST));
    this.shards = shards;
    this.state = new State(List.of(), List.of(self), List.of(self));
  }

  /** These links are heard from now on, and no others. */
  void use(List<RelayLink> open) {
    List<Member> members = Stream.concat(Stream.of(self), seen(open).values().stream()).toList();
    Stream<Member> before = open.stream().flatMap(link -> link.relays().stream());
    List<Member> relays = Stream.concat(before, Stream.of(self)).distinct().toList();
    state = new State(List.copyOf(open), members, relays);
    tellWant(); // before anything is asked over a link that is new
    listeners.forEach(listener -> listener.accept(members));
  }

  @Override
  public void want(Errand.Want wanted) {
    want = wanted;
    tellWant();
  }

  /** A link is told by whoever comes second, it or what is wanted: both look after they wrote. */
  private void tellWant() {
    Errand.Want wanted = want;
    if (wanted != null) {
      state.open().forEach(link -> link.want(wanted));
    }
  }

  /**
   * By name, as shards are given to names: of a node that was started again some may still see the
   * one before. What a node says of itself counts more than what others say.
   */
  private static Map<String, Member> seen(List<RelayLink> open) {
    Map<String, Member> byName = new LinkedHashMap<>();
    open.forEach(link -> link.members().forEach(one -> byName.put(one.name(), one)));
    for (RelayLink link : open) {
      for (Member one : link.members()) {
        if (one.id().equals(link.node())) {
          byName.put(one.name(), one);
        }
      }
    }
    return byName;
  }

  /** The links that are heard. */
  List<RelayLink> heard() {
    return state.open();
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public List<Member> members() {
    return state.members();
  }

  @Override
  public List<Member> relays() {
    return state.relays();
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public void onChange(Consumer<List<Member>> listener) {
    Context context = Vertx.currentContext();
    listeners.add(
        context == null ? listener : now -> context.runOnContext(ran -> listener.accept(now)));
  }

  @Override
  public Future<Object> send(Errand errand) {
    List<RelayLink> ways = ways(errand.node()).toList();
    return ways.isEmpty()
        ? Future.failedFuture(
            new Refusal(Refusal.Why.NOT_READY, "no link leads to node " + errand.node()))
        : ways.get(0).ask(errand);
  }

  @Override
  public String way(String node) {
    return ways(node).findFirst().map(RelayLink::name).orElse("");
  }

  @Override
  public boolean leavesOut(String node) {
    return ways(node).findFirst().map(RelayLink::takesWants).orElse(false);
  }

  /**
   * Its own first, then the oldest that sees it and may be asked, so that a shard does not change
   * ways for nothing.
   */
  private Stream<RelayLink> ways(String node) {
    List<RelayLink> open = state.open();
    return Stream.concat(
        open.stream().filter(link -> link.node().equals(node)),
        open.stream()
            .filter(RelayLink::mayAsk)
            .filter(link -> link.members().stream().anyMatch(one -> one.id().equals(node))));
  }

  @Override
  public boolean isOpen(String way) {
    return state.open().stream().anyMatch(link -> link.name().equals(way));
  }
}
