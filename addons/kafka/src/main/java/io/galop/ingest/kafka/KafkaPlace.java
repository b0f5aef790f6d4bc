package io.galop.ingest.kafka;

import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * Up to which offset everything of a partition is settled, and what of that the group has. For the
 * thread of the source.
 */
final class KafkaPlace {
  private static final long NONE = -1;

  /** {@link #NONE} while nothing was consumed. */
  private long settled = NONE;

  private long committed = NONE;

  /** The leader's epoch of what was settled last, by which Kafka knows a log that was cut off. */
  private Optional<Integer> epoch = Optional.empty();

  /** Kafka was asked for a place to begin at, which is not known yet. */
  private boolean isSought;

  /** What is in hand settles nothing behind it, as Kafka has that no more. */
  private long atMost = Long.MAX_VALUE;

  /**
   * Messages come: everything before the first is settled, and the group goes on there even if no
   * answer comes. A partition that was made anew begins before what was settled of the one before.
   */
  void begin(KafkaChunk fresh) {
    long first = fresh.firstOffset();
    isSought = false;
    atMost = Long.MAX_VALUE;
    if (first < settled) {
      committed = NONE;
    }
    if (first != settled) {
      epoch = Optional.empty();
    }
    settled = first;
  }

  /**
   * It goes on there, also the group though no message comes. What is in hand is handed on until it
   * is settled: where the place is behind it, Kafka still has that.
   */
  void goOnAt(long offset, boolean hasInHand) {
    settled = hasInHand && settled != NONE ? Math.min(settled, offset) : offset;
    isSought = false;
    forget(offset);
  }

  /** It goes on where Kafka says, which it was asked. What is in hand is not settled by that. */
  void seek(boolean hasInHand) {
    settled = hasInHand ? settled : NONE;
    isSought = true;
    forget(NONE);
  }

  private void forget(long behind) {
    atMost = behind;
    committed = NONE;
    epoch = Optional.empty();
  }

  boolean isSought() {
    return isSought;
  }

  /** What is in hand was answered. */
  void settle(KafkaChunk answered) {
    long upTo = Math.min(answered.settledUpTo(), atMost);
    if (upTo > settled) {
      settled = upTo;
      epoch = upTo < answered.settledUpTo() ? Optional.empty() : answered.settledEpoch();
    }
  }

  /** What the group does not have yet; nothing while it is not known where it goes on. */
  Optional<OffsetAndMetadata> due() {
    return settled > committed && !isSought
        ? Optional.of(new OffsetAndMetadata(settled, epoch, ""))
        : Optional.empty();
  }

  /** What is settled is on its way to the group. */
  void onSent() {
    committed = settled;
  }

  /** The group may not have it. */
  void onLost() {
    committed = NONE;
  }
}
