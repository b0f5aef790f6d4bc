package io.galop.persist;

import io.galop.bus.Begun;
import io.galop.bus.Refusal;
import io.galop.bus.Seal;
import io.galop.bus.Sealed;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.persist.ownership.Answer;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks all other nodes that store to end their epoch of a shard, and tells them of the next. */
final class Seals {
  private static final Logger LOG = LoggerFactory.getLogger(Seals.class);

  /** Fixed: the simulation asks at the same pace, and a takeover waits for the answer. */
  private static final long RETRY_MS = 100;

  private static final long UNSEEN_MS = 20_000;

  /** A node that has just answered, and does so again. */
  private static final long TELL_TIMEOUT_MS = 1_000;

  /** How often a node is asked that does not answer. */
  private static final int ATTEMPTS = 3;

  private final Loop loop;
  private final Node node;
  private final int shard;
  private final long log;
  private final BooleanSupplier isWanted;
  private final long patienceMs;

  /**
   * @param log the identity of this node's Log
   */
  Seals(Loop loop, Node node, int shard, long log, BooleanSupplier isWanted) {
    this.log = log;
    this.loop = loop;
    this.node = node;
    this.shard = shard;
    this.isWanted = isWanted;
    this.patienceMs = node.config().persist().takeoverTimeoutMs();
  }

  /** An answer for each node that is there now. */
  Future<List<Answer>> askAll() {
    List<Future<Answer>> answers = others().stream().map(this::seal).toList();
    return Future.join(answers).map(all -> answers.stream().map(Future::result).toList());
  }

  /** The other nodes that store. */
  private List<Member> others() {
    String self = node.bus().cluster().self().id();
    return node.bus().cluster().members().stream()
        .filter(m -> m.roles().contains(Role.PERSIST) && !m.id().equals(self))
        .toList();
  }

  /**
   * Tells the others of an epoch that begins. Whoever answered before is waited for, though not for
   * long: without it, the next epoch may have a smaller number and nothing but doubt about this
   * one.
   *
   * @param heard ids of those who answered
   */
  Future<Void> tell(long epoch, Set<String> heard) {
    Begun begun = new Begun(shard, epoch, node.bus().cluster().self().id(), 0, log);
    List<Future<Void>> told = others().stream().map(other -> tell(other, begun, heard)).toList();
    return Future.join(told).otherwiseEmpty().mapEmpty();
  }

  private Future<Void> tell(Member member, Begun begun, Set<String> heard) {
    Future<Void> told = node.bus().handover().begun(member.id(), begun);
    return heard.contains(member.id())
        ? loop.within(TELL_TIMEOUT_MS, "its answer", told)
        : Future.succeededFuture();
  }

  private Future<Answer> seal(Member member) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(UNSEEN_MS);
    return seal(member, deadline)
        .otherwise(
            failure -> {
              if (isWanted.getAsBoolean()) { // or whoever has the shard next asks for itself
                LOG.warn(
                    "node {} did not hand over shard {}: {}",
                    member.name(),
                    shard,
                    failure.getMessage());
              }
              return new Answer(member.id(), member.name(), Optional.empty());
            });
  }

  /**
   * A node that does not see this one goes on as if it were not there: to own anything beside it is
   * to be avoided, for as long as it can be hoped that they see each other soon.
   */
  private Future<Answer> seal(Member member, long unseenDeadline) {
    return sealSeen(member)
        .recover(
            failure -> {
              boolean again =
                  Refusal.of(failure).why() == Refusal.Why.NOT_MEMBER
                      && isThere(member)
                      && isWanted.getAsBoolean()
                      && System.nanoTime() - unseenDeadline < 0;
              return again
                  ? loop.vertx()
                      .timer(RETRY_MS, TimeUnit.MILLISECONDS)
                      .compose(now -> seal(member, unseenDeadline))
                  : Future.failedFuture(failure);
            });
  }

  private boolean isThere(Member member) {
    return node.bus().cluster().members().contains(member);
  }

  private Future<Answer> sealSeen(Member member) {
    Asking asking = new Asking(member);
    asking.ask();
    return loop.within(patienceMs, "its last Position", asking.answer.future())
        .map(reply -> new Answer(member.id(), member.name(), Optional.of(reply)));
  }

  /**
   * Asks again while the node is there but not ready: it may be starting, with a longer Log. And
   * where nothing comes back, since the bus may lose a question or its answer; to be asked twice
   * does a node no harm.
   */
  private final class Asking {
    private final Member member;
    private final Seal seal = new Seal(shard, node.bus().cluster().self().id(), log);
    private final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    private final Promise<Sealed> answer = Promise.promise();

    /** Counts questions and answers: who finds another number than before is out of date. */
    private int turn;

    private Asking(Member member) {
      this.member = member;
    }

    private void ask() {
      int mine = ++turn;
      node.bus()
          .handover()
          .seal(member.id(), seal)
          .onSuccess(answer::tryComplete)
          .onFailure(failure -> refused(mine, failure));
      later(patienceMs / ATTEMPTS, mine);
    }

    private void refused(int mine, Throwable failure) {
      boolean isSeen = Refusal.of(failure).why() != Refusal.Why.NOT_MEMBER;
      if (mine != turn) {
        return;
      }
      if (isSeen && isThere(member) && !isOver()) {
        later(RETRY_MS, ++turn);
      } else {
        answer.tryFail(failure);
      }
    }

    private void later(long ms, int mine) {
      loop.vertx()
          .setTimer(
              Math.max(1, ms),
              timer -> {
                if (mine == turn && !answer.future().isComplete() && !isOver()) {
                  ask();
                }
              });
    }

    private boolean isOver() {
      return System.nanoTime() - deadline >= 0;
    }
  }
}
