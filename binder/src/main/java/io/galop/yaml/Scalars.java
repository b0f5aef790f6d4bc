package io.galop.yaml;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one word, number or text. */
final class Scalars {
  private final Problems problems;

  Scalars(Problems problems) {
    this.problems = problems;
  }

  /** The value, or null after a problem was noted. */
  @Nullable Object bind(Slot slot, Value value) {
    if (!(value instanceof Value.Scalar scalar) || value.isNothing()) {
      return refuse(slot, value, "");
    }
    Optional<?> read = read(slot, scalar.text().strip(), scalar.text());
    if (read.isPresent()) {
      return read.get();
    }
    String hint =
        slot.raw().isEnum() ? Words.didYouMean(scalar.text(), Words.ofAll(slot.raw())) : "";
    return refuse(slot, value, hint);
  }

  private @Nullable Object refuse(Slot slot, Value value, String hint) {
    String given = slot.isSecret() ? "what was given" : value.shown();
    problems.add(slot.path(), "must be " + slot.wanted() + ", not " + given + hint, value.origin());
    return null;
  }

  private static Optional<?> read(Slot slot, String word, String text) {
    Class<?> type = slot.raw();
    if (type == String.class) {
      return Optional.of(text);
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .filter(constant -> Words.of((Enum<?>) constant).equals(word))
          .findFirst();
    }
    if (type == boolean.class || type == Boolean.class) {
      return Optional.of(word)
          .filter(w -> w.equalsIgnoreCase("true") || w.equalsIgnoreCase("false"))
          .map(Boolean::valueOf);
    }
    return number(slot, type, word);
  }

  private static Optional<?> number(Slot slot, Class<?> type, String word) {
    try {
      if (type == double.class || type == Double.class) {
        return Optional.of(Double.valueOf(word))
            .filter(Double::isFinite)
            .filter(number -> number >= slot.min() && number <= slot.max());
      }
      Optional<Long> whole =
          Optional.of(Long.valueOf(word))
              .filter(number -> number >= slot.min() && number <= slot.max());
      return type == long.class || type == Long.class ? whole : whole.map(Math::toIntExact);
    } catch (NumberFormatException | ArithmeticException notANumber) {
      return Optional.empty();
    }
  }
}
