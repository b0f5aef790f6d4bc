package io.galop.loadtest.inject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.galop.loadtest.scenario.DoorWord;
import io.galop.loadtest.scenario.Injection;
import io.galop.loadtest.scenario.StartPlan;
import io.galop.loadtest.site.NullSite;
import io.galop.loadtest.site.Site;
import io.galop.loadtest.site.SiteStart;
import io.galop.loadtest.targets.Launch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every door of a node, and of the server that only acknowledges, takes what is sent. */
@Timeout(180)
class DoorsIT {
  private static final int RECORDS = 2_000;

  @Test
  void aNodeTakesRecordsOnEveryDoor() throws Exception {
    SiteStart start = new SiteStart(Path.of(Tool.galopJar()), Launch.java(), List.of(), List.of());
    StartPlan plan = new StartPlan(1, List.of(), Map.of(), List.of(), Map.of());
    try (Site site = start.start(plan, new Injection(DoorWord.RING, 2, 290, 10, 1_000))) {
      sendOverAll(site, List.of(DoorWord.values()));
    }
  }

  @Test
  void theServerThatOnlyAcknowledgesDoesSoOnEveryDoor() throws Exception {
    List<DoorWord> doors = new ArrayList<>(List.of(DoorWord.values()));
    doors.remove(DoorWord.RING);
    try (Site site = NullSite.start()) {
      sendOverAll(site, doors);
    }
  }

  private static void sendOverAll(Site site, List<DoorWord> doors) throws Exception {
    for (DoorWord door : doors) {
      Injection plan = new Injection(door, 2, 290, 10, 1_000);
      try (Injector injector = new Injector(site.doors(), plan)) {
        assertTrue(injector.send(RECORDS, 1, TimeUnit.MINUTES.toMillis(1)), door + " takes all");
        while (injector.acked() < RECORDS) {
          injector.check();
          TimeUnit.MILLISECONDS.sleep(10);
        }
        assertEquals(0, injector.refused(), door + " rejects none");
        assertEquals(RECORDS, injector.takeLatencies().getTotalCount(), "" + door);
      }
    }
  }
}
