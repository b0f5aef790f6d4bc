package io.galop.persist;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.persist.ownership.OwnershipRules;
import io.galop.persist.ownership.OwnershipRules.Next;
import io.galop.persist.ownership.ShardEffect;
import io.galop.persist.ownership.ShardEvent;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs {@link OwnershipRules} for a shard: turns what comes from the bus, the cluster and the disk
 * into events, and has the effects run. Decides nothing itself. Lives on the shard's event loop.
 */
final class Ownership {
  private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

  private final Loop loop = Loop.current();
  private final Node node;
  private final int shard;
  private final ShardOwner owner;
  private final Company company;
  private final OwnershipAnswers answers;
  private final TakeoverSteps takeover;
  private final Runnable onOwned;

  /** The present step, and those that it brought about; a handful. */
  private final Deque<Runnable> steps = new ArrayDeque<>();

  /**
   * @param onOwned called whenever this node has taken the shard
   */
  Ownership(
      Node node,
      PersistStorage storage,
      int shard,
      ShardOwner owner,
      Replica replica,
      Company company,
      Runnable onOwned) {
    this.company = company;
    this.node = node;
    this.shard = shard;
    this.owner = owner;
    this.onOwned = onOwned;
    this.answers = new OwnershipAnswers(node, storage, shard, owner, this::handle);
    this.takeover = new TakeoverSteps(node, storage, shard, owner, replica, company, this::handle);
    owner.onEvent(this::handle);
  }

  private void handle(ShardEvent event) {
    loop.check();
    run(() -> apply(event));
  }

  /** One step after another: what an effect brings about at once waits for the other effects. */
  private void run(Runnable step) {
    steps.add(step);
    if (steps.size() > 1) {
      return; // within a step
    }
    for (Runnable next = steps.peek(); next != null; next = steps.peek()) {
      next.run();
      steps.remove();
    }
  }

  private void apply(ShardEvent event) {
    Next next = OwnershipRules.next(owner.state(), event);
    owner.enter(next.state());
    next.effects().forEach(this::runOrGiveUp);
  }

  /** An effect that fails keeps no other from running, and no shard in a state without an end. */
  private void runOrGiveUp(ShardEffect effect) {
    try {
      run(effect);
    } catch (RuntimeException e) {
      LOG.error("shard {}: {} failed", shard, effect, e);
      if (effect instanceof ShardEffect.Own || effect instanceof ShardEffect.LogEpoch) {
        owner.fail(e); // whether an epoch is logged, or all of it is in place, is not known
      } else if (owner.state() instanceof TakingOver state) {
        handle(new ShardEvent.Broken(state.known().attempt()));
      }
    }
  }

  /** Looks who should own the shard, and takes it over if it is this node. */
  void check() {
    Cluster cluster = node.bus().cluster();
    Optional<Member> rightful = cluster.owner(Role.PERSIST, shard);
    boolean isSelf = rightful.filter(cluster.self()::equals).isPresent();
    handle(new ShardEvent.Looked(rightful.map(Member::id), isSelf, company.mayTake()));
  }

  /** Nodes were out of sight and are back: they may have owned the shard. */
  void onBack(Set<String> ids) {
    handle(new ShardEvent.Returned(ids));
  }

  /** Nodes have gone out of sight. */
  void onOthersLost() {
    handle(new ShardEvent.OthersLost());
  }

  /** The process stood still, and others may have taken the shard: asks them before going on. */
  void onStandstill() {
    handle(new ShardEvent.Paused());
  }

  /** Gives the shard to who will own it when this node has gone; goes on where nobody takes it. */
  Future<Void> leave() {
    return answers.leave();
  }

  /** Takes nothing more. */
  void stop() {
    handle(new ShardEvent.Stops());
  }

  /** What other nodes ask. */
  OwnershipAnswers answers() {
    return answers;
  }

  private void run(ShardEffect effect) {
    if (effect instanceof ShardEffect.DropFollowers) {
      owner.followers().dropAll();
    } else if (effect instanceof ShardEffect.LookAgain) {
      check();
    } else if (effect instanceof ShardEffect.Deliver deliver) {
      handle(answers.asOfNow(deliver.event()));
    } else if (effect instanceof ShardEffect.AcceptOffer accept) {
      Promise<Void> holder = answers.holder(accept);
      run(() -> owner.decided().onComplete(holder));
    } else if (effect instanceof ShardEffect.Say say) {
      log(say);
    } else if (effect instanceof ShardEffect.Own own) {
      takeover.own(own);
      onOwned.run();
      LOG.debug("shard {} is owned in epoch {}", shard, own.epoch());
    } else if (!answers.run(effect) && !takeover.run(effect)) {
      throw new IllegalStateException("no effect is known as " + effect);
    }
  }

  private void log(ShardEffect.Say say) {
    if (say.isWarning()) {
      LOG.warn("shard {} {}", shard, say.what());
    } else {
      LOG.info("shard {} {}", shard, say.what());
    }
  }
}
