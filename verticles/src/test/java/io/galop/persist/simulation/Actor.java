package io.galop.persist.simulation;

import io.galop.bus.Page;
import io.galop.bus.Sealed;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.persist.ownership.Answer;
import io.galop.persist.ownership.EpochLog;
import io.galop.persist.ownership.OwnershipRules.Next;
import io.galop.persist.ownership.ShardEffect;
import io.galop.persist.ownership.ShardEvent;
import io.galop.persist.ownership.TailPage;
import io.galop.persist.ownership.TakeoverPlan;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the rules of ownership in the simulation, as {@code Ownership}, {@code Takeover} and {@code
 * Seals} do on an event loop.
 */
final class Actor {
  static final long TAKEOVER_TIMEOUT_MS = 3_000;
  private static final long TELL_TIMEOUT_MS = 1_000;

  private final World world;
  private final StoringProcess process;
  private final Pull pull;
  private final Map<Long, Promise<Sealed>> seals = new HashMap<>();
  private final Map<Long, Promise<Void>> others = new HashMap<>();
  private final Deque<Runnable> steps = new ArrayDeque<>();
  private long lastRequest;

  /** What the present attempt fills, and where it began. */
  private ShardMemory into;

  private Position last;
  private List<Answer> answers = List.of();

  Actor(World world, StoringProcess process) {
    this.world = world;
    this.process = process;
    this.pull = new Pull(world, process);
  }

  void handle(ShardEvent event) {
    run(() -> apply(event));
  }

  private void run(Runnable step) {
    steps.add(step);
    if (steps.size() == 1) {
      while (!steps.isEmpty()) {
        steps.peek().run();
        steps.remove();
      }
    }
  }

  private void apply(ShardEvent event) {
    Next next = Mutation.next(world.mutant, process.state(), event);
    if (!(event instanceof ShardEvent.Looked) || next.effects().size() > 0) {
      world.trace(process.id, () -> event + " -> " + next.state() + " " + next.effects());
    }
    process.enter(next.state());
    next.effects().forEach(this::run);
  }

  Future<Sealed> onSeal(String newOwner, boolean isReplaced) {
    Promise<Sealed> answer = Promise.promise();
    seals.put(++lastRequest, answer);
    handle(asked(lastRequest, newOwner, isReplaced));
    return answer.future();
  }

  private ShardEvent asked(long request, String newOwner, boolean isReplaced) {
    boolean isSeen = process.present().contains(newOwner);
    long newest = process.memory().epochs().newest();
    return new ShardEvent.SealAsked(request, newOwner, isSeen, newest, isReplaced);
  }

  Future<Void> onOffer(String holder, long epoch, boolean isLeaving, Set<String> present) {
    Promise<Void> answer = Promise.promise();
    others.put(++lastRequest, answer);
    handle(new ShardEvent.Offered(lastRequest, holder, epoch, isLeaving, present));
    return answer.future();
  }

  Future<Void> leave() {
    List<Member> rest =
        process.members().stream().filter(member -> !member.equals(process.self())).toList();
    Promise<Void> answer = Promise.promise();
    others.put(++lastRequest, answer);
    Optional<String> next = Cluster.owner(Role.PERSIST, 0, rest).map(Member::id);
    handle(new ShardEvent.Leaves(lastRequest, next));
    return answer.future();
  }

  private void run(ShardEffect effect) {
    if (effect instanceof ShardEffect.DropFollowers) {
      process.dropFollowers();
    } else if (effect instanceof ShardEffect.LookAgain) {
      process.look();
    } else if (effect instanceof ShardEffect.OfferTo offer) {
      offer(offer.to(), offer.epoch(), false);
    } else if (effect instanceof ShardEffect.TellHeard tell) {
      tell.heard().forEach((to, heard) -> tell(to, tell.epoch(), heard));
    } else if (effect instanceof ShardEffect.LogApart apart) {
      EpochLog.apart(process.node.disk::beginEpoch, 0, apart.epoch());
    } else if (effect instanceof ShardEffect.LogHeard heard) {
      EpochLog.heard(process.node.disk::beginEpoch, 0, heard.epoch());
    } else if (effect instanceof ShardEffect.Deliver deliver) {
      handle(
          deliver.event() instanceof ShardEvent.SealAsked seal
              ? asked(seal.request(), seal.newOwner(), seal.isReplaced())
              : deliver.event());
    } else if (effect instanceof ShardEffect.Own own) {
      process.replace(into);
      into = null;
      learnLogs();
      if (!own.taken().heardAll()) {
        process.memory().knownSince(new Position(0, own.epoch(), 0));
      }
      process.begin(own.epoch(), own.taken().follows());
    } else if (!answered(effect)) {
      runAttempt(effect);
    }
  }

