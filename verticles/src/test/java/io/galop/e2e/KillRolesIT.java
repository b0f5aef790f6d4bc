package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of the process that takes in, the one that enriches and the one that stores, in
 * any order and at any moment of a steady load whose client tries again. What was acknowledged is
 * in each of four stores exactly once, as it was sent.
 *
 * <p>{@code -Dgalop.long=true}: {@value #LONG_KILLS} kills or {@code -Dgalop.kills}, and at least
 * {@value #LONG_RECORDS} acknowledged ids. {@code -Dgalop.seed} repeats an order of kills.
 */
@Timeout(3_600)
class KillRolesIT {
  private static final boolean LONG = Boolean.getBoolean("galop.long");
  private static final int LONG_KILLS = 200;
  private static final int LONG_RECORDS = 200_000;
  private static final int KILLS = Integer.getInteger("galop.kills", LONG ? LONG_KILLS : 6);
  private static final int RECORDS = LONG ? KILLS * (LONG_RECORDS / LONG_KILLS) : 1_000;
  private static final long SEED = Long.getLong("galop.seed", System.nanoTime());
  private static final int RECORDS_PER_SECOND = 250;
  private static final int PATIENCE_SECONDS = 180;
  private static final long MOST_PAUSE_MS = 600;

  private static final List<String> ROLES = List.of("ingest", "enrich", "persist");

  @TempDir Path directory;
  private final Random random = new Random(SEED);
  private final Map<String, GalopProcess> running = new HashMap<>();
  private final Map<String, Integer> hits = new HashMap<>();

  @Test
  void whateverIsKilledWhatWasAcknowledgedIsInEachStoreOnce() throws Exception {
    System.out.println("kills: " + KILLS + ", seed " + SEED);
    int doorPort = Ports.free();
    try (StoreFleet stores = StoreFleet.start()) {
      List<String> config = stores.config(directory, stores.addresses(), 1, "{batchRecords: 200}");
      try (Nodes nodes = new Nodes(directory, ROLES, config).with(QuickStart.options())) {
        for (String role : List.of("persist", "enrich", "ingest")) {
          start(role, nodes, doorPort);
        }
        long startedNs = System.nanoTime();
        try (RetryingFeed feed = new RetryingFeed(doorPort, RECORDS_PER_SECOND)) {
          for (int kill = 1; kill <= KILLS; kill++) {
            killOne(kill, nodes, doorPort, feed);
          }
          Await.until("enough", 900, () -> feed.acknowledged() >= RECORDS);
          int lines = feed.finish(PATIENCE_SECONDS);
          long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNs);
          check(stores, RetryingFeed.expected(lines));
          System.out.printf(
              "kills: %s in %d s, %d lines acknowledged, the client came again %d times%n",
              hits, seconds, lines, feed.reconnects());
        }
      }
    }
  }

  private void start(String role, Nodes nodes, int doorPort) {
    running.put(role, nodes.begin(role, role, "--set", "ingest.tcp.port=" + port(role, doorPort)));
  }

  private static int port(String role, int doorPort) {
    return role.equals("ingest") ? doorPort : 0;
  }

  /** Each role once in three kills; never before the whole way was open again. */
  private void killOne(int kill, Nodes nodes, int doorPort, RetryingFeed feed) throws Exception {
    List<String> order = new ArrayList<>(ROLES);
    Collections.shuffle(order, new Random(SEED + (kill - 1) / ROLES.size()));
    String role = order.get((kill - 1) % ROLES.size());
    int before = feed.acknowledged();
    Await.until(
        "records are acknowledged again before kill " + kill,
        PATIENCE_SECONDS,
        () -> feed.acknowledged() > before);
    TimeUnit.MILLISECONDS.sleep(random.nextLong(MOST_PAUSE_MS));
    running.get(role).kill();
    hits.merge(role, 1, Integer::sum);
    start(role, nodes, doorPort);
    if (kill % 20 == 0) {
      System.out.println("kills: " + kill + ", acknowledged " + feed.acknowledged());
    }
  }

  private void check(StoreFleet stores, Map<String, Seen> expected) throws Exception {
    Path data = directory.resolve("persist");
    GalopProcess persist = running.get("persist");
    Lag.awaitNone(persist, StoreFleet.NAMES, PATIENCE_SECONDS);
    for (String name : StoreFleet.NAMES) {
      List<Seen> wrong = new ArrayList<>();
      Set<String> found = new HashSet<>();
      stores.read(
          name,
          data,
          seen -> {
            if (!found.add(seen.id()) || !seen.equals(expected.get(seen.id()))) {
              wrong.add(seen);
            }
          });
      assertEquals(List.of(), wrong, name + " has records twice, or wrong ones");
      Set<String> missing = new HashSet<>(expected.keySet());
      missing.removeAll(found);
      assertTrue(missing.isEmpty(), name + " lacks " + missing.size() + ": " + some(missing));
    }
  }

  private static List<String> some(Set<String> ids) {
    return ids.stream().sorted().limit(20).toList();
  }
}
