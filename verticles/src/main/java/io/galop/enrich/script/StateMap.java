package io.galop.enrich.script;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map of a topic's state. Keys are texts, whatever is given as one. During a call anything can be
 * put, and is the same object when it is got again; {@link #settle} then makes it plain values.
 */
public final class StateMap extends AbstractMap<Object, @Nullable Object>
    implements StateChanges.Container {
  private final Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
  private final StateChanges changes;
  private boolean changed;
  private long bytes;

  /** What a language made to show this map; null: nothing yet. */
  private @Nullable Object view;

  StateMap(StateChanges changes) {
    this.changes = changes;
  }

  /** What a language made to show this map; null: nothing yet. */
  public @Nullable Object view() {
    return view;
  }

  /** Keeps what a language made to show this map. */
  public void setView(Object view) {
    this.view = view;
  }

  /**
   * Ends a call.
   *
   * @param plain turns a value of the script's language into one of the host
   * @throws ScriptFailure if something was put that cannot be kept; all such is removed
   */
  public void settleCall(PlainFunction plain) throws ScriptFailure {
    changes.settle(plain);
  }

  @Override
  public @Nullable Object get(Object key) {
    return entries.get(String.valueOf(key));
  }

  @Override
  public boolean containsKey(Object key) {
    return entries.containsKey(String.valueOf(key));
  }

  @Override
  public @Nullable Object put(Object key, @Nullable Object value) {
    change();
    return entries.put(String.valueOf(key), value);
  }

  @Override
  public @Nullable Object remove(Object key) {
    return entries.remove(String.valueOf(key));
  }

  @Override
  public int size() {
    return entries.size();
  }

  /** Its entries can be set, so the map counts as changed. */
  @Override
  public Set<Entry<Object, @Nullable Object>> entrySet() {
    change();
    return entries.entrySet();
  }

  @Override
  public Set<Object> keySet() {
    return entries.keySet();
  }

  /** Whether it stands in the state whose changes these are. */
  boolean isOf(StateChanges those) {
    return changes == those;
  }

  private void change() {
    if (!changed) {
      changed = true;
      changes.add(this);
    }
  }

  @Override
  public void settle(PlainFunction plain) throws ScriptFailure {
    changed = false;
    StateCopy copy = new StateCopy(changes, plain);
    ScriptFailure refused = null;
    for (var entry = entries.entrySet().iterator(); entry.hasNext(); ) {
      Entry<Object, @Nullable Object> one = entry.next();
      try {
        one.setValue(copy.of(one.getValue()));
      } catch (ScriptFailure e) {
        entry.remove();
        refused = refused == null ? copy.refused(one.getKey(), e) : refused;
      }
    }
    count();
    if (refused != null) {
      throw refused;
    }
  }

  /** Counts what it holds by now, when all of it is plain. */
  void count() {
    long now = StateBytes.CONTAINER;
    for (Entry<Object, @Nullable Object> one : entries.entrySet()) {
      now += StateBytes.entry(one.getKey(), one.getValue());
    }
    changes.grow(now - bytes);
    bytes = now;
  }

  /** Of the topic whose state it stands in. */
  StateChanges changes() {
    return changes;
  }

  /** Puts what is known to be plain. */
  void keep(Object key, @Nullable Object value) {
    entries.put(key, value);
  }

  /** The entries, to read. */
  Map<Object, @Nullable Object> entries() {
    return entries;
  }
}
