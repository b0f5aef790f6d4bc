package io.galop.persist.ownership;

/** Whether a node has placed records of which the next owner has to be told. */
public sealed interface Past {
  /** It has none, or an owner that began later has heard of them. */
  Past REPORTED = new Reported();

  /** It has placed records in an epoch of its own, and nobody has sealed that epoch. */
  Past HELD = new Held();

  /** See {@link #REPORTED}. */
  record Reported() implements Past {}

  /** See {@link #HELD}. */
  record Held() implements Past {}

  /**
   * Somebody has sealed the epoch, and this node has not heard of one that began after that. The
   * answer may have been lost, or whoever got it may have given its takeover up: whoever asks is
   * told again.
   *
   * @param told the largest epoch that the answer named: an epoch that is begun by who has heard it
   *     has a larger counter
   */
  record Given(long told) implements Past {}

  /** Whether records were placed here in an epoch that nobody has sealed. */
  default boolean isHeld() {
    return this instanceof Held;
  }

  /** Whether whoever asks has to be told of records that were placed here. */
  default boolean isOwed() {
    return !(this instanceof Reported);
  }

  /** After a seal. */
  default Past sealed(long newestEpoch) {
    return isOwed() ? new Given(newestEpoch) : REPORTED;
  }

  /** After another node told that it began an epoch. */
  default Past begunElsewhere(long epoch) {
    if (this instanceof Given given) {
      return EpochNumber.mayHaveKnown(epoch, given.told()) ? REPORTED : this;
    }
    return this;
  }
}
