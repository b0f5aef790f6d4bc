package io.galop.persist.sink;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.MongoConfig;
import io.galop.config.persist.MysqlConfig;
import io.galop.config.persist.PersistConfig;
import io.galop.config.persist.PostgresConfig;
import io.galop.config.persist.RedisConfig;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.config.persist.StoreConfig;
import io.galop.node.Readiness;
import io.galop.persist.log.Log;
import io.galop.persist.mongo.MongoLoop;
import io.galop.persist.mongo.MongoStores;
import io.galop.persist.mysql.MysqlPipe;
import io.galop.persist.mysql.MysqlStores;
import io.galop.persist.postgres.PostgresPipe;
import io.galop.persist.postgres.PostgresStores;
import io.galop.persist.redis.RedisBenchmark;
import io.galop.persist.redis.RedisPipe;
import io.galop.persist.redis.RedisStores;
import io.galop.persist.store.Store;
import io.galop.servers.MariaDbServer;
import io.galop.servers.MongoServer;
import io.galop.servers.PostgresServer;
import io.galop.servers.RedisServer;
import io.galop.servers.Scratch;
import io.galop.servers.StoreServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Measures stored records/s of 290 bytes: each store with each driver, from a full Log, beside the
 * store's own client with the same statements, indexes and durability. All in turn on an empty
 * store, in several rounds that begin with another one each, after a round that does not count: so
 * that all are warm, and a machine that is busy for a while is busy for all. Not a test. Arguments:
 * how many records for Redis, MySQL, MongoDB and PostgreSQL, 0 leaves one out; how many rounds.
 */
final class StoreSpeed {
  private static final int STORES = 4;
  private final Vertx vertx = Vertx.vertx();
  private final Path directory;
  private final int records;
  private final int rounds;
  private final Log log;

  private StoreSpeed(Path directory, int records, int rounds) throws Exception {
    this.directory = directory;
    this.records = records;
    this.rounds = rounds;
    this.log = FullLog.of(directory.resolve("log"), records);
  }

  public static void main(String[] args) throws Exception {
    System.out.println(SpeedTable.head());
    int rounds = args.length > STORES ? Integer.parseInt(args[STORES]) : 3;
    for (int i = 0; i < STORES; i++) {
      int records = args.length > i ? Integer.parseInt(args[i]) : 200_000;
      if (records > 0) {
        StoreSpeed speed = new StoreSpeed(Scratch.directory("galop-speed"), records, rounds);
        try {
          speed.measure(i);
        } finally {
          speed.close();
        }
      }
    }
  }

  private void measure(int which) throws Exception {
    if (which == 0) {
      RedisServer redis = new RedisServer();
      measure("Redis", redis, List.of(new RedisPipe(redis), new RedisBenchmark(redis)));
    } else if (which == 1) {
      MariaDbServer mariaDb = new MariaDbServer();
      measure(
          "MariaDB", mariaDb, List.of(new MysqlPipe(mariaDb, false), new MysqlPipe(mariaDb, true)));
    } else if (which == 3) {
      PostgresServer postgres = new PostgresServer();
      measure(
          "PostgreSQL",
          postgres,
          List.of(new PostgresPipe(postgres, false), new PostgresPipe(postgres, true)));
    } else {
      MongoServer mongo = new MongoServer();
      String name =
          MongoServer.isStandIn()
              ? "stand-in for MongoDB (mongo-java-server), not MongoDB"
              : "MongoDB";
      measure(name, mongo, List.of(new MongoLoop(mongo)));
    }
  }

  /** One who writes all records. */
  private interface Run {
    long tookNs() throws Exception;
  }

  private void measure(String name, StoreServer server, List<Peer> peers) throws Exception {
    server.start();
    try {
      SpeedTable table = new SpeedTable(name);
      Map<String, Run> runs = runs(server, peers);
      List<String> order = new ArrayList<>(runs.keySet());
      for (int round = 0; round <= rounds; round++) {
        for (String by : order) {
          server.empty();
          double rate = records * 1e9 / runs.get(by).tookNs();
          if (round > 0) {
            table.add(by, rate);
          }
        }
        Collections.rotate(order, 1);
      }
      System.out.print(table.lines(peers.get(0).name(), of("async"), of("sync")));
    } finally {
      server.close();
    }
  }

