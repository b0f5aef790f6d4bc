package io.galop.loadtest.experiments.relays;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TreeShapeTest {
  @Test
  void eachRelayIsDialledByTwoOfTheLevelBefore() {
    TreeShape shape = new TreeShape(List.of(4, 12), true);
    assertEquals(17, shape.nodes());
    assertEquals(List.of(1, 2, 3, 4), shape.dialledBy(0));
    Map<Integer, Integer> dialled = new HashMap<>();
    for (int middle : shape.of(1)) {
      assertEquals(6, shape.dialledBy(middle).size());
      shape.dialledBy(middle).forEach(leaf -> dialled.merge(leaf, 1, Integer::sum));
    }
    assertEquals(shape.of(2), dialled.keySet().stream().sorted().toList());
    assertEquals(List.of(2), dialled.values().stream().distinct().toList());
    assertEquals(4 + 2 * 12, shape.links());
    shape.of(2).forEach(leaf -> assertEquals(List.of(), shape.dialledBy(leaf)));
  }

  @Test
  void aLevelOfOneDialsAll() {
    TreeShape shape = new TreeShape(List.of(1, 3), false);
    assertEquals(List.of(2, 3, 4), shape.dialledBy(1));
    assertEquals(List.of(), new TreeShape(List.of(), false).dialledBy(0));
  }
}
