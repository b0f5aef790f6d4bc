package io.galop.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the typed records of what was written. It never stops at the first problem: where one was
 * noted the result is null and is not used.
 */
public final class Binder {
  private final Problems problems;
  private final Scalars scalars;
  private final Construction construction;

  public Binder(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
    this.construction = new Construction(problems);
  }

  /**
   * @throws ConfigException with all problems that were noted so far
   */
  public <T> T bind(Class<T> record, Value value) {
    return bind(record, value, Map.of());
  }

  /**
   * The same with bricks that their type cannot permit, as they are in other packages.
   *
   * @param open the bricks by word of each such type
   */
  public <T> T bind(Class<T> record, Value value, Map<Class<?>, Map<String, Class<?>>> open) {
    T bound = record.cast(bind(Slot.root(record, open), value));
    problems.refuse();
    return Objects.requireNonNull(bound, "no problem was noted");
  }

  private @Nullable Object bind(Slot slot, Value given) {
    Value value = slot.isScalar() ? given : Typed.read(slot, given, problems);
    if (slot.isOptional()) {
      return value.isNothing()
          ? Optional.empty()
          : Optional.ofNullable(bind(slot.element(""), value));
    }
    if (slot.isList()) {
      return list(slot, value);
    }
    if (slot.isMap()) {
      return map(slot, value);
    }
    if (slot.isSection()) {
      return section(slot, value);
    }
    if (slot.isBrick()) {
      return brick(slot, value);
    }
    return slot.isFree() ? value.plain() : scalars.bind(slot, value);
  }

  /**
   * @param parent in which it is absent
   */
  private @Nullable Object absent(Slot slot, Value parent) {
    Optional<Value> byDefault = slot.defaultValue();
    if (byDefault.isPresent()) {
      return bind(slot, byDefault.get());
    }
    if (slot.isScalar() || slot.isBrick()) {
      problems.add(slot.path(), "must be given: " + slot.wanted(), parent.origin());
      return null;
    }
    return bind(slot, Value.nothing(""));
  }

  private @Nullable Object list(Slot slot, Value value) {
    List<@Nullable Object> bound = new ArrayList<>();
    if (value instanceof Value.Sequence sequence) {
      for (Value item : sequence.items()) {
        bound.add(bind(slot.element("[" + bound.size() + "]"), item));
      }
    } else if (!value.isNothing()) {
      wrongShape(slot, value);
    }
    return bound;
  }

  private @Nullable Object map(Slot slot, Value value) {
    Map<String, @Nullable Object> bound = new LinkedHashMap<>();
    if (value instanceof Value.Mapping mapping) {
      mapping.entries().forEach((name, v) -> bound.put(name, bind(slot.element("." + name), v)));
    } else if (!value.isNothing()) {
      wrongShape(slot, value);
    }
    return bound;
  }

  private @Nullable Object section(Slot slot, Value value) {
    int problemsBefore = problems.count();
    Map<String, Value> entries = entries(slot, value);
    Map<String, Slot> keys = slot.keys();
    entries.forEach((key, v) -> refuseUnknown(slot, keys, key, v));
    List<@Nullable Object> arguments = new ArrayList<>();
    keys.forEach(
        (key, at) ->
            arguments.add(
                entries.containsKey(key) ? bind(at, entries.get(key)) : absent(at, value)));
    return problems.count() == problemsBefore ? construction.of(slot, arguments, value) : null;
  }

  private Map<String, Value> entries(Slot slot, Value value) {
    if (value instanceof Value.Mapping mapping) {
      return mapping.entries();
    }
    if (!value.isNothing()) {
      wrongShape(slot, value);
    }
    return Map.of();
  }

  private void refuseUnknown(Slot slot, Map<String, Slot> keys, String key, Value value) {
    if (!keys.containsKey(key)) {
      String path = slot.path().isEmpty() ? key : slot.path() + "." + key;
      String hint = Words.didYouMean(key, keys.keySet());
      String known = keys.isEmpty() ? "there are none" : String.join(", ", keys.keySet());
      problems.add(path, "unknown key, known here: " + known + hint, value.origin());
    }
  }

  private @Nullable Object brick(Slot slot, Value value) {
    boolean isBareWord = value instanceof Value.Scalar && !value.isNothing();
    Map<String, Value> entries =
        isBareWord
            ? Map.of(((Value.Scalar) value).text(), Value.nothing(value.origin()))
            : value instanceof Value.Mapping mapping ? mapping.entries() : Map.of();
    if (entries.size() != 1) {
      return wrongShape(slot, value);
    }
    Map.Entry<String, Value> only = entries.entrySet().iterator().next();
    String word = only.getKey();
    if (!slot.bricks().containsKey(word)) {
      String known = Words.oneOf(List.copyOf(slot.bricks().keySet()));
      String hint = Words.didYouMean(word, slot.bricks().keySet());
      problems.add(slot.path(), "must be " + known + ", not '" + word + "'" + hint, value.origin());
      return null;
    }
    return bind(slot.brick(word), only.getValue());
  }

  private @Nullable Object wrongShape(Slot slot, Value value) {
    problems.add(
        slot.path(), "must be " + slot.wanted() + ", not " + value.shown(), value.origin());
    return null;
  }
}
