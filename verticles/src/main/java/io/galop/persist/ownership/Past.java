package io.galop.persist.ownership;

/** Whether a node has placed records of which an owner has to be told. */
public sealed interface Past {
  /** It has none, or an owner has heard of them. */
  Past REPORTED = new Reported();

  /** See {@link #REPORTED}. */
  record Reported() implements Past {}

  /**
   * It has placed records. It says so to whoever seals its epoch, and again to the next: an answer
   * may be lost, and who got it may give its takeover up. It offers them to the rightful owner
   * until that says that it has heard.
   *
   * @param epoch in which it placed them last
   * @param isApart whether another node may have owned the shard meanwhile: then the Log says so,
   *     and a restart owes them too
   */
  record Owed(long epoch, boolean isApart) implements Past {}

  /** Whether whoever asks has to be told of records that were placed here. */
  default boolean isOwed() {
    return this instanceof Owed;
  }

  /**
   * After an owner told what it has heard.
   *
   * @param named the newest epoch that this node named when it was sealed: after that it placed
   *     nothing in any up to it
   */
  default Past heard(long named) {
    return this instanceof Owed owed && named < owed.epoch() ? this : REPORTED;
  }
}
