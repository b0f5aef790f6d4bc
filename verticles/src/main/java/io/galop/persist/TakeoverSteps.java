package io.galop.persist;

import io.galop.node.Node;
import io.galop.persist.ownership.Answer;
import io.galop.persist.ownership.EpochLog;
import io.galop.persist.ownership.ShardEffect;
import io.galop.persist.ownership.ShardEvent;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps by which a node takes a shard over, as the effects order them: each ends with an event.
 * On the shard's event loop.
 */
final class TakeoverSteps {
  private static final Logger LOG = LoggerFactory.getLogger(TakeoverSteps.class);

  private final Loop loop = Loop.current();
  private final Node node;
  private final PersistStorage storage;
  private final int shard;
  private final ShardOwner owner;
  private final Replica replica;
  private final Company company;
  private final Consumer<ShardEvent> events;

  /** The memory that the present attempt fills; of no meaning outside of {@code TakingOver}. */
  private Optional<Takeover> takeover = Optional.empty();

  TakeoverSteps(
      Node node,
      PersistStorage storage,
      int shard,
      ShardOwner owner,
      Replica replica,
      Company company,
      Consumer<ShardEvent> events) {
    this.node = node;
    this.storage = storage;
    this.shard = shard;
    this.owner = owner;
    this.replica = replica;
    this.company = company;
    this.events = events;
  }

  /** Until here an attempt may be given up, and what it copied is of no use to anybody. */
  void own(ShardEffect.Own own) {
    ShardMemory filled = takeover.orElseThrow().memory();
    takeover.orElseThrow().learnLogs();
    takeover = Optional.empty();
    storage.replace(shard, filled);
    if (!own.taken().heardAll()) {
      filled.knownSince(new Position(shard, own.epoch(), 0));
    }
    owner.begin(filled, own.epoch(), own.taken().follows());
  }

  /** Runs an effect that is a step of an attempt or a note in the Log; returns whether it is. */
  boolean run(ShardEffect effect) {
    if (effect instanceof ShardEffect.LogApart apart) {
      EpochLog.apart(storage.log()::beginEpoch, shard, apart.epoch());
    } else if (effect instanceof ShardEffect.LogHeard heard) {
      long newest = Math.max(heard.epoch(), replica.newestEpoch()); // see Replica.keep
      EpochLog.heard(storage.log()::beginEpoch, shard, newest);
    } else if (effect instanceof ShardEffect.AwaitDisk await) {
      owner.durability().settled().onSuccess(settled -> settled(await.attempt()));
    } else if (effect instanceof ShardEffect.AskAll ask) {
      Takeover begun = begin(ask);
      bring(ask.attempt(), begun.ask(), all -> answered(ask, all, begun.isLogReplaced()));
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
      return false;
    }
    return true;
  }

  private <T> void bring(int attempt, Future<T> result, Function<T, ShardEvent> event) {
    Consumer<T> use = value -> events.accept(event.apply(value));
    result
        .map(
            value -> {
              use.accept(value);
              return true;
            })
        .onFailure(
            failure -> {
              LOG.error("shard {} could not be taken over, trying again", shard, failure);
              events.accept(new ShardEvent.Broken(attempt));
            });
  }

  private void settled(int attempt) {
    Position last = owner.durability().last();
    events.accept(
        new ShardEvent.Settled(
            attempt, last, replica.completeCopy(OwnershipAnswers.present(node))));
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

  private ShardEvent answered(ShardEffect.AskAll ask, List<Answer> all, boolean isReplaced) {
    return new ShardEvent.Answered(ask.attempt(), all, names(), isReplaced);
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
        .onSuccess(all -> events.accept(new ShardEvent.EpochLogged(begin.attempt())));
  }
}
