package io.galop.persist;

import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.bus.Sealed;
import io.galop.node.Node;
import io.galop.persist.ShardPull.Topics;
import io.galop.persist.ownership.Answer;
import io.galop.persist.ownership.TakeoverPlan;
import io.galop.persist.ram.ShardMemory;
import io.galop.persist.store.Backup;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to get a shard from the nodes that had it: asks them to seal their epochs, and fills
 * a memory with what this node does not have. What this node has is kept, for the last values of
 * topics that nobody has touched since and for the ids that may be sent again. {@code
 * OwnershipRules} decides which of its steps come next. On the shard's event loop.
 */
final class Takeover {
  private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

  private final Loop loop;
  private final Node node;
  private final PersistStorage storage;
  private final int shard;
  private final Position last;
  private final BooleanSupplier isWanted;
  private final Seals seals;

  /** Of all who were asked; empty before. */
  private List<Answer> answers = List.of();

  /** Filled by this attempt: the shard's own, or a new one that takes its place. */
  private ShardMemory into;

  /**
   * @param last the last durable Position in this node's Log or memory
   * @param isWanted false from when the shard goes elsewhere, or this node ends
   */
  Takeover(
      Loop loop,
      Node node,
      PersistStorage storage,
      int shard,
      Position last,
      BooleanSupplier isWanted) {
    this.loop = loop;
    this.node = node;
    this.storage = storage;
    this.shard = shard;
    this.last = last;
    this.isWanted = isWanted;
    this.seals = new Seals(loop, node, shard, storage.log().id(), isWanted);
    this.into = storage.memory(shard);
  }

  /** What is known of the shard now. */
  ShardMemory memory() {
    return into;
  }

  /** Has all others that store end their epoch; an answer for each node that is there now. */
  Future<List<Answer>> ask() {
    return seals.askAll().onSuccess(all -> answers = all);
  }

  /** Whether one of those that answered had another Log when it last had to do with the shard. */
  boolean isLogReplaced() {
    return answers.stream()
        .anyMatch(answer -> storage.isLogReplaced(shard, answer.name(), log(answer)));
  }

  /** Learns which Logs the others have, now that all is known of what may be missing in them. */
  void learnLogs() {
    answers.forEach(answer -> storage.learnLog(shard, answer.name(), log(answer)));
  }

  private static long log(Answer answer) {
    return answer.reply().map(Sealed::log).orElse(0L);
  }

  /** Tells the others of an epoch that begins; see {@link Seals#tell}. */
  Future<Void> tell(long epoch, Set<String> heard) {
    return seals.tell(epoch, heard);
  }

  /**
   * Copies the tail of a node that has more than this one. All that is copied is durable, since the
   * epoch has been sealed.
   *
   * @return whether it is copied; if not, nothing is kept of it
   */
  Future<Boolean> copy(Answer from) {
    beginAnewWhereNotKept();
    return pull(into)
        .tail(tailOf(from))
        .compose(copied -> copyTopics(from))
        .map(true)
        .otherwise(
            failure -> {
              warn("the tail of shard {} is lost: {}", shard, failure.getMessage());
              letGo();
              return false;
            });
  }

  /** What was placed before the tail that was copied is known here already, or there. */
  private Future<Void> copyTopics(Answer from) {
    boolean ownKnowsAll = !last.isNone() && into.knowsAllTopics();
    ShardMemory memory = into;
    return topics(from, memory)
        .otherwise(new Topics(false, Position.none(shard)))
        .map(
            topics -> {
              if (!ownKnowsAll && isWanted.getAsBoolean()) {
                memory.knownSince(topics.since());
              }
              if (!topics.complete() && isWanted.getAsBoolean()) {
                memory.latest().forgot();
              }
              return null;
            });
  }

  /**
   * Asks the backup tier for what it has behind what is here.
   *
   * @return the last durable Position that is known then
   */
  Future<Position> readBackup() {
    Optional<Backup> backup = storage.sinks().backup();
    if (backup.isEmpty()) {
      return Future.succeededFuture(last);
    }
    beginAnewWhereNotKept();
    return pull(into).backup(backup.get(), into.tail().head(), storage.shareBytes());
  }

  /**
   * Learns of what others placed beside what is known here, and asks all for their last values
   * where not all are known.
   */
  Future<Void> merge(TakeoverPlan plan) {
    ShardMemory memory = into;
    List<Future<Void>> merged =
        plan.answers().stream()
            .filter(answer -> answer.isHolder() && !answer.last().isNone())
            .filter(answer -> memory.epochs().normalize(answer.last()).isEmpty())
            .map(answer -> merge(answer, memory))
            .toList();
    return Future.join(merged).transform(done -> addTopics(plan, memory));
  }

  private Future<Void> merge(Answer from, ShardMemory memory) {
    return pull(memory)
        .beside(tailOf(from), from.last())
        .onFailure(
            failure ->
                warn(
                    "last values of shard {} that node {} placed may be missing: {}",
                    shard,
                    from.name(),
                    failure.getMessage()));
  }

  private Future<Void> addTopics(TakeoverPlan plan, ShardMemory memory) {
    if (memory.knowsAllTopics()) {
      return Future.succeededFuture();
    }
    List<Future<Topics>> added =
        plan.answers().stream()
            .filter(answer -> answer.reply().isPresent())
            .map(answer -> topics(answer, memory))
            .toList();
    return Future.join(added).transform(done -> Future.succeededFuture());
  }

  private Future<Topics> topics(Answer from, ShardMemory memory) {
    return pull(memory)
        .topics(ask -> node.bus().handover().topics(from.id(), ask))
        .onFailure(
            failure ->
                warn(
                    "last values of shard {} that node {} knows may be missing: {}",
                    shard,
                    from.name(),
                    failure.getMessage()));
  }

  private Function<Ask, Future<Page>> tailOf(Answer from) {
    return ask -> node.bus().feed().fetchFrom(from.id(), ask);
  }

  private ShardPull pull(ShardMemory memory) {
    return new ShardPull(loop, memory, node.config().persist().takeoverTimeoutMs(), isWanted);
  }

  /** A memory that ends with records that were shown and never kept is left for an empty one. */
  private void beginAnewWhereNotKept() {
    if (!into.tail().head().equals(last)) {
      into = storage.newMemory(shard);
      into.inheritIds(storage.memory(shard), last);
      into.knownSince(last);
    }
  }

  /** Of what is not wanted any more nothing is missing: who has the shard next asks for itself. */
  private void warn(String text, @Nullable Object... values) {
    if (isWanted.getAsBoolean()) {
      LOG.warn(text, values);
    }
  }

  /** Lets go of what has been copied, where that is in a memory of its own. */
  void letGo() {
    if (into != storage.memory(shard)) {
      into.close();
      into = storage.memory(shard);
    }
  }
}
