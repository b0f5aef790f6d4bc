package io.galop.persist.ownership;

import io.galop.record.Position;
import java.util.Map;

/** What a transition asks for; run in their order, after the state has changed. */
public sealed interface ShardEffect {
  /** Sends those that follow the shard away, to its next owner. */
  record DropFollowers() implements ShardEffect {}

  /** Looks at the cluster: gives {@code Looked}. */
  record LookAgain() implements ShardEffect {}

  /** Gives {@code Settled} when nothing is under way to the disk. */
  record AwaitDisk(int attempt) implements ShardEffect {}

  /** Seals the epoch of all others that store: gives {@code Answered}. */
  record AskAll(int attempt, Position last) implements ShardEffect {}

  /** Copies a node's tail behind what is here: gives {@code Copied}. */
  record CopyTail(int attempt, Answer from) implements ShardEffect {}

  /** Asks the backup tier: gives {@code BackupRead}. */
  record ReadBackup(int attempt) implements ShardEffect {}

  /** Learns of records and last values that others have beside: gives {@code Merged}. */
  record Merge(int attempt, TakeoverPlan plan) implements ShardEffect {}

  /** Lets go of what an attempt has copied. */
  record LetGo() implements ShardEffect {}

  /**
   * Logs the epoch and tells the others; waits a moment for those that were heard. Gives {@code
   * EpochLogged} or {@code LogFailed}.
   */
  record LogEpoch(int attempt, long epoch, Taken taken, Map<String, Long> heard)
      implements ShardEffect {}

  /** Logs that another node may own the shard beside an epoch. */
  record LogApart(long epoch) implements ShardEffect {}

  /** Logs that an owner has heard of what was placed in an epoch and before it. */
  record LogHeard(long epoch) implements ShardEffect {}

  /** Places records from now on. */
  record Own(long epoch, Taken taken) implements ShardEffect {}

  /** Tells a node that this one holds the shard. */
  record OfferTo(String to, long epoch) implements ShardEffect {}

  /** Tells those whose answers were heard that their records are known here. */
  record TellHeard(long epoch, Map<String, Long> heard) implements ShardEffect {}

  /**
   * Has the node that owns the shard next ask for what was placed here, and then answers.
   *
   * @param isOwner whether this node owns the shard until then
   */
  record HandOver(long request, String to, long epoch, boolean isOwner) implements ShardEffect {}

  /**
   * Answers a seal when what was placed here is on disk.
   *
   * @param newestEpoch the largest that this node knows of
   */
  record AnswerSeal(
      long request, boolean isHeld, long newestEpoch, boolean isDoubting, boolean isInformed)
      implements ShardEffect {}

  /** This node does not see who asks. */
  record RefuseSeal(long request) implements ShardEffect {}

  /** Too many seals wait for one epoch to begin. */
  record RefuseLater(long request) implements ShardEffect {}

  /** Answers an offer when it is decided who owns the shard. */
  record AcceptOffer(long request) implements ShardEffect {}

  /** This node does not see the holder, or leaves itself. */
  record RefuseOffer(long request) implements ShardEffect {}

  /** Nothing is to be done: answers. */
  record Done(long request) implements ShardEffect {}

  /** Handles what had to wait; a seal with what this node sees and has in memory by now. */
  record Deliver(ShardEvent event) implements ShardEffect {}

  /** A line in the log; {@code what} follows on the shard's number. */
  record Say(boolean isWarning, String what) implements ShardEffect {}
}
