package io.galop.ingest.kafka;

import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.kafka.ClientProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for transactions of producers that stay open: what is behind the first of them is not given
 * to a consumer of what is committed, which counts as if it were not there. For the thread of the
 * source.
 */
final class KafkaTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaTransactions.class);
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);
  private static final ListOffsetsOptions ALL =
      new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED);

  private final KafkaSourceConfig source;
  private final KafkaHealth health;
  private final long heldAfterNs;
  private final Map<TopicPartition, Held> held = new HashMap<>();

  /** Null until the first look after a connect. */
  private @Nullable Admin admin;

  /** Up to where a partition can be read though there is more, and since when. */
  private record Held(long offset, long sinceNs) {}

  KafkaTransactions(KafkaSourceConfig source, KafkaHealth health, long heldAfterMs) {
    this.source = source;
    this.health = health;
    this.heldAfterNs = TimeUnit.MILLISECONDS.toNanos(heldAfterMs);
  }

  /** Asks for the ends of the partitions that this node has. */
  void look(Consumer<byte[], byte[]> consumer) throws InterruptedException {
    Set<TopicPartition> mine = consumer.assignment();
    held.keySet().retainAll(mine);
    Map<TopicPartition, Long> stable = consumer.endOffsets(mine, LONGEST_LOOK);
    Map<TopicPartition, Long> ends;
    try {
      ends = ends(mine);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("the ends of {} are not shown", mine, e);
      return;
    }
    ends.forEach((partition, end) -> note(partition, stable.getOrDefault(partition, end), end));
    health.onHeld(longHeld());
  }

  private Map<TopicPartition, Long> ends(Set<TopicPartition> mine)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, OffsetSpec> asked =
        mine.stream().collect(Collectors.toMap(one -> one, one -> OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    admin()
        .listOffsets(asked, ALL)
        .all()
        .get(LONGEST_LOOK.toMillis(), TimeUnit.MILLISECONDS)
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  private Admin admin() {
    try {
      if (admin == null) {
        admin = Admin.create(ClientProperties.of(source, Map.of(), Map.of()));
      }
      return Objects.requireNonNull(admin);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void note(TopicPartition partition, long stable, long end) {
    Held before = held.get(partition);
    if (end <= stable) {
      held.remove(partition);
    } else if (before == null || before.offset() != stable) {
      held.put(partition, new Held(stable, System.nanoTime()));
    }
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

  /** The consumer is given up. */
  @Override
  public void close() {
    Admin old = admin;
    admin = null;
    if (old != null) {
      old.close(Duration.ZERO);
    }
  }
}
