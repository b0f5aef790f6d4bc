package io.galop.persist.redis;

import io.galop.config.persist.RedisConfig;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Deletes what is too old, and the oldest where there is too much. The server is asked how much
 * there is, so several nodes may do it at once.
 */
final class RedisTrim {
  /** Of each shard at once: the server serves nobody else while it deletes. */
  private static final int MOST_OF_A_SHARD = 500;

  private static final int SAMPLES = 10;
  private static final Pattern LIMITED = Pattern.compile("(?m)^maxmemory:[1-9]");
  private static final Pattern EVICTS = Pattern.compile("(?m)^maxmemory_policy:(allkeys-\\w+)");
  private static final long MEASURE_EVERY_NS = TimeUnit.SECONDS.toNanos(5);
  private final RedisLink link;
  private final RedisWrites writes;
  private final RedisConfig config;
  private final int shards;
  private volatile double bytesPerRecord;
  private volatile boolean mayAskForPolicy = true;
  private volatile Optional<String> warning = Optional.empty();
  private volatile long measuredNs = System.nanoTime() - MEASURE_EVERY_NS;

  RedisTrim(RedisLink link, RedisWrites writes, RedisConfig config, int shards) {
    this.link = link;
    this.writes = writes;
    this.config = config;
    this.shards = shards;
  }

  /** Deletes some; whether there is more to delete. */
  Future<Boolean> run(LongUnaryOperator clock) {
    return measure()
        .compose(v -> link.write(counts()))
        .map(replies -> replies.stream().map(RedisReply::number).toList())
        .compose(
            counts ->
                link.write(
                    oldest(counts, clock.applyAsLong(config.maxAgeMs()) - config.maxAgeMs())))
        .compose(this::delete);
  }

  private Future<Void> measure() {
    if (System.nanoTime() - measuredNs < MEASURE_EVERY_NS) {
      return Future.succeededFuture();
    }
    measuredNs = System.nanoTime();
    List<RedisCommand> sizes = new ArrayList<>(counts());
    for (int shard = 0; shard < shards; shard++) {
      sizes.add(memory(writes.keys().records(shard)));
      sizes.add(memory(writes.keys().stored(shard)));
      sizes.add(memory(writes.keys().time(shard)));
    }
    return link.write(sizes).onSuccess(this::onMeasured).compose(done -> askForPolicy());
  }

  /** A user without the right to ask is not asked for again: it is no fault of the store. */
  private Future<Void> askForPolicy() {
    if (!mayAskForPolicy) {
      return Future.succeededFuture();
    }
    return link.write(List.of(new RedisCommand("INFO", "memory")))
        .onSuccess(replies -> warning = evicting(replies.get(0).text().orElse("")))
        .recover(
            failure -> {
              mayAskForPolicy = !(failure instanceof RedisError);
              return Future.succeededFuture();
            })
        .mapEmpty();
  }

  /** Galop's keys never expire, so other policies than those of all keys leave them alone. */
  static Optional<String> evicting(String memory) {
    Matcher policy = EVICTS.matcher(memory);
    return LIMITED.matcher(memory).find() && policy.find()
        ? Optional.of(
            "throws records away without a word when its memory is full (maxmemory-policy "
                + policy.group(1)
                + "), so that history and takeovers lack them; set it to noeviction")
        : Optional.empty();
  }

  /** What there is to see to at the server. */
  Optional<String> warning() {
    return warning;
  }

  private static RedisCommand memory(String key) {
    return new RedisCommand("MEMORY", "USAGE").arg(key).arg("SAMPLES").arg(SAMPLES);
  }

  private void onMeasured(List<RedisReply> sizes) {
    long records = sum(sizes.subList(0, shards));
    long bytes = sum(sizes.subList(shards, sizes.size()));
    bytesPerRecord = records == 0 ? 0 : bytes / (double) records;
  }

  private static long sum(List<RedisReply> numbers) {
    return numbers.stream().mapToLong(RedisReply::number).sum();
  }

  private List<RedisCommand> counts() {
    List<RedisCommand> counts = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      counts.add(new RedisCommand("ZCARD", writes.keys().stored(shard)));
    }
    return counts;
  }

  /** What goes of each shard: its share of what is too many, or what is too old. */
  private List<RedisCommand> oldest(List<Long> counts, long beforeMs) {
    long all = counts.stream().mapToLong(Long::longValue).sum();
    long most = config.maxRecords();
    if (bytesPerRecord > 0) {
      most = Math.min(most, (long) (config.maxBytes() / bytesPerRecord));
    }
    double share = all > most ? (all - most) / (double) all : 0;
    List<RedisCommand> oldest = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      long tooMany = Math.min(MOST_OF_A_SHARD, (long) Math.ceil(counts.get(shard) * share));
      RedisCommand range;
      if (tooMany > 0) {
        range = new RedisCommand("ZRANGE", writes.keys().stored(shard)).arg(0).arg(tooMany - 1);
      } else {
        range =
            new RedisCommand("ZRANGEBYSCORE", writes.keys().stored(shard))
                .arg("-inf")
                .arg("(" + beforeMs)
                .arg("LIMIT")
                .arg(0)
                .arg(MOST_OF_A_SHARD);
      }
      oldest.add(range);
    }
    return oldest;
  }

  private Future<Boolean> delete(List<RedisReply> oldest) {
    List<RedisCommand> deletes = new ArrayList<>();
    boolean more = false;
    for (int shard = 0; shard < shards; shard++) {
      List<byte[]> ids = oldest.get(shard).all();
      if (!ids.isEmpty()) {
        deletes.addAll(writes.delete(shard, ids));
        more |= ids.size() == MOST_OF_A_SHARD;
      }
    }
    boolean again = more;
    return deletes.isEmpty()
        ? Future.succeededFuture(false)
        : link.write(deletes).map(done -> again);
  }
}
