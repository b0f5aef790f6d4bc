package io.galop.enrich.script.graal;

import io.galop.enrich.script.StateMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** Maps as objects of JavaScript. */
final class JsMaps implements GraalMaps {
  @Override
  public Map<String, @Nullable Object> data(GraalValues values) {
    return new DataObject(values);
  }

  @Override
  public HostView state(StateMap map, GraalViews views) {
    return new StateObject(map, views);
  }

  private static Object keys(Map<?, ?> map) {
    return ProxyArray.fromList(new ArrayList<>(map.keySet()));
  }

  private static final class DataObject extends LinkedHashMap<String, @Nullable Object>
      implements ProxyObject {
    private static final long serialVersionUID = 1L;

    private final transient GraalValues values;

    DataObject(GraalValues values) {
      this.values = values;
    }

    @Override
    public @Nullable Object getMember(String key) {
      return get(key);
    }

    @Override
    public Object getMemberKeys() {
      return keys(this);
    }

    @Override
    public boolean hasMember(String key) {
      return containsKey(key);
    }

    @Override
    public void putMember(String key, Value value) {
      put(key, values.intoData(value));
    }

    @Override
    public boolean removeMember(String key) {
      return GraalMaps.remove(this, key);
    }
  }

  private record StateObject(StateMap map, GraalViews views) implements ProxyObject, HostView {
    @Override
    public Object shown() {
      return map;
    }

    @Override
    public @Nullable Object getMember(String key) {
      return views.state(map.get(key));
    }

    @Override
    public Object getMemberKeys() {
      return keys(map);
    }

    @Override
    public boolean hasMember(String key) {
      return map.containsKey(key);
    }

    @Override
    public void putMember(String key, Value value) {
      map.put(key, GraalValues.stored(value));
    }

    @Override
    public boolean removeMember(String key) {
      return GraalMaps.remove(map, key);
    }
  }
}
