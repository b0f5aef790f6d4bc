package io.galop.persist;

import io.galop.bus.Begun;
import io.galop.bus.Offer;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.bus.Seal;
import io.galop.bus.Sealed;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.persist.ownership.EpochLog;
import io.galop.persist.ownership.OwnershipRules;
import io.galop.persist.ownership.OwnershipRules.Next;
import io.galop.persist.ownership.ShardEffect;
import io.galop.persist.ownership.ShardEvent;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs {@link OwnershipRules} for a shard: turns what comes from the bus, the cluster and the disk
 * into events, and runs the effects. Decides nothing itself. Lives on the shard's event loop.
 */
final class Ownership {
  private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

  private final Loop loop = Loop.current();
  private final Node node;
  private final PersistStorage storage;
  private final int shard;
  private final ShardOwner owner;
  private final Replica replica;
  private final Company company;
  private final Runnable onOwned;

  /** Who waits for an answer, by the request that the events and effects name. */
  private final Map<Long, Promise<Sealed>> seals = new HashMap<>();

  private final Map<Long, Promise<Void>> others = new HashMap<>();
  private long lastRequest;

  /** The present step, and those that it brought about; a handful. */
  private final Deque<Runnable> steps = new ArrayDeque<>();

  /** The memory that the present attempt fills; of no meaning outside of {@code TakingOver}. */
  private Optional<Takeover> takeover = Optional.empty();

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
    this.storage = storage;
    this.shard = shard;
    this.owner = owner;
    this.replica = replica;
    this.onOwned = onOwned;
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
    while (!steps.isEmpty()) {
      steps.peek().run();
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
    Cluster cluster = node.bus().cluster();
    List<Member> rest =
        cluster.members().stream().filter(member -> !member.equals(cluster.self())).toList();
    Optional<String> next = new Others(cluster, rest).owner(Role.PERSIST, shard).map(Member::id);
    return request(others, request -> new ShardEvent.Leaves(request, next));
  }

  /** Takes nothing more. */
  void stop() {
    handle(new ShardEvent.Stops());
  }

  /** Another node holds the shard and this one should: takes it, unless it is about to anyway. */
  Future<Void> onOffer(Offer offer) {
    Set<String> present = present();
    return request(
        others,
        request ->
            new ShardEvent.Offered(
                request, offer.holder(), offer.epoch(), offer.isLeaving(), present));
  }

  /** Another node begins an epoch: the next one here is larger. */
  Future<Void> onBegun(Begun begun) {
    handle(new ShardEvent.OtherBegan(begun.epoch(), begun.owner(), begun.heard()));
    return Future.succeededFuture();
  }

  /** Another node takes the shard: answers when what was placed here is on disk. */
  Future<Sealed> onSeal(Seal seal) {
    return request(seals, request -> asked(request, seal.newOwner()));
  }

  private Set<String> present() {
    return node.bus().cluster().members().stream().map(Member::id).collect(Collectors.toSet());
  }

  /** How things stand now: a seal may have waited for an epoch to begin. */
  private ShardEvent asked(long request, String newOwner) {
    boolean isSeen = present().contains(newOwner);
    long newest = storage.memory(shard).epochs().newest();
    return new ShardEvent.SealAsked(request, newOwner, isSeen, newest);
  }

  private <T> Future<T> request(Map<Long, Promise<T>> waiting, LongFunction<ShardEvent> event) {
    long request = ++lastRequest;
    Promise<T> answer = Promise.promise();
    waiting.put(request, answer);
    handle(event.apply(request));
    return answer.future();
  }

  private void run(ShardEffect effect) {
    if (effect instanceof ShardEffect.DropFollowers) {
      owner.followers().dropAll();
    } else if (effect instanceof ShardEffect.LookAgain) {
      check();
    } else if (effect instanceof ShardEffect.OfferTo offer) {
      offer(offer.to(), offer.epoch(), false);
    } else if (effect instanceof ShardEffect.Deliver deliver) {
      handle(
          deliver.event() instanceof ShardEvent.SealAsked seal
              ? asked(seal.request(), seal.newOwner())
              : deliver.event());
    } else if (effect instanceof ShardEffect.TellHeard tell) {
      tell.heard().forEach((to, heard) -> tell(to, tell.epoch(), heard));
    } else if (effect instanceof ShardEffect.LogApart apart) {
      EpochLog.apart(storage.log()::beginEpoch, shard, apart.epoch());
    } else if (effect instanceof ShardEffect.LogHeard heard) {
      EpochLog.heard(storage.log()::beginEpoch, shard, heard.epoch());
    } else if (effect instanceof ShardEffect.Say say) {
      log(say);
    } else if (effect instanceof ShardEffect.Own own) {
      own(own);
    } else if (!answered(effect)) {
      runAttempt(effect);
    }
  }

  /** If it is lost the other offers its records again, and is told again. */
  private void tell(String to, long epoch, long heard) {
    Begun begun = new Begun(shard, epoch, node.bus().cluster().self().id(), heard);
    node.bus().handover().begun(to, begun);
  }

  private void log(ShardEffect.Say say) {
    if (say.isWarning()) {
      LOG.warn("shard {} {}", shard, say.what());
    } else {
      LOG.info("shard {} {}", shard, say.what());
    }
  }

