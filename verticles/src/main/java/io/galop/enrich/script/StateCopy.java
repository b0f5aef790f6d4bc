package io.galop.enrich.script;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes values that scripts put into their state ones that can be kept: a copy of their own. */
final class StateCopy {
  private final StateChanges changes;
  private final PlainFunction plain;
  private int depth;

  /**
   * @param changes of the topic that the copies are for
   * @param plain turns a value of the script's language into one of the host
   */
  StateCopy(StateChanges changes, PlainFunction plain) {
    this.changes = changes;
    this.plain = plain;
  }

  /**
   * A value that can be kept.
   *
   * @throws ScriptFailure if there is none
   */
  @Nullable Object of(@Nullable Object given) throws ScriptFailure {
    if (given instanceof StateMap map && map.isOf(changes)
        || given instanceof StateList list && list.isOf(changes)) {
      return given;
    }
    Object value = plain.apply(given);
    if (value == null || value instanceof Boolean || PlainJson.isNumber(value)) {
      return value;
    }
    if (value instanceof CharSequence || value instanceof Character) {
      return value.toString();
    }
    if (++depth > PlainJson.DEEPEST) {
      throw new ScriptFailure(
          "is nested deeper than " + PlainJson.DEEPEST + " levels, or circular");
    }
    Object container = container(value);
    depth--;
    return container;
  }

  private Object container(Object value) throws ScriptFailure {
    if (value instanceof Map<?, ?> map) {
      return map(map);
    }
    if (value instanceof Collection<?> listed) {
      return list(listed);
    }
    throw new ScriptFailure(
        "is a "
            + value.getClass().getName()
            + "; numbers, texts, booleans, lists and maps can be kept");
  }

  private StateMap map(Map<?, ?> from) throws ScriptFailure {
    StateMap to = new StateMap(changes);
    for (Map.Entry<?, ?> entry : from.entrySet()) {
      to.keep(String.valueOf(entry.getKey()), of(entry.getValue()));
    }
    to.count();
    return to;
  }

  private StateList list(Collection<?> from) throws ScriptFailure {
    StateList to = new StateList(changes);
    for (Object element : from) {
      to.keep(of(element));
    }
    to.count();
    return to;
  }

  ScriptFailure refused(Object key, ScriptFailure why) {
    return new ScriptFailure("the state's '" + key + "' cannot be kept: it " + why.getMessage());
  }
}
