package io.galop.yaml;

import java.lang.reflect.RecordComponent;
import java.util.StringJoiner;

/** A configuration as a line for logs and debuggers, its secrets masked. */
public final class Shown {
  private static final String MASK = "***";

  private Shown() {}

  /** What {@code toString} of a record with secrets answers. */
  public static String of(Record config) {
    String name = config.getClass().getSimpleName();
    StringJoiner shown = new StringJoiner(", ", name + "[", "]");
    for (RecordComponent component : config.getClass().getRecordComponents()) {
      Object value = value(config, component);
      boolean hidden = component.isAnnotationPresent(Secret.class) && !"".equals(value);
      shown.add(component.getName() + "=" + (hidden ? MASK : value));
    }
    return shown.toString();
  }

  private static Object value(Record config, RecordComponent component) {
    try {
      return component.getAccessor().invoke(config);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
