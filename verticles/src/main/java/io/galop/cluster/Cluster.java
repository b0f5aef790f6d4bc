package io.galop.cluster;

import io.galop.config.Role;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Who is there, and who owns what. Safe to call from any thread. */
public interface Cluster {
  /** This node. */
  Member self();

  /** All nodes that are up, this one included: the same list until they change. */
  List<Member> members();

  /**
   * The relays by which this node's feed has come, this one included; none unless it is a relay.
   */
  default List<Member> relays() {
    return List.of();
  }

  /** How many shards the topic space is divided into. */
  int shards();

  /**
   * Who handles a shard at the stage of a role, by rendezvous hashing over the names of the members
   * with that role; empty if there is none. A node that stores has no shard before it is {@link
   * #open}.
   */
  default Optional<Member> owner(Role role, int shard) {
    return owner(role, shard, members());
  }

  /** The same among other members, as those were that {@link #onChange} tells of. */
  static Optional<Member> owner(Role role, int shard, List<Member> members) {
    return Rendezvous.owner(shard, members.stream().filter(m -> m.mayOwn(role)));
  }

  /** Whether this node is the owner of a shard at the stage of a role. */
  default boolean owns(Role role, int shard) {
    return owner(role, shard).filter(self()::equals).isPresent();
  }

  /**
   * This node has read its Log and takes requests: from now on it may own what it stores. Blocks
   * until it knows that the others are told.
   *
   * @throws IllegalStateException if they cannot be told
   */
  default void open() {}

  /**
   * Looks at once whether a member has been {@link #open}ed, which this node would else notice a
   * moment later. To be called where the word of another node shows that it may have been.
   */
  default void lookForOpened() {}

  /**
   * How often this node has been taken in again by others that had gone on without it. Who notices
   * a change must take it that whoever is there may have owned anything meanwhile.
   */
  default long merges() {
    return 0;
  }

  /**
   * How many consumers of this node the cluster has lost, as it was found; each was entered again.
   */
  default long lostConsumers() {
    return 0;
  }

  /**
   * Calls back when the cluster has shut this node out for good, as it may while its halves become
   * one, or does not keep its consumers although they are entered again and again: nothing but
   * another start of the process brings it back.
   */
  default void onShutOut(Runnable listener) {}

  /**
   * Calls back with all members after every change, on the caller's Vert.x context if it has one.
   */
  void onChange(Consumer<List<Member>> listener);
}
