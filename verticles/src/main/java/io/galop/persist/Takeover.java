package io.galop.persist;

import static java.util.stream.Collectors.toMap;

import io.galop.bus.Begun;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.persist.Seals.Answer;
import io.galop.persist.TopicsPull.Topics;
import io.galop.persist.ram.ShardMemory;
import io.galop.persist.store.Backup;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets a shard from the node that had it: seals its epoch there, and copies what this node does not
 * have behind what it has. What this node has is kept, for the last values of topics that nobody
 * has touched since and for the ids that may be sent again.
 */
final class Takeover {
  private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

  /** A node that has just answered, and does so again. */
  private static final long TELL_MS = 1_000;

  private final Loop loop;
  private final Node node;
  private final PersistStorage storage;
  private final int shard;
  private final Before before;
  private final BooleanSupplier isWanted;
  private final Seals seals;
  private ShardMemory into;
  private long newestEpoch;
  private Map<Member, Long> heard = Map.of();

  /**
   * How things stood.
   *
   * @param last the last durable Position in this node's Log or memory
   * @param owned whether this node has placed records until now, beside whoever else did
   * @param hasCopyOfAbsent whether this node has all that one placed that is away now
   * @param otherOwners ids of nodes that should have owned the shard since this node did
   */
  record Before(Position last, boolean owned, Set<String> otherOwners, boolean hasCopyOfAbsent) {}

  /**
   * What came of it.
   *
   * @param memory what is known of the shard now
   * @param last the last durable Position that is known
   * @param certain whether nothing may have been placed after {@code last}
   * @param ours whether {@code last} is from this node's own Log
   * @param heardAll whether everybody who may have placed something was asked for it
   */
  record Taken(
      ShardMemory memory, Position last, boolean certain, boolean ours, boolean heardAll) {}

  /**
   * @param isWanted false from when the shard goes elsewhere, or this node ends
   */
  Takeover(
      Loop loop,
      Node node,
      PersistStorage storage,
      int shard,
      Before before,
      BooleanSupplier isWanted) {
    this.loop = loop;
    this.node = node;
    this.storage = storage;
    this.shard = shard;
    this.before = before;
    this.isWanted = isWanted;
    this.into = storage.memory(shard);
    this.seals = new Seals(loop, node, shard, isWanted);
  }

  boolean isWanted() {
    return isWanted.getAsBoolean();
  }

  /** The largest epoch that any of those who answered has ever seen. */
  long newestEpoch() {
    return newestEpoch;
  }

  /** Who has sealed its epoch, by id, and the largest one that it had seen then. */
  Map<String, Long> heard() {
    return heard.entrySet().stream().collect(toMap(one -> one.getKey().id(), Map.Entry::getValue));
  }

  /**
   * Tells the others of an epoch that begins. Whoever answered before is waited for, though not for
   * long: without it, the next epoch may have a smaller number and nothing but doubt about this
   * one.
   */
  Future<Void> tell(long epoch) {
    Cluster cluster = node.bus().cluster();
    Begun begun = new Begun(shard, epoch, cluster.self().id());
    List<Future<Void>> told =
        cluster.members().stream()
            .filter(
                member -> member.roles().contains(Role.PERSIST) && !member.equals(cluster.self()))
            .map(member -> tell(member, begun))
            .toList();
    return Future.join(told).otherwiseEmpty().mapEmpty();
  }

  private Future<Void> tell(Member member, Begun begun) {
    Future<Void> told = node.bus().handover().begun(member.id(), begun);
    return heard.containsKey(member)
        ? loop.within(TELL_MS, "its answer", told)
        : Future.succeededFuture();
  }

  /** Ends the epoch of whoever has the shard and copies what is newer than here. */
  Future<Taken> run() {
    loop.check();
    return seals
        .askAll()
        .compose(
            answers ->
                decide(answers)
                    .compose(taken -> mergeBeside(answers, taken))
                    .compose(taken -> addTopics(answers, taken)));
  }

  /** Who does not know the last values of all topics asks everybody for those that they know. */
  private Future<Taken> addTopics(List<Answer> answers, Taken taken) {
    if (taken.memory().knowsAllTopics()) {
      return Future.succeededFuture(taken);
    }
    List<Future<Topics>> added =
        answers.stream()
            .filter(answer -> answer.reply().isPresent())
            .map(answer -> topics(answer, taken.memory()))
            .toList();
    return Future.join(added).transform(done -> Future.succeededFuture(taken));
  }

  private Future<Topics> topics(Answer from, ShardMemory memory) {
    long patienceMs = node.config().persist().takeoverTimeoutMs();
    return new TopicsPull(
            loop, node.bus().handover(), from.member().id(), memory, patienceMs, isWanted)
        .run()
        .onFailure(
            failure ->
                warn(
                    "last values of shard {} that node {} knows may be missing: {}",
                    shard,
                    from.member().name(),
                    failure.getMessage()));
  }

