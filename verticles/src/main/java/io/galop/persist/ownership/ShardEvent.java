package io.galop.persist.ownership;

import io.galop.record.Position;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What happens to a shard's ownership. {@code request} names who waits for an answer; {@code
 * attempt} the takeover that something comes back from.
 */
public sealed interface ShardEvent {
  /**
   * The cluster was looked at: at each change and once a second.
   *
   * @param rightful id of the node that should own the shard; empty if there is none
   * @param isSelf whether that is this node
   * @param mayTake whether this node may take what its view of the cluster gives it
   */
  record Looked(Optional<String> rightful, boolean isSelf, boolean mayTake) implements ShardEvent {}

  /** Nodes were out of sight and are back: they may have owned the shard. */
  record Returned(Set<String> ids) implements ShardEvent {}

  /** Nodes have gone out of sight: one of them may take the shard beside this one. */
  record OthersLost() implements ShardEvent {}

  /** The process paused for so long that others may have taken the shard. */
  record Paused() implements ShardEvent {}

  /** Another node has seen an epoch that is larger than the one here. */
  record SeenNewer(long epoch) implements ShardEvent {}

  /**
   * Another node holds the shard, and this one should.
   *
   * @param present ids of the members that this node sees
   */
  record Offered(long request, String holder, long epoch, boolean isLeaving, Set<String> present)
      implements ShardEvent {}

  /**
   * Another node takes the shard.
   *
   * @param isSeen whether this node sees it
   * @param newestInMemory the largest epoch in this node's memory
   * @param isReplaced whether it stored the shard before, in another Log than it has now
   */
  record SealAsked(
      long request, String newOwner, boolean isSeen, long newestInMemory, boolean isReplaced)
      implements ShardEvent {}

  /**
   * Another node begins an epoch.
   *
   * @param heard the newest epoch in this node's answer, which the other has heard; 0 if it has not
   * @param isDoubtHeard whether it has read there whether this node is in doubt; older nodes do not
   */
  record OtherBegan(long epoch, String owner, long heard, boolean isDoubtHeard)
      implements ShardEvent {
    OtherBegan(long epoch, String owner, long heard) {
      this(epoch, owner, heard, heard > 0);
    }
  }

  /**
   * What was placed here is on disk.
   *
   * @param last the last durable Position
   * @param copy of a node whose acknowledged records are all here
   */
  record Settled(int attempt, Position last, Optional<SecondCopy> copy) implements ShardEvent {}

  /**
   * All nodes that store have answered, or did not in time.
   *
   * @param names of all that this node has ever seen storing, itself not among them
   * @param isReplaced whether one of those that answered stored the shard before, in another Log
   */
  record Answered(int attempt, List<Answer> answers, Set<String> names, boolean isReplaced)
      implements ShardEvent {}

  /** The tail is copied; or it is not, and nothing is kept of it. */
  record Copied(int attempt, boolean isDone) implements ShardEvent {}

  /** The backup tier gave what it has, up to a Position. */
  record BackupRead(int attempt, Position last) implements ShardEvent {}

  /**
   * All is known that can be.
   *
   * @param newestInMemory the largest epoch in the memory that was filled
   * @param tag of this node's epochs
   */
  record Merged(int attempt, long newestInMemory, long tag, boolean mayTake)
      implements ShardEvent {}

  /** Something unforeseen went wrong in a takeover. */
  record Broken(int attempt) implements ShardEvent {}

  /** The new epoch is on disk, and the others have been told. */
  record EpochLogged(int attempt) implements ShardEvent {}

  /** The Log cannot be written any more. */
  record LogFailed() implements ShardEvent {}

  /** The Log had no room for what is shown already. */
  record AppendRefused() implements ShardEvent {}

  /** The node will leave; {@code next} owns the shard then. */
  record Leaves(long request, Optional<String> next) implements ShardEvent {}

  /** The node takes nothing more. */
  record Stops() implements ShardEvent {}
}