  private boolean answered(ShardEffect effect) {
    if (effect instanceof ShardEffect.AnswerSeal seal) {
      answer(seal);
    } else if (effect instanceof ShardEffect.RefuseSeal refuse) {
      String unseen = "node " + node.bus().cluster().self().name() + " does not see who asks";
      seals.remove(refuse.request()).fail(new Refusal(Why.NOT_MEMBER, unseen));
    } else if (effect instanceof ShardEffect.RefuseLater refuse) {
      seals.remove(refuse.request()).fail(new Refusal(Why.NOT_READY, "an epoch begins"));
    } else if (effect instanceof ShardEffect.AcceptOffer accept) {
      Promise<Void> holder = others.remove(accept.request());
      run(() -> owner.decided().onComplete(holder));
    } else if (effect instanceof ShardEffect.RefuseOffer refuse) {
      Refusal refusal = new Refusal(Why.NOT_READY, "not seen, or itself about to leave");
      others.remove(refuse.request()).fail(refusal);
    } else if (effect instanceof ShardEffect.Done done) {
      others.remove(done.request()).complete();
    } else if (effect instanceof ShardEffect.HandOver over) {
      Promise<Void> leaver = others.remove(over.request());
      offer(over.to(), over.epoch(), over.isOwner()).otherwiseEmpty().onComplete(leaver);
    } else {
      return false;
    }
    return true;
  }

  private void answer(ShardEffect.AnswerSeal seal) {
    Promise<Sealed> asker = seals.remove(seal.request());
    owner
        .durability()
        .settled()
        .map(settled -> new Sealed(seal.isHeld(), owner.durability().last(), seal.newestEpoch()))
        .onComplete(asker);
  }

  private Future<Void> offer(String to, long epoch, boolean isLeaving) {
    Offer offer = new Offer(shard, node.bus().cluster().self().id(), epoch, isLeaving);
    return node.bus().handover().offer(to, offer);
  }

  /** Until here an attempt may be given up, and what it copied is of no use to anybody. */
  private void own(ShardEffect.Own own) {
    ShardMemory filled = takeover.orElseThrow().memory();
    takeover = Optional.empty();
    storage.replace(shard, filled);
    if (!own.taken().heardAll()) {
      filled.knownSince(new Position(shard, own.epoch(), 0));
    }
    owner.begin(filled, own.epoch(), own.taken().follows());
    onOwned.run();
    LOG.debug("shard {} is owned in epoch {}", shard, own.epoch());
  }

  private void runAttempt(ShardEffect effect) {
    if (effect instanceof ShardEffect.AwaitDisk await) {
      owner.durability().settled().onSuccess(settled -> settled(await.attempt()));
    } else if (effect instanceof ShardEffect.AskAll ask) {
      Takeover begun = begin(ask);
      bring(
          ask.attempt(), begun.ask(), all -> new ShardEvent.Answered(ask.attempt(), all, names()));
    } else if (effect instanceof ShardEffect.CopyTail copy) {
      bring(
          copy.attempt(),
          takeover.orElseThrow().copy(copy.from()),
          isDone -> new ShardEvent.Copied(copy.attempt(), isDone));
    } else if (effect instanceof ShardEffect.ReadBackup read) {
      bring(
          read.attempt(),
          takeover.orElseThrow().readBackup(),
          last -> new ShardEvent.BackupRead(read.attempt(), last));
    } else if (effect instanceof ShardEffect.Merge merge) {
      bring(merge.attempt(), takeover.orElseThrow().merge(merge.plan()), done -> merged(merge));
    } else if (effect instanceof ShardEffect.LetGo) {
      takeover.ifPresent(Takeover::letGo);
      takeover = Optional.empty();
    } else if (effect instanceof ShardEffect.LogEpoch epoch) {
      logEpoch(epoch, takeover.orElseThrow());
    } else {
      throw new IllegalStateException("no effect is known as " + effect);
    }
  }

  private <T> void bring(int attempt, Future<T> result, Function<T, ShardEvent> event) {
    Consumer<T> use = value -> handle(event.apply(value));
    result
        .map(
            value -> {
              use.accept(value);
              return null;
            })
        .onFailure(
            failure -> {
              LOG.error("shard {} could not be taken over, trying again", shard, failure);
              handle(new ShardEvent.Broken(attempt));
            });
  }

  private void settled(int attempt) {
    Position last = owner.durability().last();
    handle(new ShardEvent.Settled(attempt, last, replica.completeCopy(present())));
  }

  private Takeover begin(ShardEffect.AskAll ask) {
    Takeover next =
        new Takeover(loop, node, storage, shard, ask.last(), () -> isPresent(ask.attempt()));
    takeover = Optional.of(next);
    return next;
  }

  private boolean isPresent(int attempt) {
    return owner.state() instanceof TakingOver state && state.known().attempt() == attempt;
  }

  /** All that this node has ever seen storing, but itself. */
  private Set<String> names() {
    Set<String> names = new HashSet<>(storage.storingNodes().names());
    names.remove(node.bus().cluster().self().name());
    return names;
  }

  private ShardEvent merged(ShardEffect.Merge merge) {
    // What was given up meanwhile has no memory any more; its event is ignored.
    long inMemory = takeover.map(now -> now.memory().epochs().newest()).orElse(0L);
    long known = Math.max(inMemory, storage.memory(shard).epochs().newest());
    long tag = node.bus().cluster().self().epochTag();
    return new ShardEvent.Merged(merge.attempt(), known, tag, company.mayTake());
  }

  private void logEpoch(ShardEffect.LogEpoch begin, Takeover from) {
    replica.end();
    Future<Void> told = from.tell(begin.epoch(), begin.heard().keySet());
    EpochLog.begin(
            storage.log()::beginEpoch,
            begin.epoch(),
            begin.taken().last(),
            begin.taken().isCertain(),
            begin.taken().isOurs())
        .onFailure(owner::fail)
        .compose(logged -> told)
        .onSuccess(all -> handle(new ShardEvent.EpochLogged(begin.attempt())));
  }
}
