package io.galop.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lays one configuration over another. Sections and maps are merged key by key; lists and single
 * values are replaced, and so is a brick, unless the same one is chosen above.
 */
public final class Merge {
  private Merge() {}

  public static Value layers(Slot root, List<Value> fromLowest) {
    Value merged = new Value.Mapping(Map.of(), "");
    for (Value layer : fromLowest) {
      merged = over(Optional.of(root), merged, layer);
    }
    return merged;
  }

  private static Value over(Optional<Slot> slot, Value under, Value over) {
    if (over.isNothing() && slot.filter(Slot::isSection).isPresent()) {
      return under;
    }
    boolean both = under instanceof Value.Mapping && over instanceof Value.Mapping;
    if (!both || slot.isEmpty() || replaces(slot.get(), under, over)) {
      return over;
    }
    Value.Mapping above = (Value.Mapping) over;
    Map<String, Value> entries = new LinkedHashMap<>(((Value.Mapping) under).entries());
    above
        .entries()
        .forEach(
            (key, value) ->
                entries.merge(key, value, (low, high) -> over(below(slot.get(), key), low, high)));
    return new Value.Mapping(entries, above.origin());
  }

  private static boolean replaces(Slot slot, Value under, Value over) {
    return slot.isBrick()
        && !((Value.Mapping) under)
            .entries()
            .keySet()
            .equals(((Value.Mapping) over).entries().keySet());
  }

  private static Optional<Slot> below(Slot slot, String key) {
    if (slot.isOptional()) {
      return below(slot.element(""), key);
    }
    if (slot.isSection()) {
      return Optional.ofNullable(slot.keys().get(key));
    }
    if (slot.isMap()) {
      return Optional.of(slot.element("." + key));
    }
    return slot.isBrick() && slot.bricks().containsKey(key)
        ? Optional.of(slot.brick(key))
        : Optional.empty();
  }
}
