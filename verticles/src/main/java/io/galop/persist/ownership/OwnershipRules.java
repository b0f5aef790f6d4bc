package io.galop.persist.ownership;

import io.galop.persist.ownership.Past.Owed;
import io.galop.persist.ownership.ShardEffect.AnswerSeal;
import io.galop.persist.ownership.ShardEffect.AskAll;
import io.galop.persist.ownership.ShardEffect.AwaitDisk;
import io.galop.persist.ownership.ShardEffect.CopyTail;
import io.galop.persist.ownership.ShardEffect.Deliver;
import io.galop.persist.ownership.ShardEffect.Done;
import io.galop.persist.ownership.ShardEffect.DropFollowers;
import io.galop.persist.ownership.ShardEffect.HandOver;
import io.galop.persist.ownership.ShardEffect.LetGo;
import io.galop.persist.ownership.ShardEffect.LogApart;
import io.galop.persist.ownership.ShardEffect.LogEpoch;
import io.galop.persist.ownership.ShardEffect.LogHeard;
import io.galop.persist.ownership.ShardEffect.LookAgain;
import io.galop.persist.ownership.ShardEffect.Merge;
import io.galop.persist.ownership.ShardEffect.OfferTo;
import io.galop.persist.ownership.ShardEffect.Own;
import io.galop.persist.ownership.ShardEffect.ReadBackup;
import io.galop.persist.ownership.ShardEffect.RefuseLater;
import io.galop.persist.ownership.ShardEffect.RefuseSeal;
import io.galop.persist.ownership.ShardEffect.Say;
import io.galop.persist.ownership.ShardEffect.TellHeard;
import io.galop.persist.ownership.ShardEvent.Answered;
import io.galop.persist.ownership.ShardEvent.AppendRefused;
import io.galop.persist.ownership.ShardEvent.BackupRead;
import io.galop.persist.ownership.ShardEvent.Broken;
import io.galop.persist.ownership.ShardEvent.Copied;
import io.galop.persist.ownership.ShardEvent.EpochLogged;
import io.galop.persist.ownership.ShardEvent.Leaves;
import io.galop.persist.ownership.ShardEvent.LogFailed;
import io.galop.persist.ownership.ShardEvent.Looked;
import io.galop.persist.ownership.ShardEvent.Merged;
import io.galop.persist.ownership.ShardEvent.Offered;
import io.galop.persist.ownership.ShardEvent.OtherBegan;
import io.galop.persist.ownership.ShardEvent.OthersLost;
import io.galop.persist.ownership.ShardEvent.Paused;
import io.galop.persist.ownership.ShardEvent.Returned;
import io.galop.persist.ownership.ShardEvent.SealAsked;
import io.galop.persist.ownership.ShardEvent.SeenNewer;
import io.galop.persist.ownership.ShardEvent.Settled;
import io.galop.persist.ownership.ShardEvent.Stops;
import io.galop.persist.ownership.ShardState.Asking;
import io.galop.persist.ownership.ShardState.Beginning;
import io.galop.persist.ownership.ShardState.Copying;
import io.galop.persist.ownership.ShardState.Failed;
import io.galop.persist.ownership.ShardState.Merging;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.persist.ownership.ShardState.Planned;
import io.galop.persist.ownership.ShardState.ReadingBackup;
import io.galop.persist.ownership.ShardState.Settling;
import io.galop.persist.ownership.ShardState.Stopping;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.persist.ownership.ShardState.Waiting;
import io.galop.persist.ownership.TakeoverPlan.Before;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides who owns a shard. A node takes what rendezvous hashing gives it, and goes on with what it
 * has until the new owner asks for it: a planned move leaves no time without an owner. Pure.
 */
public final class OwnershipRules {
  /** Events that wait for an epoch to begin: each node asks a few times in that second. */
  public static final int MAX_DEFERRED = 256;

  private OwnershipRules() {}

  /** A state and what is to be done on entering it. */
  public record Next(ShardState state, List<ShardEffect> effects) {
    public Next {
      effects = List.copyOf(effects);
    }

    static Next of(ShardState state, ShardEffect... effects) {
      return new Next(state, List.of(effects));
    }

    Next and(ShardEffect... more) {
      List<ShardEffect> all = new ArrayList<>(effects);
      all.addAll(List.of(more));
      return new Next(state, all);
    }

