package io.galop.persist.sink;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.StoreConfig;
import io.galop.persist.cassandra.CassandraLoop;
import io.galop.persist.cassandra.CassandraStoreBrick;
import io.galop.persist.log.Log;
import io.galop.persist.store.Store;
import io.galop.servers.CassandraServer;
import io.galop.servers.Scratch;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Measures records/s of 290 bytes from a full Log into Cassandra, beside its driver in a bare loop
 * with the same statements, in turn on an empty store, after a round that does not count. Not a
 * test. Arguments: how many records; how many rounds.
 */
final class CassandraSpeed {
  private CassandraSpeed() {}

  public static void main(String[] args) throws Exception {
    int records = Integer.parseInt(args[0]);
    try (CassandraServer server = new CassandraServer();
        Log log = FullLog.of(Scratch.directory("galop-speed").resolve("log"), records)) {
      server.start();
      CassandraLoop loop = new CassandraLoop(server);
      loop.prepare(FullLog.parcels(records), Scratch.directory("galop-loop"), 4);
      for (int round = 0; round <= Integer.parseInt(args[1]); round++) {
        double galop = records * 1e9 / galop(server, log);
        server.empty();
        long startedNs = System.nanoTime();
        loop.run();
        double own = records * 1e9 / (System.nanoTime() - startedNs);
        server.empty();
        System.out.printf(
            Locale.ROOT,
            "round %d: Galop %,.0f, driver %,.0f records/s, %.2f%n",
            round,
            galop,
            own,
            galop / own);
      }
    }
  }

  private static long galop(CassandraServer server, Log log) throws Exception {
    String set =
        "persist.cold.stores=[{cassandra: {hosts: ['127.0.0.1:%d'], login: {user: %s, password: '%s'},"
                .formatted(server.port(), CassandraServer.USER, CassandraServer.PASSWORD)
            + " sampling: {every: 1}}}]";
    StoreConfig config =
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of())
            .persist()
            .cold()
            .stores()
            .get(0);
    CassandraStoreBrick brick = new CassandraStoreBrick();
    try (Store tables = brick.open(config)) {
      tables.open(1).toCompletionStage().toCompletableFuture().get(2, TimeUnit.MINUTES);
    }
    return StoreSpeed.storedNs(log, brick.open(config), config.sink(), config.sampling());
  }
}
