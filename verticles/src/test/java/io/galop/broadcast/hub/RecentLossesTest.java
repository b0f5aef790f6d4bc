package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** So many losses are remembered, and for so long. */
class RecentLossesTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final RecentLosses losses = new RecentLosses();

  private static ViewerLoss loss(String address) {
    return new ViewerLoss(address, address, List.of("a/#"), 1);
  }

  @Test
  void theLatestComeFirstForFiveMinutes() {
    losses.add(loss("one"), 0);
    losses.add(loss("two"), 3 * MINUTE);
    assertEquals(List.of(loss("two"), loss("one")), losses.now(5 * MINUTE));
    assertEquals(List.of(loss("two")), losses.now(6 * MINUTE));
    assertEquals(List.of(), losses.now(9 * MINUTE));
  }

  @Test
  void aViewerOfManyRegistrationsIsOne() {
    losses.add(loss("one"), 0);
    losses.add(loss("two"), 1);
    for (int n = 0; n < 9; n++) {
      losses.add(new ViewerLoss("one", "one", List.of("b/" + n), 1), 3 * MINUTE);
    }
    List<String> some = List.of("a/#", "b/0", "b/1", "b/2", "b/3");
    ViewerLoss one = new ViewerLoss("one", "one", some, 10);
    assertEquals(List.of(one, loss("two")), losses.now(4 * MINUTE));
    assertEquals(List.of(one), losses.now(7 * MINUTE), "its latest counts");
  }

  @Test
  void theOldestGiveWay() {
    for (int n = 0; n < 2 * RecentLosses.MOST; n++) {
      losses.add(loss("v" + n), n);
    }
    List<ViewerLoss> last = losses.now(MINUTE);
    assertEquals(RecentLosses.MOST, last.size());
    assertEquals("v" + (2 * RecentLosses.MOST - 1), last.get(0).address());
  }
}