  private void tell(String to, long epoch, long heard) {
    pull.find(to)
        .ifPresent(
            other ->
                world.network.send(process, other, () -> other.onBegun(epoch, process, heard)));
  }

  private boolean answered(ShardEffect effect) {
    if (effect instanceof ShardEffect.AnswerSeal seal) {
      Promise<Sealed> asker = seals.remove(seal.request());
      Future<Void> onDisk =
          world.mutant == Mutant.SEAL_BEFORE_DISK
              ? Future.succeededFuture()
              : process.durability().settled();
      onDisk
          .map(
              settled ->
                  new Sealed(
                      seal.isHeld(),
                      process.durability().last(),
                      seal.newestEpoch(),
                      process.log,
                      seal.isDoubting(),
                      seal.isInformed()))
          .onComplete(asker);
    } else if (effect instanceof ShardEffect.RefuseSeal refuse) {
      seals.remove(refuse.request()).fail("not seen");
    } else if (effect instanceof ShardEffect.RefuseLater refuse) {
      seals.remove(refuse.request()).fail("an epoch begins");
    } else if (effect instanceof ShardEffect.AcceptOffer accept) {
      Promise<Void> holder = others.remove(accept.request());
      run(() -> process.decided().onComplete(holder));
    } else if (effect instanceof ShardEffect.RefuseOffer refuse) {
      others.remove(refuse.request()).fail("not seen, or about to leave");
    } else if (effect instanceof ShardEffect.Done done) {
      others.remove(done.request()).complete();
    } else if (effect instanceof ShardEffect.HandOver over) {
      Promise<Void> leaver = others.remove(over.request());
      offer(over.to(), over.epoch(), over.isOwner()).otherwiseEmpty().onComplete(leaver);
    } else {
      return effect instanceof ShardEffect.Say;
    }
    return true;
  }

  private Future<Void> offer(String to, long epoch, boolean isLeaving) {
    return pull.find(to)
        .map(
            other ->
                world.network.request(
                    process,
                    other,
                    TAKEOVER_TIMEOUT_MS,
                    () -> other.onOffer(process.id, epoch, isLeaving)))
        .orElseGet(() -> Future.failedFuture("gone"));
  }

  private void runAttempt(ShardEffect effect) {
    if (effect instanceof ShardEffect.AwaitDisk await) {
      process.durability().settled().onSuccess(settled -> settled(await.attempt()));
    } else if (effect instanceof ShardEffect.AskAll ask) {
      into = process.memory();
      last = ask.last();
      new SealRound(world, process, pull)
          .askAll(ask.attempt())
          .onSuccess(answers -> answered(ask.attempt(), answers));
    } else if (effect instanceof ShardEffect.CopyTail copy) {
      copy(copy.attempt(), copy.from())
          .onComplete(copied -> handle(new ShardEvent.Copied(copy.attempt(), copied.succeeded())));
    } else if (effect instanceof ShardEffect.ReadBackup read) {
      handle(new ShardEvent.BackupRead(read.attempt(), last));
    } else if (effect instanceof ShardEffect.Merge merge) {
      merge(merge.attempt(), merge.plan()).onComplete(done -> merged(merge.attempt()));
    } else if (effect instanceof ShardEffect.LetGo) {
      letGo();
    } else if (effect instanceof ShardEffect.LogEpoch epoch) {
      logEpoch(epoch);
    } else {
      throw new IllegalStateException("no effect is known as " + effect);
    }
  }

  private void settled(int attempt) {
    Position durable = process.durability().last();
    handle(new ShardEvent.Settled(attempt, durable, Optional.empty()));
  }

  private void answered(int attempt, List<Answer> all) {
    answers = all;
    boolean isReplaced =
        all.stream()
            .filter(one -> one.reply().isPresent())
            .anyMatch(one -> process.node.disk.isReplaced(one.name(), log(one)));
    handle(new ShardEvent.Answered(attempt, all, names(), isReplaced));
  }

  private void learnLogs() {
    answers.stream()
        .filter(one -> one.reply().isPresent())
        .forEach(one -> process.node.disk.learn(one.name(), log(one)));
  }

  private static long log(Answer answer) {
    return answer.reply().orElseThrow().log();
  }

  private Set<String> names() {
    Set<String> names =
        new HashSet<>(world.mutant == Mutant.NAMES_NOT_KEPT ? Set.of() : process.node.disk.names);
    names.remove(process.node.name);
    return names;
  }

