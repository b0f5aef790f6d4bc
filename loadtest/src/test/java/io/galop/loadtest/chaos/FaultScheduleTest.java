package io.galop.loadtest.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
  private static final int ROUNDS = 20;
  private static final List<FaultKind> KINDS = List.of(FaultKind.values());

  private static List<InjectedFault> draw(long seed) {
    FaultSchedule schedule =
        new FaultSchedule(
            seed, KINDS, 1, List.of("a", "b"), List.of("f"), List.of("redis", "mariadb"));
    List<InjectedFault> faults = new ArrayList<>();
    for (int i = 0; i < ROUNDS * KINDS.size(); i++) {
      schedule.pauseMs();
      faults.add(schedule.next());
    }
    return faults;
  }

  @Test
  void theSameSeedDrawsTheSameFaults() {
    assertEquals(draw(1), draw(1));
    assertNotEquals(draw(1), draw(2));
  }

  @Test
  void everyRoundHasEveryKindOnce() {
    List<InjectedFault> faults = draw(3);
    for (int round = 0; round < ROUNDS; round++) {
      Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
      for (int i = 0; i < KINDS.size(); i++) {
        kinds.add(faults.get(round * KINDS.size() + i).kind());
      }
      assertEquals(EnumSet.allOf(FaultKind.class), kinds);
    }
  }

  @Test
  void faultsKeepTheirBoundsAndOnlyStoringNodesHaveFullDisks() {
    for (InjectedFault fault : draw(4)) {
      FaultKind kind = fault.kind();
      assertTrue(fault.seconds() >= kind.leastSeconds(), fault.toString());
      assertTrue(fault.seconds() <= kind.mostSeconds(), fault.toString());
      if (kind == FaultKind.DISK || kind == FaultKind.CLOCK) {
        assertTrue(List.of("a", "b").contains(fault.target()), fault.toString());
      }
    }
  }
}
