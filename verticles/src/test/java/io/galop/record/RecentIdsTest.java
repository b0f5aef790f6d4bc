package io.galop.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecentIdsTest {
  private static final String T = "race/1";

  @Test
  void recognisesWhatItWasGiven() {
    RecentIds ids = new RecentIds(3);
    assertTrue(ids.add(T, "a"));
    assertFalse(ids.add(T, "a"));
    assertTrue(ids.contains(T, "a"));
    assertFalse(ids.contains(T, "b"));
  }

  @Test
  void anIdBelongsToItsTopic() {
    RecentIds ids = new RecentIds(100);
    for (String topic : List.of("t", "u", "", "ta", "abcd", "abcde", "a\0")) {
      for (String id : List.of("a", "", "bcd", "e", "ea", "\0")) {
        assertTrue(ids.add(topic, id), topic + ' ' + id);
        assertFalse(ids.add(topic, id), topic + ' ' + id);
      }
    }
    assertTrue(ids.forget("t", "a"));
    assertTrue(ids.contains("u", "a"));
    assertTrue(ids.add("t", "a"));
  }

  @Test
  void knowsInWhichOrderIdsCame() {
    RecentIds ids = new RecentIds(100);
    for (int n = 0; n < 1000; n++) {
      assertTrue(ids.add(T, "a" + n));
      assertEquals(n + 1, ids.added());
      for (int known = Math.max(0, n - 99); known <= n; known++) {
        assertEquals(known, ids.addedBefore(T, "a" + known));
      }
      assertEquals(-1, ids.addedBefore(T, "a" + (n + 1)));
    }
    assertFalse(ids.add(T, "a950"), "which does not make it younger");
    assertEquals(950, ids.addedBefore(T, "a950"));
    ids.forget(T, "a960");
    assertEquals(-1, ids.addedBefore(T, "a960"));
    assertEquals(961, ids.addedBefore(T, "a961"));
  }

  @Test
  void forgetsTheOldestWhenFull() {
    RecentIds ids = new RecentIds(2);
    ids.add(T, "a");
    ids.add(T, "b");
    ids.add(T, "c");
    assertFalse(ids.contains(T, "a"));
    assertTrue(ids.contains(T, "b"));
    assertTrue(ids.contains(T, "c"));
    assertEquals(2, ids.size());
  }

  @Test
  void anIdThatWasForgottenIsNewAgain() {
    RecentIds ids = new RecentIds(2);
    ids.add(T, "a");
    assertTrue(ids.forget(T, "a"));
    assertFalse(ids.forget(T, "a"));
    assertTrue(ids.add(T, "a"));
  }

  @Test
  void growsWithoutForgetting() {
    RecentIds ids = new RecentIds(100_000);
    for (int i = 0; i < 100_000; i++) {
      assertTrue(ids.add(T, "race/1.132153978#" + i), "id " + i);
    }
    for (int i = 0; i < 100_000; i++) {
      assertTrue(ids.contains(T, "race/1.132153978#" + i), "id " + i);
    }
    assertFalse(ids.contains(T, "race/1.132153978#100000"));
  }

  @Test
  void refusesACapacityThatItCannotHold() {
    assertThrows(IllegalArgumentException.class, () -> new RecentIds(0));
  }

  /** A ring and a set of strings must agree with it whatever is added and forgotten. */
  @Test
  void agreesWithASimpleModel() {
    Random random = new Random(42);
    RecentIds ids = new RecentIds(150);
    LinkedList<String> order = new LinkedList<>();
    Set<String> known = new HashSet<>();
    for (int i = 0; i < 200_000; i++) {
      String id = "i" + random.nextInt(400);
      if (random.nextInt(10) == 0) {
        boolean held = known.remove(id);
        assertEquals(held, ids.forget(T, id));
        order.replaceAll(o -> held && o.equals(id) ? "" : o);
      } else {
        assertEquals(known.add(id), ids.add(T, id), id + " at step " + i);
        enter(id, order, known);
      }
      assertEquals(known.size(), ids.size());
    }
  }

  private static void enter(String id, LinkedList<String> order, Set<String> known) {
    if (order.contains(id)) {
      return;
    }
    if (order.size() == 150) {
      known.remove(order.removeFirst());
    }
    order.addLast(id);
  }
}