    Next after(ShardEffect... first) {
      List<ShardEffect> all = new ArrayList<>(List.of(first));
      all.addAll(effects);
      return new Next(state, all);
    }
  }

  /** What becomes of a state by an event. */
  public static Next next(ShardState state, ShardEvent event) {
    if (event instanceof Looked looked) {
      return looked.isSelf() ? onOwn(state, looked) : onOther(state, looked.rightful());
    } else if (event instanceof Returned returned) {
      return Next.of(state.with(state.known().withOthers(returned.ids())));
    } else if (event instanceof Paused) {
      return onPaused(state);
    } else if (event instanceof OthersLost) {
      return onOthersLost(state);
    } else if (event instanceof SeenNewer seen) {
      return onSeenNewer(state, seen.epoch());
    } else if (event instanceof Offered offered) {
      return OfferRules.onOffered(state, offered);
    } else if (event instanceof SealAsked asked) {
      return Doubt.said(state, onSealAsked(state, asked));
    } else if (event instanceof OtherBegan began) {
      return onOtherBegan(state, began);
    } else if (event instanceof LogFailed) {
      return onLogFailed(state);
    } else if (event instanceof AppendRefused) {
      return state instanceof Owning ? Next.of(waiting(state)) : Next.of(state);
    } else if (event instanceof Leaves leaves) {
      return onLeaves(state, leaves);
    } else if (event instanceof Stops) {
      return left(state, new Stopping(known(state), state.past())).after(new DropFollowers());
    }
    return state instanceof TakingOver takingOver
        ? onProgress(takingOver, event)
        : Next.of(state); // from an attempt that was given up
  }

  private static Next onProgress(TakingOver state, ShardEvent event) {
    int mine = state.known().attempt();
    if (event instanceof Settled settled && settled.attempt() == mine) {
      return state instanceof Settling settling ? onSettled(settling, settled) : Next.of(state);
    } else if (event instanceof Answered answered && answered.attempt() == mine) {
      return state instanceof Asking asking
          ? Doubt.said(state, onAnswered(asking, answered))
          : Next.of(state);
    } else if (event instanceof Copied copied && copied.attempt() == mine) {
      return state instanceof Copying copying ? onCopied(copying, copied) : Next.of(state);
    } else if (event instanceof BackupRead read && read.attempt() == mine) {
      return state instanceof ReadingBackup reading ? onRead(reading, read) : Next.of(state);
    } else if (event instanceof Merged merged && merged.attempt() == mine) {
      return state instanceof Merging merging ? onMerged(merging, merged) : Next.of(state);
    } else if (event instanceof EpochLogged logged && logged.attempt() == mine) {
      return state instanceof Beginning begin ? onEpochLogged(begin) : Next.of(state);
    } else if (event instanceof Broken broken && broken.attempt() == mine) {
      return state instanceof Beginning ? Next.of(state) : left(state, waiting(state));
    }
    return Next.of(state);
  }

  /** This node should own the shard. */
  private static Next onOwn(ShardState state, Looked looked) {
    boolean isSuperseded = state instanceof Owning && !state.known().others().isEmpty();
    return looked.mayTake() && (isSuperseded || state instanceof Waiting)
        ? takeOver(state)
        : Next.of(state);
  }

  /** Another node should own the shard. If it does not ask for it, it may not know of this one. */
  private static Next onOther(ShardState state, Optional<String> rightful) {
    Known known = state.known();
    if (rightful.isEmpty() || known.leaving().contains(rightful.get())) {
      return Next.of(state);
    }
    Next next = Next.of(state.with(known.withOthers(Set.of(rightful.get()))));
    return state.past() instanceof Owed owed
        ? next.and(new OfferTo(rightful.get(), owed.epoch()))
        : next;
  }

  static Next takeOver(ShardState state) {
    Known known = state.known().nextAttempt();
    return Next.of(
        new Settling(known, state.past()), new DropFollowers(), new AwaitDisk(known.attempt()));
  }

  private static Next onPaused(ShardState state) {
    if (state instanceof Beginning begin) {
      return defer(begin, new Paused());
    }
    ShardState now = state.with(state.known().uninformed());
    return state instanceof Owning || state instanceof TakingOver
        ? left(now, waiting(now)).after(new DropFollowers())
        : Next.of(now);
  }

