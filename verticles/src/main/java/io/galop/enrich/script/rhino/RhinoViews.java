package io.galop.enrich.script.rhino;

import io.galop.enrich.script.JsonNodes;
import io.galop.enrich.script.ScriptRecord;
import io.galop.enrich.script.StateList;
import io.galop.enrich.script.StateMap;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** Records, their data and states as objects of one script's scope. */
final class RhinoViews implements JsonNodes {
  private final Scriptable scope;
  private final Scriptable objects;
  private final Scriptable arrays;

  RhinoViews(Scriptable scope) {
    this.scope = scope;
    this.objects = ScriptableObject.getObjectPrototype(scope);
    this.arrays = ScriptableObject.getArrayPrototype(scope);
  }

  @Override
  @SuppressWarnings("unchecked")
  public Map<String, @Nullable Object> object() {
    return placed(new DataObject(), objects);
  }

  @Override
  @SuppressWarnings("unchecked")
  public List<@Nullable Object> array() {
    return placed(new DataArray(), arrays);
  }

  /** A record. */
  Scriptable record(ScriptRecord record) {
    return placed(new RecordObject(record), objects);
  }

  /** A state's value; for a map or list always the same object. */
  @Nullable Object state(@Nullable Object value) {
    if (value instanceof StateMap map) {
      if (map.view() == null) {
        map.setView(new StateObject(map, this, objects, scope));
      }
      return map.view();
    }
    if (value instanceof StateList list) {
      if (list.view() == null) {
        list.setView(placed(new StateArray(list, this), arrays));
      }
      return list.view();
    }
    return value instanceof BigInteger whole ? new ExactWhole(whole) : value;
  }

  private <T extends ScriptableObject> T placed(T object, Scriptable prototype) {
    object.setPrototype(prototype);
    object.setParentScope(scope);
    return object;
  }

  /** An object of a record's data, whose keys keep their order, numeric ones too. */
  private static final class DataObject extends NativeObject {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Object put(Object key, @Nullable Object value) {
      put((String) key, this, value instanceof BigInteger whole ? new ExactWhole(whole) : value);
      return null;
    }

    @Override
    public boolean has(int index, Scriptable start) {
      return has(Integer.toString(index), start);
    }

    @Override
    public @Nullable Object get(int index, Scriptable start) {
      return get(Integer.toString(index), start);
    }

    @Override
    public void put(int index, Scriptable start, @Nullable Object value) {
      put(Integer.toString(index), start, value);
    }

    @Override
    public void delete(int index) {
      delete(Integer.toString(index));
    }
  }

  private static final class DataArray extends NativeArray {
    private static final long serialVersionUID = 1L;

    DataArray() {
      super(0);
    }

    @Override
    public boolean add(@Nullable Object value) {
      put(size(), this, value instanceof BigInteger whole ? new ExactWhole(whole) : value);
      return true;
    }
  }
}
