package io.galop.enrich.script.graal;

import io.galop.enrich.script.JsonNodes;
import io.galop.enrich.script.ScriptRecord;
import io.galop.enrich.script.StateList;
import io.galop.enrich.script.StateMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How records, their data and states look in a language of GraalVM. */
public final class GraalViews implements JsonNodes {
  private final GraalValues values;
  private final GraalMaps maps;

  GraalViews(GraalValues values, GraalMaps maps) {
    this.values = values;
    this.maps = maps;
  }

  @Override
  public Map<String, @Nullable Object> object() {
    return maps.data(values);
  }

  @Override
  public List<@Nullable Object> array() {
    return new GraalArray(values);
  }

  /** A record. */
  HostView record(ScriptRecord record) {
    return new GraalRecord(record);
  }

  /** A state's value; for a map or list a {@link HostView}, and always the same one. */
  public @Nullable Object state(@Nullable Object value) {
    if (value instanceof StateMap map) {
      if (map.view() == null) {
        map.setView(maps.state(map, this));
      }
      return map.view();
    }
    if (value instanceof StateList list) {
      if (list.view() == null) {
        list.setView(new GraalStateArray(list, this));
      }
      return list.view();
    }
    return value;
  }
}
