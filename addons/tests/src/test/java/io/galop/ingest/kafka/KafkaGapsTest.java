package io.galop.ingest.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.node.Readiness;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a source goes on when offsets are missing. */
class KafkaGapsTest {
  private static final TopicPartition PARTITION = new TopicPartition("in", 0);
  private static final long FIRST = 100;
  private static final long END = 200;

  private final Readiness readiness = new Readiness();
  private final KafkaMeters meters = new KafkaMeters(new SimpleMeterRegistry(), "plant");
  private final KafkaGaps gaps = gaps();
  private boolean commitsFail;
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>("none") {
        @Override
        public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration atMost) {
          if (commitsFail) {
            throw new RebalanceInProgressException();
          }
          super.commitSync(offsets, atMost);
        }
      };

  private final KafkaPartitions partitions =
      new KafkaPartitions(source(), consumer, null, null, meters, gaps);

  private static KafkaSourceConfig source() {
    String source = "ingest.kafka.sources=[{name: plant, servers: [\"a:1\"], topics: [in]}]";
    return ConfigLoader.load(Optional.empty(), Map.of(), List.of(source), Map.of())
        .ingest()
        .kafka()
        .sources()
        .get(0);
  }

  private KafkaGaps gaps() {
    return new KafkaGaps(new KafkaHealth(source(), readiness, meters));
  }

  private Object way(String configured) {
    return gaps.told(Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, configured))
        .get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG);
  }

  private void begin(String configured) {
    way(configured);
    consumer.assign(List.of(PARTITION));
    partitions.onPartitionsAssigned(List.of(PARTITION));
    consumer.updateBeginningOffsets(Map.of(PARTITION, FIRST));
    consumer.updateEndOffsets(Map.of(PARTITION, END));
  }

  private void poll() {
    assertTrue(gaps.poll(consumer, partitions, Duration.ZERO).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"earliest, none", "latest, none", "none, none", "by_duration:PT1H, by_duration:PT1H"})
  void leavesWhatOnlyKafkaKnowsToKafka(String configured, String told) {
    assertEquals(told, way(configured));
  }

  @ParameterizedTest
  @CsvSource({"earliest, 100", "latest, 200"})
  void aNewGroupBeginsAsConfigured(String configured, long at) {
    begin(configured);
    consumer.setPollException(new NoOffsetForPartitionException(PARTITION));
    poll();
    assertEquals(at, consumer.position(PARTITION));
    assertEquals(Map.of(), readiness.warnings());
  }

  private long committed() {
    partitions.end();
    OffsetAndMetadata found = consumer.committed(Set.of(PARTITION)).get(PARTITION);
    return found == null ? -1 : found.offset();
  }

  /** Else whoever has the partition next would begin at a later end. */
  @ParameterizedTest
  @CsvSource({"earliest, 100", "latest, 200"})
  void theGroupGoesOnWhereItBeganThoughNoMessageCame(String configured, long at) {
    begin(configured);
    consumer.setPollException(new NoOffsetForPartitionException(PARTITION));
    poll();
    assertEquals(at, committed());
  }

  /** It could not be committed, and the topic has grown. */
  @Test
  void anotherConsumerBeginsWhereTheFirstDid() {
    begin("latest");
    consumer.setPollException(new NoOffsetForPartitionException(PARTITION));
    poll();
    commitsFail = true;
    assertEquals(-1, committed());
    commitsFail = false;
    consumer.updateEndOffsets(Map.of(PARTITION, END + 20));
    partitions.onPartitionsAssigned(List.of(PARTITION));
    consumer.setPollException(new NoOffsetForPartitionException(PARTITION));
    poll();
    assertEquals(END, committed());
  }

  @ParameterizedTest
  @CsvSource({"earliest", "latest"})
  void goesOnWithTheFirstThatIsLeftAndCountsTheOthers(String configured) {
    begin(configured);
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(PARTITION, 40L)));
    poll();
    assertEquals(FIRST, consumer.position(PARTITION));
    assertEquals(60, meters.missed.count());
  }

  @Test
  void throwsWhereTheOperatorWantsItTo() {
    begin("none");
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(PARTITION, 40L)));
    assertThrows(OffsetOutOfRangeException.class, this::poll);
  }

  /** With latest as Kafka does: the whole topic would come twice. */
  @ParameterizedTest
  @CsvSource({"earliest, 100, may come twice", "latest, 200, may be missed"})
  void tellsOfAPartitionThatEndsBeforeWhatWasRead(String configured, long at, String words) {
    begin(configured);
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(PARTITION, 300L)));
    poll();
    assertEquals(at, consumer.position(PARTITION));
    String said = readiness.warnings().toString();
    assertTrue(said.contains("up to offset 300") && said.contains(words), said);
  }

  @ParameterizedTest
  @CsvSource({"earliest", "latest"})
  void goesOnWhereALogWasCutOffIfThatIsKnown(String configured) {
    begin(configured);
    consumer.setPollException(
        new LogTruncationException(
            "cut", Map.of(PARTITION, 300L), Map.of(PARTITION, new OffsetAndMetadata(170))));
    poll();
    assertEquals(170, consumer.position(PARTITION));
    assertEquals(1, readiness.warnings().size());
  }

  /** What it had in hand, or all of a topic that ends before it. */
  @ParameterizedTest
  @CsvSource({"earliest, 160, 100", "latest, 160, 150", "latest, 300, 100"})
  void missesNothingOfAPartitionWhoseOffsetIsGone(String configured, long readUpTo, long at) {
    begin(configured);
    gaps.onRead(consumer, PARTITION, 150, readUpTo);
    consumer.setPollException(new NoOffsetForPartitionException(PARTITION));
    poll();
    assertEquals(at, consumer.position(PARTITION));
    consumer.setPollException(new NoOffsetForPartitionException(PARTITION));
    poll(); // another consumer, before the first had read there
    assertEquals(at, consumer.position(PARTITION));
  }

  /**
   * A restart before a message comes would find the group beyond the end, and go to a later one.
   */
  @ParameterizedTest
  @CsvSource({"earliest, 100", "latest, 200"})
  void theGroupGoesOnWhereItWasSentThoughNoMessageCame(String configured, long at) {
    begin(configured);
    consumer.commitSync(Map.of(PARTITION, new OffsetAndMetadata(300)));
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(PARTITION, 300L)));
    poll();
    assertEquals(at, committed());
    assertEquals(1, meters.cut.count());
  }

  @Test
  void passesOverAPartitionThatIsAnothersMeanwhile() {
    begin("earliest");
    TopicPartition other = new TopicPartition("in", 1);
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(other, 300L)));
    poll();
    assertEquals(Map.of(), readiness.warnings());
  }

  @Test
  void readsOnWhereTheEndIsNotShown() {
    begin("earliest");
    consumer.setOffsetsException(new TimeoutException("no leader"));
    gaps.onRead(consumer, PARTITION, FIRST, 250);
    gaps.onRead(consumer, PARTITION, FIRST, FIRST + 10);
    assertEquals(Map.of(), readiness.warnings());
  }

  @Test
  void namesEachPartitionThatWasMadeAnew() {
    begin("earliest");
    TopicPartition second = new TopicPartition("in", 1);
    consumer.assign(List.of(PARTITION, second));
    consumer.updateBeginningOffsets(Map.of(second, 0L));
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(PARTITION, 300L, second, 400L)));
    poll();
    String said = readiness.warnings().toString();
    assertTrue(said.contains("of 2 partitions: in-0, in-1"), said);
  }

  @ParameterizedTest
  @CsvSource({"150, 0", "250, 1"})
  void knowsAPartitionMadeAnewFromOneReadAgain(long readUpTo, int warnings) {
    begin("earliest");
    gaps.onRead(consumer, PARTITION, FIRST, readUpTo);
    gaps.onRead(consumer, PARTITION, FIRST, FIRST + 10);
    gaps.onRead(consumer, PARTITION, FIRST + 10, FIRST + 20);
    assertEquals(warnings, readiness.warnings().size());
  }
}
