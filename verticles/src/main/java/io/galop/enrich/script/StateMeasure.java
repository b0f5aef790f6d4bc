package io.galop.enrich.script;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/** How large the state of a topic is. */
final class StateMeasure {
  private StateMeasure() {}

  /** Of this first map: at most a quarter too much, and exact above a limit. */
  static long bytes(StateMap root, long limit) {
    StateChanges changes = root.changes();
    if (changes.isDoubtful(limit)) {
      changes.measured(all(root));
    }
    return changes.bytes();
  }

  /** Of all that hangs on a map, each thing once: it may hold itself. */
  private static long all(StateMap root) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>();
    open.add(root);
    seen.add(root);
    long bytes = 0;
    while (!open.isEmpty()) {
      Object container = open.pop();
      bytes += StateBytes.CONTAINER;
      if (container instanceof StateMap map) {
        for (Map.Entry<Object, Object> one : map.entries().entrySet()) {
          bytes += StateBytes.entry(one.getKey(), one.getValue());
          open(one.getValue(), seen, open);
        }
      } else if (container instanceof StateList list) {
        for (Object one : list) {
          bytes += StateBytes.element(one);
          open(one, seen, open);
        }
      }
    }
    return bytes;
  }

  private static void open(Object value, Set<Object> seen, Deque<Object> open) {
    if ((value instanceof StateMap || value instanceof StateList) && seen.add(value)) {
      open.push(value);
    }
  }
}
