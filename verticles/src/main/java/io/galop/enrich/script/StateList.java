package io.galop.enrich.script;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** A list of a topic's state; see {@link StateMap}. */
public final class StateList extends AbstractList<@Nullable Object>
    implements RandomAccess, StateChanges.Container {
  private final List<@Nullable Object> elements = new ArrayList<>();
  private final StateChanges changes;
  private boolean changed;
  private long bytes;

  /** What a language made to show this list; null: nothing yet. */
  private @Nullable Object view;

  StateList(StateChanges changes) {
    this.changes = changes;
  }

  /** What a language made to show this list; null: nothing yet. */
  public @Nullable Object view() {
    return view;
  }

  /** Keeps what a language made to show this list. */
  public void setView(Object view) {
    this.view = view;
  }

  @Override
  public @Nullable Object get(int index) {
    return elements.get(index);
  }

  @Override
  public @Nullable Object set(int index, @Nullable Object value) {
    change();
    return elements.set(index, value);
  }

  @Override
  public void add(int index, @Nullable Object value) {
    change();
    modCount++;
    elements.add(index, value);
  }

  @Override
  public @Nullable Object remove(int index) {
    modCount++;
    return elements.remove(index);
  }

  @Override
  protected void removeRange(int from, int to) {
    modCount++;
    elements.subList(from, to).clear();
  }

  @Override
  public int size() {
    return elements.size();
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
    try {
      settle(copy);
    } finally {
      count();
    }
  }

  private void settle(StateCopy copy) throws ScriptFailure {
    for (int i = 0; i < elements.size(); i++) {
      try {
        elements.set(i, copy.of(elements.get(i)));
      } catch (ScriptFailure e) {
        elements.subList(i, elements.size()).clear();
        throw copy.refused("[" + i + "]", e);
      }
    }
  }

  /** Counts what it holds by now, when all of it is plain. */
  void count() {
    long now = StateBytes.CONTAINER;
    for (Object element : elements) {
      now += StateBytes.element(element);
    }
    changes.grow(now - bytes);
    bytes = now;
  }

  /** Adds what is known to be plain. */
  void keep(@Nullable Object value) {
    elements.add(value);
  }
}
