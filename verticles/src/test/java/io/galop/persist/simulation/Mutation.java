package io.galop.persist.simulation;

import io.galop.persist.ownership.OwnershipRules;
import io.galop.persist.ownership.OwnershipRules.Next;
import io.galop.persist.ownership.ShardEffect;
import io.galop.persist.ownership.ShardEvent;
import io.galop.persist.ownership.ShardState;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.persist.ownership.Taken;
import java.util.ArrayList;
import java.util.List;

/** The rules of ownership, or what a mutant makes of them. */
final class Mutation {
  private Mutation() {}

  static Next next(Mutant mutant, ShardState state, ShardEvent event) {
    Next next = OwnershipRules.next(state, event);
    return switch (mutant) {
      case STALE_OWNER_NOT_FENCED -> unfenced(state, event, next);
      case DOUBT_NOT_SHOWN -> new Next(next.state(), certain(next.effects()));
      default -> next;
    };
  }

  /** Answers, and goes on. */
  private static Next unfenced(ShardState state, ShardEvent event, Next next) {
    if (state instanceof Owning && event instanceof ShardEvent.SealAsked) {
      return new Next(
          state, next.effects().stream().filter(ShardEffect.AnswerSeal.class::isInstance).toList());
    }
    return next;
  }

  private static List<ShardEffect> certain(List<ShardEffect> effects) {
    List<ShardEffect> all = new ArrayList<>();
    for (ShardEffect effect : effects) {
      if (effect instanceof ShardEffect.Own own) {
        Taken taken = own.taken();
        all.add(
            new ShardEffect.Own(
                own.epoch(), new Taken(taken.last(), true, taken.isOurs(), taken.heardAll())));
      } else {
        all.add(effect);
      }
    }
    return all;
  }
}
