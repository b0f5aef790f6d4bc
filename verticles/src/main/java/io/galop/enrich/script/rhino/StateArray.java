package io.galop.enrich.script.rhino;

import io.galop.enrich.script.StateList;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.CompoundOperationMap;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;

/** A list of a topic's state as an array of a script. It has no holes. */
final class StateArray extends NativeArray implements StateView {
  private static final long serialVersionUID = 1L;

  /** Above this Rhino keeps no elements of its own for an array, and asks for each. */
  private static final long NOT_DENSE = 1 << 20;

  private final transient StateList list;
  private final transient RhinoViews views;

  StateArray(StateList list, RhinoViews views) {
    super(NOT_DENSE);
    this.list = list;
    this.views = views;
  }

  @Override
  public Object shown() {
    return list;
  }

  @Override
  public long getLength() {
    return list.size();
  }

  @Override
  public boolean has(int index, Scriptable start) {
    return index >= 0 && index < list.size();
  }

  @Override
  public @Nullable Object get(int index, Scriptable start) {
    return has(index, start) ? views.state(list.get(index)) : NOT_FOUND;
  }

  @Override
  public @Nullable Object get(String name, Scriptable start) {
    return name.equals("length") ? (Object) list.size() : super.get(name, start);
  }

  @Override
  public void put(int index, Scriptable start, @Nullable Object value) {
    if (index == list.size()) {
      list.add(RhinoValues.stored(value));
    } else if (has(index, start)) {
      list.set(index, RhinoValues.stored(value));
    } else {
      throw ScriptRuntime.rangeError("a list cannot have holes");
    }
  }

  @Override
  public void put(String name, Scriptable start, @Nullable Object value) {
    if (!name.equals("length")) {
      super.put(name, start, value);
      return;
    }
    double length = ScriptRuntime.toNumber(value);
    if (length > list.size()) {
      throw ScriptRuntime.rangeError("a list cannot have holes");
    }
    list.subList((int) length, list.size()).clear();
  }

  /** Elements behind it move up, as in a list. */
  @Override
  public void delete(int index) {
    if (index >= 0 && index < list.size()) {
      list.remove(index);
    }
  }

  @Override
  public Object[] getIds(CompoundOperationMap slots, boolean nonEnumerable, boolean symbols) {
    Object[] ids = new Object[list.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = i;
    }
    return ids;
  }
}