  /**
   * Whoever restarts after this has to tell of what it placed. That holds for a takeover too: the
   * lost node may have answered, and then taken the shard as well. While answers are awaited, all
   * are asked again.
   */
  private static Next onOthersLost(ShardState state) {
    if (state instanceof Beginning begin) {
      return defer(begin, new OthersLost());
    } else if (state instanceof Asking) {
      return left(state, waiting(state)).and(new LookAgain());
    } else if (state instanceof Planned planned) {
      return Next.of(planned.with(planned.plan().apart()));
    }
    return state instanceof Owning owning && !owning.isApart()
        ? Next.of(owning.apart(), new LogApart(owning.epoch()))
        : Next.of(state);
  }

  /** What is placed here would look older there; so it is taken once more, in a larger epoch. */
  private static Next onSeenNewer(ShardState state, long epoch) {
    ShardState now = state.with(state.known().seen(epoch));
    return state instanceof Owning
        ? takeOver(now)
            .after(new Say(false, "begins a new epoch: another node has seen " + epoch + " of it"))
        : Next.of(now);
  }

  /**
   * The next epoch here is larger. If this node owns the shard, it was not heard when it was asked
   * for it, and stops at once.
   */
  private static Next onOtherBegan(ShardState state, OtherBegan began) {
    Known known = state.known().told(began.epoch(), began.isDoubtHeard());
    if (state instanceof Owning owning && began.epoch() > owning.epoch()) {
      String taken = "was taken by node " + began.owner() + ", which this one did not hear";
      return Next.of(
          new Waiting(known.withOthers(Set.of(began.owner())), owning.apart().past()),
          new Say(true, taken),
          new DropFollowers(),
          new LogApart(owning.epoch()),
          new LookAgain());
    }
    Past past = state.past().heard(began.heard());
    Next next = Next.of(state.with(known, past));
    return state.past() instanceof Owed owed && owed.isApart() && !past.isOwed()
        ? next.and(new LogHeard(owed.epoch()))
        : next;
  }

  private static Next onSealAsked(ShardState state, SealAsked asked) {
    if (!asked.isSeen()) {
      return Next.of(state, new RefuseSeal(asked.request()));
    }
    if (state instanceof Beginning begin) {
      return begin.deferred().size() < MAX_DEFERRED
          ? defer(begin, asked)
          : Next.of(state, new RefuseLater(asked.request()));
    }
    boolean isHeld = state.past().isOwed();
    Known before = known(state).withOthers(Set.of(asked.newOwner()));
    Known now = (asked.isReplaced() ? before.replaced() : before).seen(asked.newestInMemory());
    AnswerSeal answer = now.answer(asked.request(), isHeld);
    Known known = now.uninformed(); // who asks may begin an epoch
    Past past = state.past();
    if (state instanceof Owning) {
      Say goes = new Say(false, "goes to node " + asked.newOwner());
      return Next.of(new Waiting(known, past), goes, new DropFollowers(), answer);
    }
    return state instanceof TakingOver
        ? left(state, new Waiting(known, past)).and(answer)
        : Next.of(state.with(known, past), answer);
  }

  private static Next onLogFailed(ShardState state) {
    return state instanceof Failed
        ? Next.of(state)
        : left(state, new Failed(known(state), state.past()));
  }

  private static Next onLeaves(ShardState state, Leaves leaves) {
    ShardState now = state.with(state.known().ending());
    boolean isOwner = state instanceof Owning;
    return state.past() instanceof Owed owed && leaves.next().isPresent()
        ? Next.of(now, new HandOver(leaves.request(), leaves.next().get(), owed.epoch(), isOwner))
        : Next.of(now, new Done(leaves.request()));
  }

  /** What appears from here on has not been asked, and waits for the next takeover. */
  private static Next onSettled(Settling state, Settled settled) {
    Set<String> others = state.known().others();
    Before before = new Before(settled.last(), others, settled.copy());
    return Next.of(
        new Asking(state.known().withoutOthers(), state.past(), before),
        new AskAll(settled.attempt(), settled.last()));
  }

