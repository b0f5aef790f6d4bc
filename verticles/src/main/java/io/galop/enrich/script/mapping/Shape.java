package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;
import io.galop.expression.CelList;
import io.galop.expression.CelMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a record's data, or a part of it, is made of. */
interface Shape {
  /** A frozen value; empty: the field is left out. */
  Optional<Object> value(MappingCall call) throws ScriptFailure;

  /** The value of an expression. */
  record Of(Field field) implements Shape {
    @Override
    public Optional<Object> value(MappingCall call) throws ScriptFailure {
      return field.present(call);
    }
  }

  /**
   * An object.
   *
   * @param copied gives an object whose fields come first; null: none
   * @param without fields of that one that are left out
   */
  record Fields(@Nullable Field copied, List<String> without, Map<String, Shape> fields)
      implements Shape {
    @Override
    public Optional<Object> value(MappingCall call) throws ScriptFailure {
      CelMap object = CelMap.frozen();
      if (copied != null) {
        copy(copied, call, object);
      }
      for (Map.Entry<String, Shape> one : fields.entrySet()) {
        Optional<Object> value = one.getValue().value(call);
        if (value.isPresent()) {
          object.put(one.getKey(), value.get());
        }
      }
      return Optional.of(object);
    }

    private void copy(Field from, MappingCall call, CelMap to) throws ScriptFailure {
      if (!(from.value(call) instanceof CelMap map)) {
        throw from.place().failure("'copy' needs an object");
      }
      for (String key : map.keySet()) {
        if (!without.contains(key)) {
          to.put(key, map.get(key));
        }
      }
    }
  }

  /** A list. */
  record Elements(List<Shape> elements) implements Shape {
    @Override
    public Optional<Object> value(MappingCall call) throws ScriptFailure {
      CelList list = new CelList();
      for (Shape element : elements) {
        element.value(call).ifPresent(list::add);
      }
      return Optional.of(list);
    }
  }
}
