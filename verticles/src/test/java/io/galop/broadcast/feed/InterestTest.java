package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Errand.Want;
import io.galop.record.TopicFilter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InterestTest {
  private static TopicFilter filter(int n) {
    return TopicFilter.parse("t/" + n, 99);
  }

  @Test
  void whatIsWantedIsBoundedAndHeldForAWhile() {
    Interest interest = new Interest(4, 1000, 100);
    Want first = interest.next(0, false).orElseThrow().want().orElseThrow();
    assertEquals(List.of(), first.filters());
    assertTrue(interest.next(1, false).isEmpty());
    for (int n = 0; n < 5; n++) {
      interest.watch(filter(n));
    }
    Interest.Change all = interest.next(2, false).orElseThrow();
    assertTrue(all.want().orElseThrow().everything());
    assertEquals(List.of(), all.want().orElseThrow().filters());
    interest.watch(filter(9));
    Interest.Change more = interest.next(3, false).orElseThrow();
    assertEquals(Optional.empty(), more.want(), "everything holds one filter more");
    assertEquals(List.of(filter(9)), more.added());
    for (int n = 0; n < 5; n++) {
      interest.unwatch(filter(n), 10);
    }
    interest.watch(filter(0));
    Interest.Change fewer = interest.next(11, false).orElseThrow();
    assertFalse(fewer.want().orElseThrow().everything(), "so many are not held");
    assertEquals(List.of("t/0", "t/9"), fewer.want().orElseThrow().filters());
    assertEquals(4, fewer.dropped().size());
    assertTrue(fewer.version() > more.version());
    interest.unwatch(filter(9), 20);
    assertTrue(interest.next(119, false).isEmpty(), "it is held");
    assertEquals(List.of(filter(9)), interest.next(120, false).orElseThrow().dropped());
  }

  /** Also of a bound that four does not divide. */
  @Test
  void lessIsWantedAgainWhenThereAreThreeQuartersOfTheBound() {
    Interest interest = new Interest(7, 1000, 0);
    for (int n = 0; n < 8; n++) {
      interest.watch(filter(n));
    }
    assertTrue(interest.next(0, false).orElseThrow().want().orElseThrow().everything());
    interest.unwatch(filter(0), 1);
    interest.unwatch(filter(1), 1);
    interest.next(1, false);
    assertTrue(interest.isEverything(), "6 of 7 are more");
    interest.unwatch(filter(2), 2);
    Want fewer = interest.next(2, false).orElseThrow().want().orElseThrow();
    assertFalse(fewer.everything(), "5 of 7 are not");
    assertEquals(5, fewer.filters().size());
  }
}
