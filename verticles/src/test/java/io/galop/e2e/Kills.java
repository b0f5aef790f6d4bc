package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Kills the secure node of a pair while a recording is replayed into it. */
final class Kills {
  private static final int SERVED_AGAIN_SECONDS = 120;

  private Kills() {}

  /**
   * Replays a recording that is too long to end before the last kill; then interrupts the replay.
   *
   * @param stayed must be shown new records after every restart
   * @param betweenKills done while the node is down
   * @return the line up to which everything was acknowledged
   */
  static int during(Recording recording, Pair pair, Viewer stayed, Runnable betweenKills, int kills)
      throws InterruptedException, IOException {
    return until(
        () -> {
          betweenKills.run();
          return false;
        },
        recording,
        pair,
        stayed,
        kills);
  }

  /**
   * The same with as many kills as it takes.
   *
   * @param isEnough is asked while the node is down
   * @param most kills
   */
  static int until(
      BooleanSupplier isEnough, Recording recording, Pair pair, Viewer stayed, int most)
      throws InterruptedException, IOException {
    Path resume = recording.file().resolveSibling("resume.json");
    try (GalopProcess replay = replay(recording, pair, resume)) {
      int kills = 0;
      boolean isOver = false;
      while (!isOver) {
        awaitServed(stayed, kills);
        KillIT.pause(20, 300);
        kills++;
        assertTrue(replay.isAlive(), "the replay ended before kill " + kills);
        pair.secure().kill();
        isOver = isEnough.getAsBoolean() || kills == most;
        pair.startSecure();
      }
      awaitServed(stayed, kills);
      int before = acknowledged(resume);
      Await.until("more is acknowledged", 120, () -> acknowledged(resume) > before);
    }
    return acknowledged(resume);
  }

  private static void awaitServed(Viewer stayed, int kills) {
    int before = stayed.all("rec").size();
    Await.until(
        "the viewer is shown new records after " + kills + " kills",
        SERVED_AGAIN_SECONDS,
        () -> stayed.all("rec").size() > before);
  }

  private static int acknowledged(Path resume) throws IOException {
    return new JsonObject(Files.readString(resume)).getInteger("line");
  }

  private static GalopProcess replay(Recording recording, Pair pair, Path resume) {
    return GalopProcess.start(
        List.of(),
        List.of(
            "replay",
            recording.file().toString(),
            "--topic=odds/raw",
            "--speed=max",
            "--retry-seconds=120",
            "--resume-file=" + resume,
            "--to=" + pair.secure().address("tcp")));
  }

  /** Waits until the cold store has all of the Log, and has not grown for two seconds. */
  static List<Seen> awaitQuiet(Pair pair) throws SQLException, InterruptedException {
    Lag.awaitNone(pair.secure(), List.of("embedded"), 120);
    AtomicInteger last = new AtomicInteger(-1);
    AtomicInteger same = new AtomicInteger();
    Await.until(
        "the cold store is quiet",
        120,
        () -> {
          int now = Stored.count(pair.secureData());
          same.set(now == last.getAndSet(now) ? same.get() + 1 : 0);
          return same.get() > 40;
        });
    return Stored.cold(pair.secureData());
  }
}
