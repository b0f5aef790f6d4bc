package io.galop.enrich.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;

/** A record's data as objects and arrays of JavaScript, without a copy. */
final class JsNodes implements JsonNodes {
  private final GraalValues values;

  JsNodes(GraalValues values) {
    this.values = values;
  }

  @Override
  public Map<String, Object> object() {
    return new JsObject(values);
  }

  @Override
  public List<Object> array() {
    return new JsArray(values);
  }

  private static final class JsObject extends LinkedHashMap<String, Object> implements ProxyObject {
    private static final long serialVersionUID = 1L;

    private final transient GraalValues values;

    JsObject(GraalValues values) {
      this.values = values;
    }

    @Override
    public Object getMember(String key) {
      return get(key);
    }

    @Override
    public Object getMemberKeys() {
      return ProxyArray.fromList(new ArrayList<>(keySet()));
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
      boolean was = containsKey(key);
      remove(key);
      return was;
    }
  }

  private static final class JsArray extends ArrayList<Object> implements ProxyArray {
    private static final long serialVersionUID = 1L;

    private final transient GraalValues values;

    JsArray(GraalValues values) {
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
