package io.galop.enrich.script;

import java.util.ArrayList;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;

/** Records and states as JavaScript sees them. */
final class JsViews implements GraalViews {
  private final JsonNodes nodes;

  JsViews(GraalValues values) {
    this.nodes = new JsNodes(values);
  }

  @Override
  public JsonNodes nodes() {
    return nodes;
  }

  @Override
  public Object record(ScriptRecord record) {
    return new GraalRecord(record);
  }

  @Override
  public Object state(Object value) {
    if (value instanceof StateMap map) {
      if (map.view() == null) {
        map.setView(new StateObject(map, this));
      }
      return map.view();
    }
    return value instanceof StateList list ? GraalArrays.state(list, this) : value;
  }

  private record StateObject(StateMap map, GraalViews views) implements ProxyObject, View {
    @Override
    public Object shown() {
      return map;
    }

    @Override
    public Object getMember(String key) {
      return views.state(map.get(key));
    }

    @Override
    public Object getMemberKeys() {
      return ProxyArray.fromList(new ArrayList<>(map.keySet()));
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
      boolean was = map.containsKey(key);
      map.remove(key);
      return was;
    }
  }
}
