package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.e2e.TimedFeed.Delays;
import io.galop.servers.MongoServer;
import io.galop.servers.StoreProxy;
import io.galop.servers.StoreServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each store is stopped, frozen, and slowed to five seconds an answer. Who watches notices nothing,
 * the node's memory stays, and afterwards the store catches up and has everything once.
 *
 * <p>Short, all stores have a trouble at once and delays are only shown. With {@code -Dgalop.long}
 * one store has one trouble at a time, for {@code -Dgalop.outage.seconds} each, and what the design
 * promises of delays, memory and catching up is asserted. To be run alone on the machine.
 */
@Tag("alone")
@Timeout(4_000)
class StoreOutageIT {
  private static final boolean LONG = Boolean.getBoolean("galop.long");
  private static final int SECONDS = Integer.getInteger("galop.outage.seconds", LONG ? 120 : 3);
  private static final int RECORDS_PER_SECOND =
      Integer.getInteger("galop.outage.records.per.second", LONG ? 1_000 : 150);
  private static final String SINK =
      LONG ? "{}" : "{batchRecords: 100, timeoutMs: 5000, maxPauseMs: 500}";
  private static final long SLOW_MS = 5_000;
  private static final long MOST_GROWTH_BYTES = 64L << 20;
  private static final double MOST_TIMES = 1.2;
  private static final double MOST_MORE_MS = 20;
  private static final int PATIENCE_SECONDS = LONG ? 600 : 120;

  /** Memories of bounded size are small here, so that they are full before anything is measured. */
  private static final List<String> FULL_SOON =
      List.of("--set", "persist.rememberedIds=512", "--set", "enrich.rememberedIds=1024");

  private static final List<String> REMOTE = List.of("redis", "mysql", "postgres", "mongodb");

  private enum Trouble {
    STOPPED,
    FROZEN,
    SLOW
  }

  @TempDir Path directory;
  private final Map<String, StoreProxy> proxies = new HashMap<>();
  private final List<String> broken = new ArrayList<>();

