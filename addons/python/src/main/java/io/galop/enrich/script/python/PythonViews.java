package io.galop.enrich.script.python;

import io.galop.enrich.script.GraalArrays;
import io.galop.enrich.script.GraalRecord;
import io.galop.enrich.script.GraalValues;
import io.galop.enrich.script.GraalViews;
import io.galop.enrich.script.JsonNodes;
import io.galop.enrich.script.ScriptRecord;
import io.galop.enrich.script.StateList;
import io.galop.enrich.script.StateMap;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyHashMap;

/** Records and states as Python sees them. */
final class PythonViews implements GraalViews {
  private final JsonNodes nodes;

  PythonViews(GraalValues values) {
    this.nodes = new PythonNodes(values);
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
        map.setView(new StateDict(map, this));
      }
      return map.view();
    }
    return value instanceof StateList list ? GraalArrays.state(list, this) : value;
  }

  private record StateDict(StateMap map, GraalViews views) implements ProxyHashMap, View {
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
    public Object getHashValue(Value key) {
      return views.state(map.get(GraalValues.key(key)));
    }

    @Override
    public void putHashEntry(Value key, Value value) {
      map.put(GraalValues.key(key), GraalValues.stored(value));
    }

    @Override
    public boolean removeHashEntry(Value key) {
      boolean was = hasHashEntry(key);
      map.remove(GraalValues.key(key));
      return was;
    }

    @Override
    public Object getHashEntriesIterator() {
      return PythonEntries.of(map, views::state);
    }
  }
}
