package io.galop.persist;

import io.galop.config.persist.BackupConfig;
import io.galop.config.persist.ColdConfig;
import io.galop.config.persist.PersistConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.persist.StoreConfig;
import io.galop.node.Node;
import io.galop.persist.cold.ColdException;
import io.galop.persist.cold.EmbeddedStores;
import io.galop.persist.explain.StoreReport;
import io.galop.persist.log.Log;
import io.galop.persist.rollup.Rollups;
import io.galop.persist.sink.DeadLetters;
import io.galop.persist.sink.Sink;
import io.galop.persist.sink.SinkSetup;
import io.galop.persist.store.Backup;
import io.galop.persist.store.Store;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/** The sinks of a node and the stores behind them. */
final class Sinks implements AutoCloseable {
  private static final String EMBEDDED = LiveSampling.EMBEDDED;

  /** It takes every record, so that there are none. */
  private static final long EMBEDDED_LETTER_BYTES = 1 << 20;

  private final Node node;
  private final Log log;
  private final Vertx vertx;
  private final Path letters;
  private final BooleanSupplier isLiveLate;
  private final LongUnaryOperator clock;
  private final Map<String, Store> stores = new LinkedHashMap<>();
  private final List<Sink> sinks = new ArrayList<>();
  private final StoreReport report;
  private final LiveSampling sampling;
  private Optional<Rollups> rollups = Optional.empty();
  private Optional<Backup> backup = Optional.empty();

  private Sinks(
      Vertx vertx,
      Node node,
      Log log,
      Path directory,
      BooleanSupplier isLiveLate,
      LongUnaryOperator clock) {
    this.node = node;
    this.log = log;
    this.vertx = vertx;
    this.letters = directory.resolve("dead-letters");
    this.isLiveLate = isLiveLate;
    this.clock = clock;
    this.sampling = new LiveSampling(node.settings());
    this.report = new StoreReport(vertx, node.reports());
  }

  /**
   * Starts all that is configured. The embedded store must open; the others may be away for now.
   * Blocking.
   *
   * @param isLiveLate whether the live feed lacks what the stores take
   * @param clock how late it is for what is deleted by age
   */
  static Sinks start(
      Vertx vertx,
      Node node,
      Log log,
      Path directory,
      BooleanSupplier isLiveLate,
      LongUnaryOperator clock)
      throws ColdException {
    PersistConfig config = node.config().persist();
    Sinks all = new Sinks(vertx, node, log, directory, isLiveLate, clock);
    if (config.cold().enabled()) {
      all.embedded(EmbeddedStores.of(EMBEDDED, directory, config.cold()));
    }
    config.backup().ifPresent(backup -> all.backup(vertx, backup));
    for (StoreConfig store : config.cold().stores()) {
      Store opened = StoreBricks.open(vertx, store);
      all.add(store.name(), opened, store.sink(), Long.MAX_VALUE);
    }
    if (!config.rollups().rules().isEmpty()) {
      all.rollUp(Rollups.of(directory, config, log));
    }
    return all;
  }

  /** It is no store that {@code /history} asks for records. */
  private void rollUp(Rollups those) {
    Sink sink = follow(Rollups.NAME, those.store(), Rollups.sink(), Long.MAX_VALUE);
    those.follow(sink);
    rollups = Optional.of(those);
  }

  private void backup(Vertx vertx, BackupConfig config) {
    Backup store = StoreBricks.open(vertx, config, node.bus().cluster().shards());
    backup = Optional.of(store);
    long refillBytes = StoreBricks.refillBytes(config);
    add(config.name(), store, config.sink(), refillBytes);
  }

  private void embedded(Store store) {
    ColdConfig config = node.config().persist().cold();
    SinkConfig sink =
        new SinkConfig(
            Driver.SYNC,
            Integer.MAX_VALUE,
            config.batchBytes(),
            config.batchMs(),
            1,
            config.batchBytes(),
            600_000,
            10_000,
            3,
            EMBEDDED_LETTER_BYTES,
            0);
    add(EMBEDDED, store, sink, Long.MAX_VALUE);
  }

  private void add(String name, Store store, SinkConfig config, long refillBytes) {
    stores.put(name, store);
    Sink sink = follow(name, store, config, refillBytes);
    report.add(name, store, () -> sampling.of(name), sink);
  }

  private Sink follow(String name, Store store, SinkConfig config, long refillBytes) {
    LetterFile file =
        new LetterFile(letters.resolve(name + ".ndjson"), config.deadLetterFileBytes());
    Gauge.builder("galop.persist.sink.dead.letter.file.bytes", file, LetterFile::bytes)
        .description("Bytes of dead letters that could be kept in a file only")
        .tag("sink", name)
        .strongReference(true)
        .register(node.meters());
    DeadLetters dead = new StoreDeadLetters(vertx, node.bus(), file);
    SinkSetup setup =
        new SinkSetup(
            name,
            log,
            store,
            config,
            () -> sampling.of(name),
            dead,
            refillBytes,
            isLiveLate,
            node.ownBook("store", name),
            node.ownBook("cursor", name),
            giveWayBytes(),
            clock);
    Sink sink = Sink.start(setup, node.meters(), node.readiness());
    sinks.add(sink);
    return sink;
  }

  /** What a store lacks must still be in memory when somebody asks for it. */
  private long giveWayBytes() {
    return node.config().persist().ram().maxBytes() / 2;
  }

  /** The backup tier, where there is one: from it the records of a lost owner can be had. */
  Optional<Backup> backup() {
    return backup;
  }

  /** Values by the minute, where they are wanted. */
  Optional<Rollups> rollups() {
    return rollups;
  }

  /** The stores that have records, by name. */
  Map<String, Store> stores() {
    return stores;
  }

  /** Stops the sinks, then closes the stores. Blocking. */
  @Override
  public void close() {
    sinks.forEach(Sink::close);
    stores.values().forEach(Store::close);
    rollups.ifPresent(Rollups::close);
  }
}
