package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Ask;
import io.galop.bus.Carrier;
import io.galop.bus.Errand;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever owners do, everyone is answered once, who is told that all is here misses nothing, and
 * no place and no memory is lost. What fails says its seed, with which all happens again.
 */
@Timeout(180)
class OwnerFetchesScheduleTest implements Carrier {
  private static final int SCHEDULES = Integer.getInteger("galop.schedules", 60);
  private static final int SHARDS = 3;

  private FetchSchedule schedule;

  @Test
  void everyoneIsAnsweredOnceAndWhoIsServedMissesNothing() throws Exception {
    int whole = 0;
    int lost = 0;
    for (long seed = 0; seed < SCHEDULES; seed++) {
      try (ReturningWorld world =
          ReturningWorld.overLinks(
              SHARDS,
              this,
              "broadcast.ring.maxRecords=32",
              "broadcast.resume.maxBytes=65536",
              "broadcast.resume.maxConcurrent=" + FetchSchedule.PLACES)) {
        long chance = seed;
        world.onLoop(
            () -> {
              schedule = new FetchSchedule(chance, world);
              assertEquals(List.of(), schedule.run(), "with seed " + chance);
            });
        whole += schedule.whole;
        lost += schedule.lost;
      }
    }
    assertTrue(whole > 10 * SCHEDULES && lost > 10 * SCHEDULES, whole + " and " + lost);
  }

  /** A question goes to the schedule's owners at once. */
  @Override
  public Future<Object> send(Errand errand) {
    return schedule.ask((Ask) errand.message());
  }

  @Override
  public String way(String node) {
    return "way";
  }

  @Override
  public void want(Errand.Want want) {}

  @Override
  public boolean leavesOut(String node) {
    return false;
  }

  @Override
  public boolean isOpen(String way) {
    return true;
  }
}