  @Test
  void whoWatchesNoticesNothingAndTheStoreCatchesUp() throws Exception {
    try (StoreFleet stores = StoreFleet.start()) {
      stores.addresses().forEach((name, at) -> proxies.put(name, new StoreProxy(port(at))));
      Map<String, String> addresses = new HashMap<>();
      proxies.forEach((name, proxy) -> addresses.put(name, "127.0.0.1:" + proxy.port()));
      List<String> args = new ArrayList<>(stores.config(directory, addresses, 1, SINK));
      args.addAll(FULL_SOON);
      try (GalopProcess node = GalopProcess.run(directory, List.of(), args);
          TimedFeed feed = new TimedFeed(node, RECORDS_PER_SECOND)) {
        feed.measure(Math.max(2_000, SECONDS * 500L));
        System.out.println(Row.head());
        for (Map<String, Trouble> round : rounds()) {
          endure(round, stores, node, feed);
        }
        int all = feed.stop();
        Lag.awaitNone(node, StoreFleet.NAMES, PATIENCE_SECONDS);
        Await.until("all was shown", PATIENCE_SECONDS, () -> feed.unseen(all) == 0);
        for (String name : StoreFleet.NAMES) {
          assertHasAll(name, stores, all);
        }
      }
    } finally {
      proxies.values().forEach(StoreProxy::close);
    }
    assertEquals(List.of(), broken);
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  /** Long: one trouble of one store; short: all at once, in such a way that each has each. */
  private static List<Map<String, Trouble>> rounds() {
    List<Map<String, Trouble>> rounds = new ArrayList<>();
    Trouble[] troubles = Trouble.values();
    for (int shift = 0; shift < troubles.length; shift++) {
      Map<String, Trouble> round = new TreeMap<>();
      for (int i = 0; i < REMOTE.size(); i++) {
        Trouble trouble = troubles[(i + shift) % troubles.length];
        round.put(REMOTE.get(i), trouble);
        if (LONG) {
          rounds.add(Map.of(REMOTE.get(i), trouble));
        }
      }
      if (!LONG) {
        rounds.add(round);
      }
    }
    return rounds;
  }

  private void endure(
      Map<String, Trouble> round, StoreFleet stores, GalopProcess node, TimedFeed feed)
      throws Exception {
    Memory memory = Memory.of(node);
    Delays before = feed.measure(Math.max(1_000, SECONDS * 250L));
    round.forEach((name, trouble) -> begin(name, trouble, stores));
    Delays during;
    Map<String, Lag> lags = new TreeMap<>();
    long grown;
    try {
      during = feed.measure(TimeUnit.SECONDS.toMillis(SECONDS));
      grown = Memory.of(node).growth(memory);
      for (String name : round.keySet()) {
        lags.put(name, Lag.of(node, name));
      }
    } finally {
      round.forEach((name, trouble) -> end(name, trouble, stores));
    }
    CatchUp up = new CatchUp(node, lags);
    up.await(PATIENCE_SECONDS, feed.rate());
    for (Map.Entry<String, Trouble> one : round.entrySet()) {
      Row row = new Row(one.getKey(), one.getValue(), before, during, grown, feed.rate(), up);
      System.out.println(row);
      check(row);
    }
  }

  private void begin(String name, Trouble trouble, StoreFleet stores) {
    StoreServer server = stores.servers().get(name);
    switch (trouble) {
      case STOPPED -> server.stop();
      case FROZEN -> server.freeze();
      default -> proxies.get(name).delayAnswersMs(SLOW_MS);
    }
  }

  private void end(String name, Trouble trouble, StoreFleet stores) {
    StoreServer server = stores.servers().get(name);
    switch (trouble) {
      case STOPPED -> server.startAgain();
      case FROZEN -> server.thaw();
      default -> proxies.get(name).pass();
    }
  }

  private void check(Row row) {
    assertTrue(row.grownBytes() <= MOST_GROWTH_BYTES, "memory has grown: " + row);
    double most = Math.max(row.before().p99Ms() * MOST_TIMES, row.before().p99Ms() + MOST_MORE_MS);
    if (LONG && row.during().p99Ms() > most) {
      broken.add("delays have grown: " + row);
    }
    if (LONG && row.timesIngest() < 2 && !row.isStandIn()) {
      broken.add("catches up too slowly: " + row);
    }
  }

  private void assertHasAll(String name, StoreFleet stores, int all) throws Exception {
    BitSet found = new BitSet();
    List<String> wrong = new ArrayList<>();
    stores.read(
        name,
        directory,
        seen -> {
          int n = Integer.parseInt(seen.id().substring(1));
          Seen expected = new Seen("f" + n, TimedFeed.topic(n), Seen.hash(TimedFeed.data(n)));
          if (found.get(n) || !expected.equals(seen)) {
            wrong.add(seen.toString());
          }
          found.set(n);
        });
    assertEquals(List.of(), wrong, name + " has records twice or wrong");
    assertEquals(all, found.cardinality(), name + " lacks records");
  }

  /** A line of the table. */
  private record Row(
      String store,
      Trouble trouble,
      Delays before,
      Delays during,
      long grownBytes,
      long rate,
      CatchUp up) {
    static String head() {
      return "store    trouble  p50/p99/max ms before    p50/p99/max ms during    heap MiB"
          + "  behind  after s  in s  records/s  x ingest";
    }

    /** Then its rate says nothing about the database's. */
    boolean isStandIn() {
      return store.equals("mongodb") && MongoServer.isStandIn();
    }

    double timesIngest() {
      return up.perSecond(store) / rate;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%-8s %-8s %6.1f %7.1f %8.1f  %6.1f %7.1f %8.1f  %8.1f %7d %7.1f %6.1f %9.0f %8.1f%s",
          store,
          trouble,
          before.medianMs(),
          before.p99Ms(),
          before.maxMs(),
          during.medianMs(),
          during.p99Ms(),
          during.maxMs(),
          grownBytes / 1048576.0,
          up.behind(store),
          up.beganSeconds(store),
          up.tookSeconds(store),
          up.perSecond(store),
          timesIngest(),
          isStandIn() ? " (a stand-in for MongoDB)" : "");
    }
  }
}
