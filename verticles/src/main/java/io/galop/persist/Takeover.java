package io.galop.persist;

import io.galop.bus.Member;
import io.galop.bus.Node;
import io.galop.bus.Seal;
import io.galop.bus.Sealed;
import io.galop.config.Role;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

  private static final long RETRY_MS = 100;

  private final Vertx vertx;
  private final Node node;
  private final PersistStorage storage;
  private final int shard;
  private final Before before;
  private final BooleanSupplier isWanted;
  private final List<Member> others;
  private ShardMemory into;

  /**
   * How things stood.
   *
   * @param last the last durable Position in this node's Log or memory
   * @param owned whether this node has placed records until now, beside whoever else did
   * @param otherOwners ids of nodes that should have owned the shard since this node did
   */
  record Before(Position last, boolean owned, Set<String> otherOwners) {}

  /**
   * What came of it.
   *
   * @param memory what is known of the shard now
   * @param last the last durable Position that is known
   * @param certain whether nothing may have been placed after {@code last}
   * @param ours whether {@code last} is from this node's own Log
   */
  record Taken(ShardMemory memory, Position last, boolean certain, boolean ours) {}

  private record Answer(Member member, Optional<Sealed> reply) {
    Position last() {
      return reply.map(Sealed::last).orElseThrow();
    }

    boolean held() {
      return reply.filter(Sealed::held).isPresent();
    }
  }

  /**
   * @param isWanted false from when the shard goes elsewhere, or this node ends
   */
  Takeover(
      Vertx vertx,
      Node node,
      PersistStorage storage,
      int shard,
      Before before,
      BooleanSupplier isWanted) {
    this.vertx = vertx;
    this.node = node;
    this.storage = storage;
    this.shard = shard;
    this.before = before;
    this.isWanted = isWanted;
    this.into = storage.memory(shard);
    Member self = node.bus().cluster().self();
    this.others =
        node.bus().cluster().members().stream()
            .filter(m -> m.roles().contains(Role.PERSIST) && !m.id().equals(self.id()))
            .toList();
  }

  boolean isWanted() {
    return isWanted.getAsBoolean();
  }

  /** Ends the epoch of whoever has the shard and copies what is newer than here. */
  Future<Taken> run() {
    return sealAll().compose(this::decide);
  }

  /** Lets go of what has been copied, where that is in a memory of its own. */
  void abandon() {
    if (into != storage.memory(shard)) {
      into.close();
      into = storage.memory(shard);
    }
  }

  private Future<List<Answer>> sealAll() {
    List<Future<Answer>> answers = others.stream().map(this::seal).toList();
    return Future.join(answers).map(all -> answers.stream().map(Future::result).toList());
  }

  private Future<Answer> seal(Member member) {
    Seal seal = new Seal(shard, node.bus().cluster().self().id());
    long patienceMs = node.config().persist().takeoverTimeoutMs();
    Promise<Sealed> answer = Promise.promise();
    ask(member, seal, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs), answer);
    return answer
        .future()
        .timeout(patienceMs, TimeUnit.MILLISECONDS)
        .map(reply -> new Answer(member, Optional.of(reply)))
        .otherwise(
            failure -> {
              LOG.warn(
                  "node {} did not hand over shard {}: {}",
                  member.name(),
                  shard,
                  failure.getMessage());
              return new Answer(member, Optional.empty());
            });
  }

  /** Asks again while the node is there but not ready: it may be starting, with a longer Log. */
  private void ask(Member member, Seal seal, long deadline, Promise<Sealed> answer) {
    node.bus()
        .handover()
        .seal(member.id(), seal)
        .onSuccess(answer::tryComplete)
        .onFailure(
            failure -> {
              boolean again =
                  node.bus().cluster().members().contains(member)
                      && System.nanoTime() - deadline < 0;
              if (again) {
                vertx.setTimer(RETRY_MS, timer -> ask(member, seal, deadline, answer));
              } else {
                answer.tryFail(failure);
              }
            });
  }

  private Future<Taken> decide(List<Answer> answers) {
    boolean heard = answers.stream().allMatch(answer -> answer.reply().isPresent());
    Set<String> there = Set.copyOf(answers.stream().map(a -> a.member().id()).toList());
    boolean all = heard && there.containsAll(before.otherOwners());
    Optional<Answer> newest =
        answers.stream()
            .filter(answer -> answer.reply().isPresent())
            .filter(answer -> answer.last().compareTo(before.last()) > 0)
            .max(Comparator.comparing(Answer::last));
    long holders = answers.stream().filter(Answer::held).count();
    if (newest.isEmpty()) {
      Taken own = new Taken(into, before.last(), all && holders == 0, true);
      return Future.succeededFuture(own);
    }
    boolean alone = newest.get().held() && holders == 1;
    return copy(newest.get(), (alone || all && holders == 0) && !before.owned());
  }

  /** All that is copied is durable, since the epoch has been sealed. */
  private Future<Taken> copy(Answer from, boolean certain) {
    if (!into.tail().head().equals(before.last())) {
      // The memory ends with records that were shown and never kept, here or elsewhere.
      into = storage.newMemory(shard);
    }
    long patienceMs = node.config().persist().takeoverTimeoutMs();
    return new TailPull(node.bus().feed(), from.member().id(), into, patienceMs, isWanted)
        .run()
        .map(copied -> new Taken(into, from.last(), certain, false))
        .recover(
            failure -> {
              LOG.warn("the tail of shard {} is lost: {}", shard, failure.getMessage());
              abandon();
              return Future.succeededFuture(new Taken(into, before.last(), false, true));
            });
  }
}