  private static String of(String driver) {
    return "Galop, " + driver;
  }

  private Map<String, Run> runs(StoreServer server, List<Peer> peers) throws Exception {
    Map<String, Run> runs = new LinkedHashMap<>();
    for (String driver : List.of("async", "sync", "sync-virtual")) {
      if (Runtime.version().feature() >= 21 || !driver.equals("sync-virtual")) {
        runs.put(of(driver), () -> galop(config(server, driver), server));
      }
    }
    PersistConfig config = config(server, "sync");
    for (Peer peer : peers) {
      peer.prepare(FullLog.parcels(records), directory, sink(config).inFlight());
      runs.put(peer.name(), () -> peer(peer, config, server));
    }
    return runs;
  }

  /** It finds Galop's tables there. */
  private long peer(Peer peer, PersistConfig config, StoreServer server) throws Exception {
    try (Store tables = store(config, server)) {
      tables.open(1).toCompletionStage().toCompletableFuture().get();
    }
    long startedNs = System.nanoTime();
    peer.run();
    return System.nanoTime() - startedNs;
  }

  private static PersistConfig config(StoreServer server, String driver) {
    String sink = "sink: {driver: " + driver + "}";
    String set;
    if (server instanceof RedisServer) {
      set = "persist.backup={redis: {port: %d, %s}}".formatted(server.port(), sink);
    } else if (server instanceof MariaDbServer) {
      set =
          "persist.cold.stores=[{mysql: {port: %d, login: {user: galop, password: %s}, %s}}]"
              .formatted(server.port(), MariaDbServer.PASSWORD, sink);
    } else if (server instanceof PostgresServer) {
      set =
          "persist.cold.stores=[{postgres: {port: %d, login: {user: galop, password: %s}, %s}}]"
              .formatted(server.port(), PostgresServer.PASSWORD, sink);
    } else {
      MongoServer mongo = (MongoServer) server;
      set =
          "persist.cold.stores=[{mongodb: {hosts: ['%s'], database: %s, %s}}]"
              .formatted(mongo.host(), mongo.database(), sink);
    }
    return ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of()).persist();
  }

  private static SinkConfig sink(PersistConfig config) {
    return config
        .backup()
        .map(backup -> backup.sink())
        .orElseGet(() -> config.cold().stores().get(0).sink());
  }

  private Store store(PersistConfig config, StoreServer server) {
    if (server instanceof RedisServer) {
      return RedisStores.of(vertx, (RedisConfig) config.backup().orElseThrow(), FullLog.SHARDS);
    }
    StoreConfig store = config.cold().stores().get(0);
    if (server instanceof PostgresServer) {
      return PostgresStores.of(vertx, (PostgresConfig) store);
    }
    return server instanceof MariaDbServer
        ? MysqlStores.of(vertx, (MysqlConfig) store)
        : MongoStores.of(vertx, (MongoConfig) store);
  }

  private long galop(PersistConfig config, StoreServer server) throws Exception {
    return storedNs(log, store(config, server), sink(config), SamplingConfig.every(1));
  }

  /** How long a store takes for all of a Log. */
  static long storedNs(Log log, Store store, SinkConfig config, SamplingConfig sampling)
      throws Exception {
    SinkSetup setup =
        new SinkSetup(
            "store",
            log,
            store,
            config,
            () -> sampling,
            (placed, from, why) -> Future.failedFuture(why),
            Long.MAX_VALUE,
            () -> false,
            SinkFixture.book(),
            SinkFixture.book(),
            0,
            kept -> System.currentTimeMillis());
    long startedNs = System.nanoTime();
    try (store;
        Sink running = Sink.start(setup, new SimpleMeterRegistry(), new Readiness())) {
      while (running.lagBytes() > 0) {
        TimeUnit.MILLISECONDS.sleep(2);
      }
      return System.nanoTime() - startedNs;
    }
  }

  private void close() throws Exception {
    log.close();
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }
}
