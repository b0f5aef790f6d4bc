package io.galop.ingest.kafka;

import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.kafka.ClientProperties;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Looks for transactions of producers that stay open: what is behind the first of them is not given
 * to a consumer of what is committed, which counts as if it were not there. A look reads what the
 * one before has asked for, so that none waits. For the thread of the source.
 */
final class KafkaTransactions implements AutoCloseable {
  /** Less than the time between two looks. */
  private static final int LONGEST_ANSWER_MS = 8_000;

  /** Properties of a consumer may say otherwise, which a client of this kind would refuse. */
  private static final Map<String, Object> TIMEOUTS =
      Map.of(
          CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG,
          LONGEST_ANSWER_MS,
          CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG,
          LONGEST_ANSWER_MS / 2);

  /** Its thread ends by itself: nothing that it still does is waited for. */
  private static final Duration CLOSE = Duration.ofMillis(1);

  private final KafkaSourceConfig source;
  private final KafkaHealth health;
  private final long heldAfterNs;
  private final Map<TopicPartition, Held> held = new HashMap<>();

  /** Null until the first look after a connect. */
  private @Nullable Admin admin;

  /** Null until something was asked. */
  private @Nullable Ends asked;

  /** Up to where a partition can be read though there is more, and since when. */
  private record Held(long offset, long sinceNs) {}

  /** Where partitions end for a consumer of what is committed, and where they do. */
  private record Ends(ListOffsetsResult stable, ListOffsetsResult all) {}

  KafkaTransactions(KafkaSourceConfig source, KafkaHealth health, long heldAfterMs) {
    this.source = source;
    this.health = health;
    this.heldAfterNs = TimeUnit.MILLISECONDS.toNanos(heldAfterMs);
  }

  /**
   * Reads the ends that were asked for, and asks for those of the partitions that this node has.
   *
   * @throws IOException if the properties cannot be read
   */
  void look(Set<TopicPartition> mine) throws IOException, InterruptedException, ExecutionException {
    held.keySet().retainAll(mine);
    Ends ends = asked;
    asked = null;
    if (ends != null) {
      for (TopicPartition partition : mine) {
        note(ends, partition);
      }
    }
    health.onHeld(longHeld());
    if (!mine.isEmpty()) {
      ask(mine);
    }
  }

  private void ask(Set<TopicPartition> mine) throws IOException {
    Map<String, Object> properties = ClientProperties.of(source, Map.of(), TIMEOUTS);
    if (readsAll(properties)) {
      return;
    }
    Admin now = admin == null ? Admin.create(properties) : admin;
    admin = now;
    Map<TopicPartition, OffsetSpec> latest =
        mine.stream().collect(Collectors.toMap(one -> one, one -> OffsetSpec.latest()));
    asked =
        new Ends(
            now.listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)),
            now.listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED)));
  }

  /** Then nothing is held back. */
  private static boolean readsAll(Map<String, Object> properties) {
    return String.valueOf(properties.get(ConsumerConfig.ISOLATION_LEVEL_CONFIG))
        .toLowerCase(Locale.ROOT)
        .equals("read_uncommitted");
  }

  /** Of a partition that was not asked for, or whose leader does not answer, nothing is known. */
  private void note(Ends ends, TopicPartition partition)
      throws InterruptedException, ExecutionException {
    long stable = offset(ends.stable(), partition);
    long all = offset(ends.all(), partition);
    Held before = held.get(partition);
    if (stable < 0 || all <= stable) {
      held.remove(partition);
    } else if (before == null || before.offset() != stable) {
      held.put(partition, new Held(stable, System.nanoTime()));
    }
  }

  /**
   * @return -1 unless it is there
   */
  private static long offset(ListOffsetsResult answer, TopicPartition partition)
      throws InterruptedException, ExecutionException {
    KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo> one;
    try {
      one = answer.partitionResult(partition);
    } catch (IllegalArgumentException e) { // it was not asked for
      return -1;
    }
    boolean isThere = one.isDone() && !one.isCompletedExceptionally();
    return isThere ? one.getNow(null).offset() : -1;
  }

  private List<String> longHeld() {
    long now = System.nanoTime();
    List<String> found = new ArrayList<>();
    held.forEach(
        (partition, since) -> {
          if (now - since.sinceNs() >= heldAfterNs) {
            found.add(partition + " from offset " + since.offset() + " on");
          }
        });
    return found;
  }

  /** The ends are not known any more: nothing is told that cannot be shown. */
  void forget() {
    asked = null;
    held.clear();
    health.onHeld(List.of());
  }

  /** The consumer is given up. */
  @Override
  public void close() {
    Admin old = admin;
    admin = null;
    forget();
    if (old != null) {
      old.close(CLOSE);
    }
  }
}
