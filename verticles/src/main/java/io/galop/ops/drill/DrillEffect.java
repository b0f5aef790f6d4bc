package io.galop.ops.drill;

/** What a round has done. */
sealed interface DrillEffect {
  /** A viewer comes, with the Positions that it had before, if any. */
  record Join(DrillStage transport) implements DrillEffect {}

  /** A viewer leaves. */
  record Leave(DrillStage transport) implements DrillEffect {}

  /**
   * A record is sent.
   *
   * @param isToOwner right to the owner of its shard, past the door and enrichment
   */
  record Send(int part, boolean isToOwner) implements DrillEffect {
    Send(int part) {
      this(part, false);
    }
  }

  /** All nodes are asked for a record, until they say that it is everywhere. */
  record Look(int part) implements DrillEffect {}

  /** {@link DrillEvent.Late} is told after so long. */
  record Wait(DrillPhase phase, long ms) implements DrillEffect {}

  /** It is over. */
  record End(DrillVerdict verdict) implements DrillEffect {}
}
