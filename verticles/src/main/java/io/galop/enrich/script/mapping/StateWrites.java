package io.galop.enrich.script.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a call has changed in its topic's state, so that all of it can be taken back when the record
 * is refused: a record that comes again must find what the first attempt found. Only the order of
 * rows may be another then.
 */
final class StateWrites {
  private record Write(
      Map<Object, @Nullable Object> map, Object key, boolean was, @Nullable Object before) {}

  private final List<Write> writes = new ArrayList<>();

  void put(Map<Object, @Nullable Object> map, Object key, @Nullable Object value) {
    boolean was = map.containsKey(key);
    writes.add(new Write(map, key, was, map.put(key, value)));
  }

  void remove(Map<Object, @Nullable Object> map, Object key) {
    if (map.containsKey(key)) {
      writes.add(new Write(map, key, true, map.remove(key)));
    }
  }

  /** Makes an entry the last of its map; not taken back. */
  static void touch(Map<Object, @Nullable Object> map, Object key) {
    if (map.size() > 1) {
      map.put(key, map.remove(key));
    }
  }

  void takeBack() {
    for (int i = writes.size() - 1; i >= 0; i--) {
      Write write = writes.get(i);
      if (write.was()) {
        write.map().put(write.key(), write.before());
      } else {
        write.map().remove(write.key());
      }
    }
    writes.clear();
  }
}
