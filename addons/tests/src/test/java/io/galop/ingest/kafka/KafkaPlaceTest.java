package io.galop.ingest.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a partition is settled and committed when its log changes. */
class KafkaPlaceTest {
  private static final TopicPartition PARTITION = new TopicPartition("in", 0);
  private static final int EPOCH = 7;

  private final KafkaPlace place = new KafkaPlace();

  private static ConsumerRecord<byte[], byte[]> message(long offset) {
    return new ConsumerRecord<>(
        "in",
        0,
        offset,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        new byte[0],
        new RecordHeaders(),
        Optional.of(EPOCH));
  }

  private static KafkaChunk chunk(long... offsets) {
    return new KafkaChunk(
        PARTITION, Arrays.stream(offsets).mapToObj(KafkaPlaceTest::message).toList());
  }

  /** All but the last are settled. */
  private static KafkaChunk settled(int messages, KafkaChunk chunk) {
    BitSet open = (BitSet) chunk.open().clone();
    open.clear(0, messages);
    chunk.leave(open);
    return chunk;
  }

  private long committed() {
    long offset = place.due().map(OffsetAndMetadata::offset).orElse(-1L);
    place.onSent();
    return offset;
  }

  private Optional<Integer> epoch() {
    return place.due().flatMap(OffsetAndMetadata::leaderEpoch);
  }

  @Test
  void commitsTheEpochOfTheMessageRightBefore() {
    KafkaChunk chunk = chunk(10, 11, 15);
    place.begin(chunk);
    assertEquals(Optional.empty(), epoch());
    place.settle(settled(1, chunk));
    assertEquals(Optional.of(EPOCH), epoch());
    place.settle(settled(2, chunk));
    assertEquals(15, place.due().orElseThrow().offset());
    assertEquals(Optional.empty(), epoch(), "what lies between may be of another");
    place.settle(settled(3, chunk));
    assertEquals(new OffsetAndMetadata(16, Optional.of(EPOCH), ""), place.due().orElseThrow());
    place.begin(chunk(16));
    assertEquals(Optional.of(EPOCH), epoch());
    place.begin(chunk(18));
    assertEquals(Optional.empty(), epoch());
  }

  /** Of ten messages from 90 on, two of which are settled, the log ends at some offset now. */
  @ParameterizedTest
  @CsvSource({"95, 92, 95", "0, 0, 0", "91, 91, 91", "200, 92, 100"})
  void whatIsInHandIsSettledAsFarAsKafkaStillHasIt(long end, long before, long after) {
    KafkaChunk chunk = chunk(90, 91, 92, 93, 94, 95, 96, 97, 98, 99);
    place.begin(chunk);
    place.settle(settled(2, chunk));
    place.goOnAt(end, true);
    assertEquals(before, committed());
    place.settle(settled(10, chunk));
    assertEquals(after == before ? -1 : after, committed());
    place.begin(chunk(after));
    place.settle(settled(1, chunk(after)));
    assertEquals(after + 1, committed());
  }

  @Test
  void whatIsInHandSettlesNothingWhileKafkaIsAskedForAPlace() {
    KafkaChunk chunk = chunk(90, 91);
    place.begin(chunk);
    assertEquals(90, committed());
    place.seek(true);
    place.settle(settled(2, chunk));
    assertEquals(-1, committed());
    place.goOnAt(30, true);
    assertEquals(30, committed());
  }

  /** Its node may end before that is acknowledged, and Kafka has it still. */
  @Test
  void thePlaceThatKafkaNamesDoesNotSettleWhatIsInHand() {
    KafkaChunk chunk = chunk(90, 91, 92, 93, 94);
    place.begin(chunk);
    place.settle(settled(2, chunk));
    place.seek(true);
    place.goOnAt(95, true);
    assertEquals(92, committed());
    place.settle(settled(5, chunk));
    assertEquals(95, committed());
  }

  @Test
  void thePlaceThatKafkaNamesIsSettledWhereNothingIsInHand() {
    place.begin(chunk(90));
    place.seek(false);
    place.goOnAt(95, false);
    assertEquals(95, committed());
  }

  @Test
  void goesBackAndIsCommittedAgain() {
    place.goOnAt(300, false);
    assertEquals(300, committed());
    assertEquals(-1, committed());
    place.goOnAt(100, false);
    assertEquals(100, committed());
    place.onLost();
    assertEquals(100, committed());
  }
}
