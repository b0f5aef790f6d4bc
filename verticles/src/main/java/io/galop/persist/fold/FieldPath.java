package io.galop.persist.fold;

import io.galop.json.JsonField;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds a field at a path such as {@code motor.celsius}: a dot goes down one object. Holds what it
 * found, so it belongs to one thread at a time.
 */
public final class FieldPath {
  private final List<JsonField> levels = new ArrayList<>();

  /** Of a field. */
  public FieldPath(String path) {
    for (String name : path.split("\\.", -1)) {
      levels.add(new JsonField(name));
    }
  }

  /** Of several fields, in their order. */
  public static List<FieldPath> of(List<String> paths) {
    return paths.stream().map(FieldPath::new).toList();
  }

  private boolean find(byte[] data) {
    byte[] object = data;
    for (int i = 0; i < levels.size(); i++) {
      if (i > 0) {
        object = levels.get(i - 1).bytes();
      }
      if (object.length == 0 || object[0] == '[' || !levels.get(i).find(object)) {
        return false;
      }
      if (i < levels.size() - 1 && !levels.get(i).isNested()) {
        return false;
      }
    }
    return true;
  }

  private JsonField last() {
    return levels.get(levels.size() - 1);
  }

  /** The number there; NaN where there is none, or one that no double holds. */
  public double number(byte[] data) {
    if (!find(data) || !last().isNumber()) {
      return Double.NaN;
    }
    double number = last().number();
    return Double.isFinite(number) ? number : Double.NaN;
  }

  /** A text without quotes, anything else as it stands there; empty where there is nothing. */
  public String text(byte[] data) {
    return find(data) ? last().text() : "";
  }
}