  private static Next onAnswered(Asking state, Answered answered) {
    boolean isHeld = state.past().isOwed();
    Known before = state.known();
    Known known =
        (answered.isReplaced() ? before.replaced() : before)
            .seen(TakeoverPlan.newest(answered.answers()));
    TakeoverPlan plan =
        TakeoverPlan.of(state.before(), isHeld, known, answered.answers(), answered.names());
    Copying copying = new Copying(known, state.past(), state.before(), plan);
    if (plan.copyFrom().isPresent()) {
      return Next.of(copying, new CopyTail(answered.attempt(), plan.copyFrom().get()));
    }
    Taken own = new Taken(state.before().last(), plan.isCertain(), true, true);
    return plan.heardAll() ? merge(copying, plan, own) : fromBackup(copying);
  }

  private static Next onCopied(Copying state, Copied copied) {
    TakeoverPlan plan = state.plan();
    return copied.isDone()
        ? merge(
            state,
            plan,
            new Taken(
                plan.copyFrom().orElseThrow().last(), plan.isCertain(), false, plan.heardAll()))
        : fromBackup(state);
  }

  /** What the backup tier has is better than nothing, unless this node has placed beside it. */
  private static Next fromBackup(Copying state) {
    boolean hasPlaced = state.past().isOwed() && state.known().ownEpoch() > 0;
    return hasPlaced
        ? merge(state, state.plan(), new Taken(state.before().last(), false, true, false))
        : Next.of(
            new ReadingBackup(state.known(), state.past(), state.before(), state.plan()),
            new ReadBackup(state.known().attempt()));
  }

  private static Next onRead(ReadingBackup state, BackupRead read) {
    boolean isOurs = read.last().equals(state.before().last());
    Taken taken = new Taken(read.last(), false, isOurs, false);
    return merge(
        new Copying(state.known(), state.past(), state.before(), state.plan()),
        state.plan(),
        taken);
  }

  private static Next merge(Copying state, TakeoverPlan plan, Taken taken) {
    return Next.of(
        new Merging(state.known(), state.past(), state.before(), plan, taken),
        new Merge(state.known().attempt(), plan));
  }

  private static Next onMerged(Merging state, Merged merged) {
    if (!merged.mayTake()) {
      return left(state, waiting(state));
    }
    Taken taken = state.taken();
    long newest = Math.max(merged.newestInMemory(), taken.last().epoch());
    long epoch = EpochNumber.next(Math.max(state.known().newestEpoch(), newest), merged.tag());
    Known known = state.known().seen(epoch);
    TakeoverPlan plan = state.plan();
    return Next.of(
        new Beginning(known, state.past(), state.before(), epoch, taken, plan, List.of()),
        new LogEpoch(merged.attempt(), epoch, taken, plan.heard()));
  }

  private static Next onEpochLogged(Beginning state) {
    if (state.known().newestEpoch() > state.epoch()) {
      // Another node began one meanwhile. Who was to be asked for this one is to be asked again.
      return left(state, waiting(state)).and(new LookAgain());
    }
    Known known = state.known().began(state.epoch());
    Map<String, Long> heard = state.plan().heard();
    boolean isApart = state.plan().isApart();
    Next next = left(state, new Owning(known, state.epoch(), heard, isApart));
    return (isApart ? next.after(new LogApart(state.epoch())) : next)
        .after(new TellHeard(state.epoch(), heard), new Own(state.epoch(), state.taken()));
  }

  private static Next defer(Beginning state, ShardEvent event) {
    List<ShardEvent> deferred = new ArrayList<>(state.deferred());
    if (deferred.size() < MAX_DEFERRED) {
      deferred.add(event);
    }
    return Next.of(
        new Beginning(
            state.known(),
            state.past(),
            state.before(),
            state.epoch(),
            state.taken(),
            state.plan(),
            List.copyOf(deferred)));
  }

  /** The next state, with what has to be tidied up after the one before. */
  private static Next left(ShardState before, ShardState next) {
    List<ShardEffect> effects = new ArrayList<>();
    if (before instanceof TakingOver) {
      effects.add(new LetGo());
    }
    if (before instanceof Beginning begin) {
      begin.deferred().forEach(event -> effects.add(new Deliver(event)));
    }
    return new Next(next, effects);
  }

  private static Waiting waiting(ShardState state) {
    return new Waiting(known(state), state.past());
  }

  /** What is known when a takeover is given up: whom it was to ask is to be asked by the next. */
  private static Known known(ShardState state) {
    return state instanceof TakingOver takeover
        ? state.known().withOthers(takeover.asked())
        : state.known();
  }
}
