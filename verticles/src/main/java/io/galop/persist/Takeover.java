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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets a shard from the node that had it. Most of the tail is copied while that node goes on, so
 * that the shard stands still only for the rest.
 */
final class Takeover {
  private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

  private static final long RETRY_MS = 100;

  private final Vertx vertx;
  private final Node node;
  private final PersistStorage storage;
  private final int shard;
  private final Position ownLast;
  private final Set<String> otherOwners;
  private final List<Member> others;
  private ShardMemory staged;
  private String stagedFrom = "";

  /**
   * What came of it.
   *
   * @param memory what is known of the shard now: this node's own, or a copy of the other's
   * @param last the last durable Position that is known
   * @param certain whether nothing may have been placed after {@code last}
   * @param ours whether {@code last} is from this node's own Log
   */
  record Taken(ShardMemory memory, Position last, boolean certain, boolean ours) {}

  private record Answer(Member member, Optional<Sealed> reply) {
    Position last() {
      return reply.map(Sealed::last).orElseThrow();
    }
  }

  /**
   * @param ownLast the last durable Position in this node's Log or memory
   * @param otherOwners ids of nodes that should have owned the shard since this node did
   */
  Takeover(
      Vertx vertx,
      Node node,
      PersistStorage storage,
      int shard,
      Position ownLast,
      Set<String> otherOwners) {
    this.vertx = vertx;
    this.node = node;
    this.storage = storage;
    this.shard = shard;
    this.ownLast = ownLast;
    this.otherOwners = otherOwners;
    Member self = node.bus().cluster().self();
    this.others =
        node.bus().cluster().members().stream()
            .filter(m -> m.roles().contains(Role.PERSIST) && !m.id().equals(self.id()))
            .toList();
  }

  /** Ends the epoch of whoever has the shard and copies what is newer than here. */
  Future<Taken> run() {
    return copyAhead().compose(copied -> sealAll()).compose(this::decide);
  }

  /** From the node that would be the owner if this one were not there. */
  private Future<Void> copyAhead() {
    Optional<Member> before = new Others(node.bus().cluster(), others).owner(Role.PERSIST, shard);
    return before
        .map(member -> copy(member.id()))
        .orElse(Future.succeededFuture())
        .otherwiseEmpty();
  }

  private Future<Void> copy(String from) {
    if (!stagedFrom.equals(from)) {
      abandon();
      staged = storage.newMemory(shard);
      stagedFrom = from;
    }
    long patienceMs = node.config().persist().takeoverTimeoutMs();
    return new TailPull(node.bus().feed(), from, staged, patienceMs).run();
  }

  /** Lets go of what has been copied. */
  void abandon() {
    if (staged != null) {
      staged.close();
      staged = null;
      stagedFrom = "";
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
    boolean certain = heard && there.containsAll(otherOwners);
    Optional<Answer> newest =
        answers.stream()
            .filter(answer -> answer.reply().isPresent())
            .filter(answer -> answer.last().compareTo(ownLast) > 0)
            .max(Comparator.comparing(Answer::last));
    if (newest.isEmpty()) {
      abandon();
      return Future.succeededFuture(new Taken(storage.memory(shard), ownLast, certain, true));
    }
    boolean held = newest.get().reply().orElseThrow().held();
    return copyRest(newest.get(), held || certain);
  }

  private Future<Taken> copyRest(Answer from, boolean certain) {
    if (staged != null && staged.tail().head().compareTo(from.last()) > 0) {
      // What was copied ahead never became durable there, so it must not count as known here.
      abandon();
    }
    return copy(from.member().id())
        .map(
            copied -> {
              ShardMemory memory = Objects.requireNonNull(staged);
              return new Taken(memory, from.last(), certain, false);
            })
        .recover(
            failure -> {
              LOG.warn("the tail of shard {} is lost: {}", shard, failure.getMessage());
              abandon();
              return Future.succeededFuture(new Taken(storage.memory(shard), ownLast, false, true));
            });
  }
}
