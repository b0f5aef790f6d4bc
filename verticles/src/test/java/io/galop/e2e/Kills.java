package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Kills the secure node of a pair while a recording is replayed into it. */
final class Kills {
  private static final int SERVED_AGAIN_SECONDS = 60;

  private Kills() {}

  /**
   * Replays all of a recording; returns when every line is acknowledged.
   *
   * @param stayed must be shown new records after every restart
   * @param betweenKills done while the node is down
   */
  static void during(
      Recording recording, Pair pair, Viewer stayed, Runnable betweenKills, int kills)
      throws InterruptedException {
    try (GalopProcess replay = replay(recording, pair)) {
      for (int kill = 1; kill <= kills; kill++) {
        int before = stayed.all("rec").size();
        Await.until(
            "the viewer is shown new records after " + (kill - 1) + " kills",
            SERVED_AGAIN_SECONDS,
            () -> stayed.all("rec").size() > before);
        KillIT.pause(20, 300);
        assertTrue(replay.isAlive(), "the replay ended before kill " + kill + "; slow it down");
        pair.secure().kill();
        betweenKills.run();
        pair.startSecure();
      }
      assertEquals(0, replay.awaitExit(240), replay.text());
    }
  }

  private static GalopProcess replay(Recording recording, Pair pair) {
    return GalopProcess.start(
        List.of(),
        List.of(
            "replay",
            recording.file().toString(),
            "--topic=odds/raw",
            "--speed=max",
            "--retry-seconds=120",
            "--no-resume",
            "--to=" + pair.secure().address("tcp")));
  }

  /** Waits until the cold store has a record of every runner change, or nothing more comes. */
  static List<Seen> awaitStored(Pair pair, Recording recording) throws SQLException {
    int expected = recording.changes().size();
    Await.until(
        "the cold store has all " + expected + " runner changes",
        60,
        () -> Stored.count(pair.secureData()) >= expected);
    return awaitQuiet(pair);
  }

  /** Waits until the cold store has not grown for two seconds. */
  static List<Seen> awaitQuiet(Pair pair) throws SQLException {
    AtomicInteger last = new AtomicInteger(-1);
    AtomicInteger same = new AtomicInteger();
    Await.until(
        "the cold store is quiet",
        60,
        () -> {
          int now = Stored.count(pair.secureData());
          same.set(now == last.getAndSet(now) ? same.get() + 1 : 0);
          return same.get() > 40;
        });
    return Stored.cold(pair.secureData());
  }
}
