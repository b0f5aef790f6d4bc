package io.galop.persist.ownership;

import io.galop.persist.ownership.OwnershipRules.Next;
import java.util.List;

/** A shard of a node that has just started, and what each event makes of it. */
abstract class OwnershipSteps {
  ShardState state = ShardState.initial(Past.REPORTED);
  List<ShardEffect> effects = List.of();

  void on(ShardEvent event) {
    Next next = OwnershipRules.next(state, event);
    state = next.state();
    effects = next.effects();
  }

  <T extends ShardEffect> T effect(Class<T> kind) {
    return kind.cast(effects.stream().filter(kind::isInstance).findFirst().orElseThrow());
  }

  boolean has(Class<? extends ShardEffect> kind) {
    return effects.stream().anyMatch(kind::isInstance);
  }

  int attempt() {
    return state.known().attempt();
  }
}