  /** After a split others may have placed records in epochs that came before what is known here. */
  private Future<Taken> mergeBeside(List<Answer> answers, Taken taken) {
    List<Future<Void>> merged =
        answers.stream()
            .filter(answer -> answer.held() && !answer.last().isNone())
            .filter(answer -> taken.memory().epochs().normalize(answer.last()).isEmpty())
            .map(answer -> merge(answer, taken.memory()))
            .toList();
    return Future.join(merged).transform(done -> Future.succeededFuture(taken));
  }

  private Future<Void> merge(Answer from, ShardMemory memory) {
    return new TailMerge(pages(from), memory)
        .run(from.last())
        .onFailure(
            failure ->
                warn(
                    "last values of shard {} that node {} placed may be missing: {}",
                    shard,
                    from.member().name(),
                    failure.getMessage()));
  }

  /** Of what is not wanted any more nothing is missing: who has the shard next asks for itself. */
  private void warn(String text, Object... values) {
    if (isWanted()) {
      LOG.warn(text, values);
    }
  }

  /** Lets go of what has been copied, where that is in a memory of its own. */
  void abandon() {
    if (into != storage.memory(shard)) {
      into.close();
      into = storage.memory(shard);
    }
  }

  private Future<Taken> decide(List<Answer> answers) {
    List<Answer> replied = answers.stream().filter(a -> a.reply().isPresent()).toList();
    heard =
        replied.stream()
            .collect(toMap(Answer::member, answer -> answer.reply().orElseThrow().newestEpoch()));
    heard.values().forEach(epoch -> newestEpoch = Math.max(newestEpoch, epoch));
    boolean isHeard = replied.size() == answers.size();
    Set<String> there = Set.copyOf(answers.stream().map(a -> a.member().id()).toList());
    Set<String> named = new HashSet<>(storage.storingNodes().names());
    named.remove(node.bus().cluster().self().name());
    answers.forEach(answer -> named.remove(answer.member().name()));
    boolean nobodyAway = named.size() <= (before.hasCopyOfAbsent() ? 1 : 0);
    boolean all = isHeard && nobodyAway && there.containsAll(before.otherOwners());
    Optional<Answer> newest =
        answers.stream()
            .filter(answer -> answer.reply().isPresent())
            .filter(answer -> answer.last().compareTo(before.last()) > 0)
            .max(Comparator.comparing(Answer::last));
    long holders = answers.stream().filter(Answer::held).count();
    if (newest.isEmpty()) {
      return all ? Future.succeededFuture(own(holders == 0, true)) : fromBackup();
    }
    boolean alone = newest.get().held() && holders == 1;
    return copy(newest.get(), (alone || all && holders == 0) && !before.owned(), alone || all);
  }

  private Taken own(boolean certain, boolean heardAll) {
    return new Taken(into, before.last(), certain, true, heardAll);
  }

  /**
   * Somebody who had the shard is not heard: what the backup tier has of it is better than none.
   */
  private Future<Taken> fromBackup() {
    Optional<Backup> backup = storage.sinks().backup();
    if (backup.isEmpty() || before.owned()) {
      return Future.succeededFuture(own(false, false));
    }
    if (!into.tail().head().equals(before.last())) {
      into = beginAnew();
      into.knownSince(before.last());
    }
    long patienceMs = node.config().persist().takeoverTimeoutMs();
    return new BackupPull(loop, backup.get(), into, storage.shareBytes(), patienceMs, isWanted)
        .run(into.tail().head())
        .map(last -> new Taken(into, last, false, last.equals(before.last()), false));
  }

  /** A memory that ends with records that were shown and never kept is left for an empty one. */
  private ShardMemory beginAnew() {
    ShardMemory fresh = storage.newMemory(shard);
    fresh.inheritIds(storage.memory(shard), before.last());
    return fresh;
  }

  private TailPages pages(Answer from) {
    long patienceMs = node.config().persist().takeoverTimeoutMs();
    return new TailPages(loop, node.bus().feed(), from.member().id(), patienceMs, isWanted);
  }

  /** All that is copied is durable, since the epoch has been sealed. */
  private Future<Taken> copy(Answer from, boolean certain, boolean heardAll) {
    if (!into.tail().head().equals(before.last())) {
      // The memory ends with records that were shown and never kept, here or elsewhere.
      into = beginAnew();
      into.knownSince(before.last());
    }
    return new TailPull(pages(from), into)
        .run()
        .compose(copied -> copyTopics(from))
        .map(copied -> new Taken(into, from.last(), certain, false, heardAll))
        .recover(
            failure -> {
              warn("the tail of shard {} is lost: {}", shard, failure.getMessage());
              abandon();
              return fromBackup();
            });
  }

  /** What was placed before the tail that was copied is known here already, or there. */
  private Future<Void> copyTopics(Answer from) {
    boolean ownKnowsAll = !before.last().isNone() && into.knowsAllTopics();
    return topics(from, into)
        .otherwise(new Topics(false, Position.none(shard)))
        .map(
            topics -> {
              if (!ownKnowsAll) {
                into.knownSince(topics.since());
              }
              if (!topics.complete()) {
                into.latest().forgot();
              }
              return null;
            });
  }
}
