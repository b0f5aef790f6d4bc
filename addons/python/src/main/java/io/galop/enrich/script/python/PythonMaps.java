package io.galop.enrich.script.python;

import io.galop.enrich.script.StateMap;
import io.galop.enrich.script.graal.GraalMaps;
import io.galop.enrich.script.graal.GraalValues;
import io.galop.enrich.script.graal.GraalViews;
import io.galop.enrich.script.graal.HostView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyHashMap;
import org.jspecify.annotations.Nullable;

/** Maps as dicts of Python. */
final class PythonMaps implements GraalMaps {
  @Override
  public Map<String, @Nullable Object> data(GraalValues values) {
    return new DataDict(values);
  }

  @Override
  public HostView state(StateMap map, GraalViews views) {
    return new StateDict(map, views);
  }

  private static final class DataDict extends LinkedHashMap<String, @Nullable Object>
      implements ProxyHashMap {
    private static final long serialVersionUID = 1L;

    private final transient GraalValues values;

    DataDict(GraalValues values) {
      this.values = values;
    }

    @Override
    public long getHashSize() {
      return size();
    }

    @Override
    public boolean hasHashEntry(Value key) {
      return containsKey(GraalValues.key(key));
    }

    @Override
    public @Nullable Object getHashValue(Value key) {
      return get(GraalValues.key(key));
    }

    @Override
    public void putHashEntry(Value key, Value value) {
      put(GraalValues.key(key), values.intoData(value));
    }

    @Override
    public boolean removeHashEntry(Value key) {
      return GraalMaps.remove(this, GraalValues.key(key));
    }

    @Override
    public Object getHashEntriesIterator() {
      return PythonEntries.of(this, value -> value);
    }
  }

  private record StateDict(StateMap map, GraalViews views) implements ProxyHashMap, HostView {
    @Override
    public Object shown() {
      return map;
    }

    @Override
    public long getHashSize() {
      return map.size();
    }

    @Override
    public boolean hasHashEntry(Value key) {
      return map.containsKey(GraalValues.key(key));
    }

    @Override
    public @Nullable Object getHashValue(Value key) {
      return views.state(map.get(GraalValues.key(key)));
    }

    @Override
    public void putHashEntry(Value key, Value value) {
      map.put(GraalValues.key(key), GraalValues.stored(value));
    }

    @Override
    public boolean removeHashEntry(Value key) {
      return GraalMaps.remove(map, GraalValues.key(key));
    }

    @Override
    public Object getHashEntriesIterator() {
      return PythonEntries.of(map, views::state);
    }
  }
}
