package io.galop.persist.sink;

import io.galop.config.persist.LogConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.ledger.Book;
import io.galop.ledger.Border;
import io.galop.ledger.NodeLedger;
import io.galop.node.Readiness;
import io.galop.persist.log.Log;
import io.galop.persist.store.Store;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** A Log, and what a sink on it needs. */
public final class SinkFixture implements AutoCloseable {
  private static final LogConfig LOG = new LogConfig(65_536, 8_192, 0, 24, 1L << 30, 0);
  static final long GIVE_WAY_BYTES = 1 << 20;
  public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  public final Readiness readiness = new Readiness();
  public final List<Placed> dead = Collections.synchronizedList(new ArrayList<>());
  public final Log log;
  volatile boolean isLiveLate;

  private final Function<Placed, Future<Void>> keepLetter;

  public SinkFixture(Path directory) {
    this(directory, letter -> Future.succeededFuture());
  }

  /** With dead letters that are kept as the test says. */
  SinkFixture(Path directory, Function<Placed, Future<Void>> keepLetter) {
    this.keepLetter = keepLetter;
    log = Log.open(directory.resolve("log"), LOG, 4, meters, new Readiness());
  }

  /** Small batches, several under way. */
  public static SinkConfig config(Driver driver) {
    return config(driver, 2_000, 200);
  }

  static SinkConfig config(Driver driver, long timeoutMs, long maxPauseMs) {
    return new SinkConfig(driver, 40, 4_096, 0, 4, 1 << 20, timeoutMs, maxPauseMs, 3, 1 << 20, 0);
  }

  public Sink start(String name, Store store, SinkConfig config, SamplingConfig sampling) {
    return start(name, store, config, () -> sampling);
  }

  /** The same with rules that may change. */
  Sink start(String name, Store store, SinkConfig config, Supplier<SamplingConfig> sampling) {
    DeadLetters letters =
        (placed, from, why) -> {
          dead.add(placed);
          return keepLetter.apply(placed);
        };
    return Sink.start(
        new SinkSetup(
            name,
            log,
            store,
            config,
            sampling,
            letters,
            Long.MAX_VALUE,
            () -> isLiveLate,
            book(),
            book(),
            GIVE_WAY_BYTES,
            kept -> System.currentTimeMillis()),
        meters,
        readiness);
  }

  /** A book in which nobody looks. */
  static Book book() {
    return new NodeLedger().open(Border.STORE, "", 64, task -> {});
  }

  /** With small batches and the patience of the test. */
  Sink start(String name, Store store, long timeoutMs, long maxPauseMs) {
    return start(name, store, config(Driver.SYNC, timeoutMs, maxPauseMs), SamplingConfig.every(1));
  }

  public Sink start(Store store) {
    return start("test", store, config(Driver.SYNC), SamplingConfig.every(1));
  }

  /** Appends records {@code first} and on; their ids are {@code <topic>-<number>}. */
  public void append(String topic, long first, int count) throws Exception {
    List<Record> records = new ArrayList<>();
    for (long i = first; i < first + count; i++) {
      records.add(record(topic, i));
    }
    append(topic, first, records);
  }

  /** Appends these records of one topic, the first of which is at the offset. */
  public void append(String topic, long first, List<Record> records) throws Exception {
    Future<Void> done = log.append(new Batch(Topic.shard(topic, 4), 7, first, records));
    done.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  public static Record record(String topic, long number) {
    byte[] data = ("{\"n\":" + number + ",\"é\":\"\\\"x\"}").getBytes(StandardCharsets.UTF_8);
    return new Record(topic + "-" + number, topic, 1_000_000L * number, data);
  }

  public double count(String meter) {
    return meters.get("galop.persist.sink." + meter).counter().count();
  }

  public static void until(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(150);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time");
      }
      Thread.sleep(5);
    }
  }

  @Override
  public void close() {
    log.close();
  }
}
