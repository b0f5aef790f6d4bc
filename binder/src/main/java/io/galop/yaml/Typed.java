package io.galop.yaml;

import java.util.Arrays;
import java.util.List;

/**
 * Reads bare text (a variable, {@code --set}, a default) as YAML where more than one scalar is due.
 */
final class Typed {
  private Typed() {}

  static Value read(Slot slot, Value value, Problems problems) {
    if (!(value instanceof Value.Scalar scalar) || scalar.form() != Value.Form.TYPED) {
      return value;
    }
    if (slot.isOptional() && !scalar.text().isEmpty()) {
      return value;
    }
    if (slot.isList() && slot.element("").isScalar() && !scalar.text().strip().startsWith("[")) {
      return parts(scalar);
    }
    return Yaml.readOneLine(scalar, slot.path(), problems);
  }

  /** Host names and the like are more easily given as {@code a,b} than as {@code [a, b]}. */
  private static Value parts(Value.Scalar scalar) {
    List<Value> items =
        Arrays.stream(scalar.text().split(","))
            .map(String::strip)
            .filter(part -> !part.isEmpty())
            .<Value>map(part -> new Value.Scalar(part, Value.Form.TYPED, scalar.origin()))
            .toList();
    return new Value.Sequence(items, scalar.origin());
  }
}
