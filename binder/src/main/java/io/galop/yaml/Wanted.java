package io.galop.yaml;

import java.util.List;
import java.util.Set;

/** What a slot takes, in words: the same in messages and in the documentation. */
final class Wanted {
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, Integer.class, long.class, Long.class);

  private Wanted() {}

  static String in(Slot slot) {
    Class<?> type = slot.raw();
    if (slot.isOptional()) {
      return in(slot.element(""));
    }
    if (slot.isList()) {
      return "a list" + of(slot.element(""));
    }
    if (slot.isMap()) {
      return "a map by name" + of(slot.element(""));
    }
    if (slot.isSection()) {
      return "a map with the keys " + String.join(", ", slot.keys().keySet());
    }
    if (slot.isBrick()) {
      return "a map with one key, " + Words.oneOf(List.copyOf(slot.bricks().keySet()));
    }
    return slot.isFree() ? "anything" : scalar(slot, type);
  }

  private static String of(Slot element) {
    if (element.isBrick()) {
      return " of " + Words.oneOf(List.copyOf(element.bricks().keySet()));
    }
    if (element.raw() == String.class) {
      return " of texts";
    }
    return element.isSection() || element.isFree() ? "" : ", each " + in(element);
  }

  private static String scalar(Slot slot, Class<?> type) {
    if (type.isEnum()) {
      return Words.oneOf(Words.ofAll(type));
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type == String.class) {
      return "text";
    }
    return (WHOLE.contains(type) ? "a whole number" : "a number") + bounds(slot);
  }

  private static String bounds(Slot slot) {
    String min = Words.number(slot.min());
    String max = Words.number(slot.max());
    boolean below = Double.isFinite(slot.min());
    boolean above = Double.isFinite(slot.max());
    if (below && above) {
      return " from " + min + " to " + max;
    }
    return below ? " not below " + min : above ? " not above " + max : "";
  }
}
