package io.galop.persist.ownership;

import io.galop.persist.ownership.OwnershipRules.Next;
import io.galop.persist.ownership.ShardEffect.Say;

/** Whether records that are nowhere may have been lost with another node's Log. Pure. */
final class Doubt {
  private Doubt() {}

  /** Tells the operator of a doubt that is new. */
  static Next said(ShardState before, Next next) {
    boolean isNew = next.state().known().isDoubting() && !before.known().isDoubting();
    return isNew
        ? next.after(
            new Say(
                true,
                "may lack records that only the lost Log of another node held: its viewers are told"
                    + " of a gap"))
        : next;
  }
}
