package io.galop.ingest.kafka;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Messages of one partition that were polled at once, and which of them are open: neither
 * acknowledged nor given up for good. For the thread of its source.
 */
final class KafkaChunk {
  private final TopicPartition partition;
  private final List<ConsumerRecord<byte[], byte[]>> messages;
  private BitSet open;

  /** Of at least one message. */
  KafkaChunk(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> messages) {
    this.partition = partition;
    this.messages = messages;
    this.open = new BitSet(messages.size());
    open.set(0, messages.size());
  }

  TopicPartition partition() {
    return partition;
  }

  /** The messages' numbers from 0 that are open. */
  BitSet open() {
    return open;
  }

  ConsumerRecord<byte[], byte[]> message(int number) {
    return messages.get(number);
  }

  /** These are left. */
  void leave(BitSet left) {
    open = left;
  }

  boolean isSettled() {
    return open.isEmpty();
  }

  long firstOffset() {
    return messages.get(0).offset();
  }

  /** That behind the last message. */
  long nextOffset() {
    return messages.get(messages.size() - 1).offset() + 1;
  }

  /** The offset up to which everything is settled: that of the first message that is open. */
  long settledUpTo() {
    return isSettled() ? nextOffset() : messages.get(open.nextSetBit(0)).offset();
  }

  /**
   * The leader's epoch of the message right before {@link #settledUpTo}. Empty where that is not
   * here: what lies between may be of another, and the log would seem to be cut off.
   */
  Optional<Integer> settledEpoch() {
    int settled = isSettled() ? messages.size() : open.nextSetBit(0);
    if (settled == 0) {
      return Optional.empty();
    }
    ConsumerRecord<byte[], byte[]> last = messages.get(settled - 1);
    return last.offset() + 1 == settledUpTo() ? last.leaderEpoch() : Optional.empty();
  }
}
