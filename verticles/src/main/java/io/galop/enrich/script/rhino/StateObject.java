package io.galop.enrich.script.rhino;

import io.galop.enrich.script.StateMap;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.SymbolScriptable;

/** A map of a topic's state as an object of a script; its keys keep their order. */
final class StateObject implements Scriptable, SymbolScriptable, StateView {
  private final StateMap map;
  private final RhinoViews views;
  private Scriptable prototype;
  private Scriptable parent;

  StateObject(StateMap map, RhinoViews views, Scriptable prototype, Scriptable parent) {
    this.map = map;
    this.views = views;
    this.prototype = prototype;
    this.parent = parent;
  }

  @Override
  public Object shown() {
    return map;
  }

  @Override
  public String getClassName() {
    return "Object";
  }

  @Override
  public boolean has(String key, Scriptable start) {
    return map.containsKey(key);
  }

  @Override
  public @Nullable Object get(String key, Scriptable start) {
    @Nullable Object value = map.get(key);
    return value == null && !map.containsKey(key) ? NOT_FOUND : views.state(value);
  }

  @Override
  public void put(String key, Scriptable start, @Nullable Object value) {
    map.put(key, RhinoValues.stored(value));
  }

  @Override
  public void delete(String key) {
    map.remove(key);
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

  /** No state has any. */
  @Override
  public boolean has(Symbol key, Scriptable start) {
    return false;
  }

  @Override
  public Object get(Symbol key, Scriptable start) {
    return NOT_FOUND;
  }

  /** What JSON cannot hold is not kept. */
  @Override
  public void put(Symbol key, Scriptable start, @Nullable Object value) {}

  @Override
  public void delete(Symbol key) {}

  @Override
  public Object[] getIds() {
    return map.keySet().toArray();
  }

  @Override
  public Scriptable getPrototype() {
    return prototype;
  }

  @Override
  public void setPrototype(Scriptable prototype) {
    this.prototype = prototype;
  }

  @Override
  public Scriptable getParentScope() {
    return parent;
  }

  @Override
  public void setParentScope(Scriptable parent) {
    this.parent = parent;
  }

  @Override
  public Object getDefaultValue(Class<?> hint) {
    return ScriptableObject.getDefaultValue(this, hint);
  }

  @Override
  public boolean hasInstance(Scriptable instance) {
    return false;
  }
}
