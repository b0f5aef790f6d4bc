package io.galop.ingest.kafka;

import io.galop.bus.Bus;
import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.kafka.ClientProperties;
import io.galop.node.Node;
import io.galop.retry.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One source and the thread that consumes it. While the stages behind have no room, partitions are
 * paused and the thread goes on polling, so that the group knows it is alive. Whatever the consumer
 * throws, it is made anew after a pause: what was not committed is read again.
 */
final class KafkaFeed implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaFeed.class);
  private static final Duration IDLE = Duration.ofMillis(100);
  private static final Duration CLOSE = Duration.ofSeconds(5);
  private static final long BUSY_MS = 5;
  private static final long LOOK_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

  /** A group that refuses the source lets it connect each time, so it has to live for a while. */
  private static final long PROBATION_NS = TimeUnit.SECONDS.toNanos(4);

  private static final long FIRST_PAUSE_MS = 100;
  private static final int MOST_FETCHED_BYTES = 16_777_216;

  private final KafkaSourceConfig source;
  private final Intake intake;
  private final DoorMeters doorMeters;
  private final KafkaMeters meters;
  private final KafkaHealth health;
  private final KafkaGaps gaps;
  private final KafkaTopics topics;
  private final KafkaRecords records;
  private final Bus bus;
  private final Backoff backoff;
  private final Promise<Void> ended = Promise.promise();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private boolean isFull;
  private long lookedNs = System.nanoTime();

  KafkaFeed(KafkaSourceConfig source, Node node, Intake intake) {
    this.source = source;
    this.intake = intake;
    this.doorMeters = new DoorMeters(node.meters(), "kafka");
    this.meters = new KafkaMeters(node.meters(), source.name());
    this.health = new KafkaHealth(source, node.readiness(), meters);
    this.gaps = new KafkaGaps(health);
    this.topics = new KafkaTopics(source, health);
    int shards = node.bus().cluster().shards();
    this.records = new KafkaRecords(source, node.config().ingest(), shards, doorMeters, meters);
    this.bus = node.bus();
    this.backoff = new Backoff(FIRST_PAUSE_MS, source.maxBackoffMs());
  }

  void start() {
    Thread thread = new Thread(this, "galop-kafka-" + source.name());
    thread.setDaemon(true);
    thread.start();
  }

  /** Polls no more; succeeds when what was polled is settled, or was waited for long enough. */
  Future<Void> stop() {
    stopping.countDown();
    return ended.future();
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  @Override
  public void run() {
    try {
      while (!isStopping()) {
        attempt();
      }
      health.end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.complete();
    }
  }

  /** Whatever is thrown: without its thread the source would stand still unseen. */
  private void attempt() throws InterruptedException {
    try (Consumer<byte[], byte[]> consumer = connect()) {
      KafkaHandover handover = new KafkaHandover(source, intake, bus, doorMeters, meters);
      KafkaPartitions partitions =
          new KafkaPartitions(source, consumer, records, handover, meters, gaps);
      try {
        consume(consumer, partitions);
      } finally {
        partitions.end();
        topics.close();
        consumer.close(
            CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(CLOSE));
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) {
      rest(e);
    }
  }

  private void rest(Throwable broken) throws InterruptedException {
    try {
      if (broken instanceof Error) {
        LOG.error("the Kafka source {} failed unexpectedly", source.name(), broken);
      }
      health.onFailed(broken);
      stopping.await(backoff.nextMs(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) { // not even memory to say so: there may be some afterwards
      LockSupport.parkNanos(LOOK_EVERY_NS);
    }
  }

  private Consumer<byte[], byte[]> connect() throws IOException {
    Map<String, Object> usual = new HashMap<>();
    usual.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    usual.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    usual.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, MOST_FETCHED_BYTES);
    usual.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    usual.put(CommonClientConfigs.CLIENT_ID_CONFIG, "galop-" + source.name());
    Map<String, Object> fixed =
        Map.of(
            ConsumerConfig.GROUP_ID_CONFIG, source.group(),
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG, source.maxInFlight());
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    return new KafkaConsumer<>(gaps.told(ClientProperties.of(source, usual, fixed)), bytes, bytes);
  }

  private void consume(Consumer<byte[], byte[]> consumer, KafkaPartitions partitions)
      throws InterruptedException {
    lookedNs = System.nanoTime() + PROBATION_NS;
    if (source.topicPattern().isEmpty()) {
      consumer.subscribe(source.topics(), partitions);
    } else {
      consumer.subscribe(Pattern.compile(source.topicPattern()), partitions);
    }
    while (!isStopping()) {
      partitions.pause(hasNoRoom());
      Duration atMost = partitions.isBusy() ? Duration.ZERO : IDLE;
      partitions.take(gaps.poll(consumer, partitions, atMost));
      partitions.settle(partitions.isBusy() ? BUSY_MS : 0);
      partitions.retry();
      partitions.commit();
      look(consumer);
    }
  }

  private boolean hasNoRoom() {
    boolean wasFull = isFull;
    isFull = intake.inFlight().isFull() || intake.inFlight().isClosing();
    if (isFull && !wasFull) {
      doorMeters.paused();
    }
    return isFull;
  }

  private void look(Consumer<byte[], byte[]> consumer) throws InterruptedException {
    long now = System.nanoTime();
    if (now - lookedNs >= LOOK_EVERY_NS) {
      lookedNs = now;
      health.look(consumer.metrics());
      if (meters.connections.get() > 0) {
        backoff.reset();
        topics.look(consumer);
      }
    }
  }
}
