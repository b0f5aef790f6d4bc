package io.galop.enrich.script.python;

import io.galop.enrich.script.GraalArrays;
import io.galop.enrich.script.GraalValues;
import io.galop.enrich.script.JsonNodes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyHashMap;

/** A record's data as dicts and lists of Python, without a copy. */
final class PythonNodes implements JsonNodes {
  private final GraalValues values;

  PythonNodes(GraalValues values) {
    this.values = values;
  }

  @Override
  public Map<String, Object> object() {
    return new PythonDict(values);
  }

  @Override
  public List<Object> array() {
    return new PythonList(values);
  }

  private static final class PythonDict extends LinkedHashMap<String, Object>
      implements ProxyHashMap {
    private static final long serialVersionUID = 1L;

    private final transient GraalValues values;

    PythonDict(GraalValues values) {
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
    public Object getHashValue(Value key) {
      return get(GraalValues.key(key));
    }

    @Override
    public void putHashEntry(Value key, Value value) {
      put(GraalValues.key(key), values.intoData(value));
    }

    @Override
    public boolean removeHashEntry(Value key) {
      boolean was = hasHashEntry(key);
      remove(GraalValues.key(key));
      return was;
    }

    @Override
    public Object getHashEntriesIterator() {
      return PythonEntries.of(this, value -> value);
    }
  }

  private static final class PythonList extends ArrayList<Object> implements ProxyArray {
    private static final long serialVersionUID = 1L;

    private final transient GraalValues values;

    PythonList(GraalValues values) {
      this.values = values;
    }

    @Override
    public Object get(long index) {
      return get((int) index);
    }

    @Override
    public void set(long index, Value value) {
      GraalArrays.set(this, index, values.intoData(value));
    }

    @Override
    public boolean remove(long index) {
      return GraalArrays.remove(this, index);
    }

    @Override
    public long getSize() {
      return size();
    }
  }
}