  private Future<Void> copy(int attempt, Answer from) {
    if (!into.tail().head().equals(last)) {
      into = process.newMemory();
      into.inheritIds(process.memory(), last);
      into.knownSince(last);
    }
    if (world.mutant == Mutant.TAIL_NOT_COPIED) {
      into.begin(from.last().epoch(), into.tail().head());
      into.tail().raiseFloor(from.last());
      return Future.succeededFuture();
    }
    ShardMemory memory = into;
    boolean ownKnowsAll = !last.isNone() && memory.knowsAllTopics();
    boolean[] isAdjacent = {true};
    Future<Void> copied =
        pull.pages(
            attempt,
            from.id(),
            "",
            () -> memory.tail().head(),
            page -> isAdjacent[0] = copy(page, isAdjacent[0], memory));
    return copied
        .compose(
            done ->
                pull.topics(from.id()).otherwise(new Page(false, Position.none(0), "", List.of())))
        .map(
            topics -> {
              if (pull.isWanted(attempt)) {
                topics.records().forEach(memory.latest()::merge);
                if (!ownKnowsAll) {
                  memory.knownSince(topics.upTo());
                }
                if (!topics.complete()) {
                  memory.latest().forgot();
                }
              }
              return (Void) null;
            })
        .onFailure(
            failure -> {
              if (pull.isWanted(attempt)) {
                letGo();
                into = process.memory();
              }
            });
  }

  private boolean copy(Page page, boolean isAdjacent, ShardMemory memory) {
    page.records()
        .forEach(
            placed ->
                world.oracle.onSeen(
                    new Batch(
                        0,
                        placed.position().epoch(),
                        placed.position().offset(),
                        List.of(placed.record())),
                    process.id));
    boolean isNextAdjacent = TailPage.copy(page, isAdjacent, memory, process.memoryMs());
    if (world.mutant == Mutant.IDS_NOT_KEPT) {
      page.records().forEach(placed -> memory.forget(List.of(placed.record())));
    }
    return isNextAdjacent;
  }

  private Future<?> merge(int attempt, TakeoverPlan plan) {
    ShardMemory memory = into;
    List<Future<Void>> merged = new ArrayList<>();
    for (Answer answer : plan.answers()) {
      if (answer.isHolder()
          && !answer.last().isNone()
          && memory.epochs().normalize(answer.last()).isEmpty()) {
        Position begin = new Position(0, answer.last().epoch(), 0);
        merged.add(
            pull.pages(
                attempt,
                answer.id(),
                "",
                () -> begin,
                page -> page.records().forEach(memory::merge)));
      }
    }
    return Future.join(merged).transform(done -> addTopics(attempt, plan, memory));
  }

  private Future<?> addTopics(int attempt, TakeoverPlan plan, ShardMemory memory) {
    if (memory.knowsAllTopics()) {
      return Future.succeededFuture();
    }
    List<Future<Page>> added = new ArrayList<>();
    for (Answer answer : plan.answers()) {
      if (answer.reply().isPresent()) {
        added.add(
            pull.topics(answer.id())
                .onSuccess(
                    page -> {
                      if (pull.isWanted(attempt)) {
                        page.records().forEach(memory.latest()::merge);
                      }
                    }));
      }
    }
    return Future.join(added);
  }

  private void merged(int attempt) {
    long inMemory = into == null ? 0 : into.epochs().newest();
    long known = Math.max(inMemory, process.memory().epochs().newest());
    long tag = world.mutant == Mutant.EPOCH_WITHOUT_TAG ? 2 : process.self().epochTag();
    handle(new ShardEvent.Merged(attempt, known, tag, process.company().mayTake()));
  }

  void letGo() {
    if (into != null && into != process.memory()) {
      into.close();
    }
    into = null;
  }

  private void logEpoch(ShardEffect.LogEpoch begin) {
    List<Future<Void>> told = new ArrayList<>();
    for (StoringProcess other : world.seenBy(process)) {
      Future<Void> one =
          world.network.request(
              process, other, TELL_TIMEOUT_MS, () -> other.onBegun(begin.epoch(), process, 0));
      if (begin.heard().containsKey(other.id)) {
        told.add(one);
      }
    }
    Future<?> all = Future.join(told).otherwiseEmpty();
    boolean isCertain = begin.taken().isCertain() || world.mutant == Mutant.DOUBT_NOT_LOGGED;
    Future<Void> logged =
        world.mutant == Mutant.EPOCH_NOT_LOGGED
            ? Future.succeededFuture()
            : EpochLog.begin(
                process.node.disk::beginEpoch,
                begin.epoch(),
                begin.taken().last(),
                isCertain,
                begin.taken().isOurs());
    logged
        .onFailure(failure -> handle(new ShardEvent.LogFailed()))
        .compose(done -> all)
        .onSuccess(done -> handle(new ShardEvent.EpochLogged(begin.attempt())));
  }
}
