package io.galop.enrich.script.graal;

import io.galop.enrich.script.StateMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How maps look in a language of GraalVM: as objects, or as dicts. */
public interface GraalMaps {
  /**
   * An empty map of a record's data, which is what the script sees, without a copy. It keeps its
   * keys in the order in which they come.
   *
   * @param values makes what the script writes into it values of the host
   */
  Map<String, @Nullable Object> data(GraalValues values);

  /**
   * A map of a state.
   *
   * @param views shows what is in it
   */
  HostView state(StateMap map, GraalViews views);

  /** Removes a key as both languages want it: says whether it was there. */
  static boolean remove(Map<?, ?> map, String key) {
    boolean was = map.containsKey(key);
    map.remove(key);
    return was;
  }
}
