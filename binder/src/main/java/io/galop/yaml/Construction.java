package io.galop.yaml;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls the constructor of a record; a rule that it holds becomes a problem with its key. */
final class Construction {
  private final Problems problems;

  Construction(Problems problems) {
    this.problems = problems;
  }

  /**
   * The record, or null after a problem was noted.
   *
   * @param arguments its components in order
   * @param value what was written, for the lines
   */
  @Nullable Object of(Slot slot, List<@Nullable Object> arguments, Value value) {
    Class<?>[] types =
        Arrays.stream(slot.raw().getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return slot.raw().getDeclaredConstructor(types).newInstance(arguments.toArray());
    } catch (InvocationTargetException e) {
      return refusedByConstructor(slot, e.getTargetException(), value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(slot.raw() + " cannot be made", e);
    }
  }

  /** The rules of a record name first the key, or the place in its list, that they are about. */
  private @Nullable Object refusedByConstructor(Slot slot, Throwable cause, Value value) {
    if (!(cause instanceof IllegalArgumentException)) {
      throw new IllegalStateException(slot.raw() + " cannot be made", cause);
    }
    String[] placeAndRule = String.valueOf(cause.getMessage()).split(" ", 2);
    String place = placeAndRule[0];
    if (placeAndRule.length == 1 || !slot.keys().containsKey(place.replaceFirst("\\[.*", ""))) {
      problems.add(slot.path(), String.join(" ", placeAndRule), value.origin());
      return null;
    }
    String written = value.originOf(place);
    String origin = written.isEmpty() ? value.origin() : written;
    String path = slot.path().isEmpty() ? place : slot.path() + "." + place;
    problems.add(path, placeAndRule[1], origin);
    return null;
  }
}
