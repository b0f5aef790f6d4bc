package io.galop.jvm;

import java.lang.reflect.Field;

/**
 * Keeps JDK 24 and newer from printing their warning about {@code sun.misc.Unsafe} (JEP 498), which
 * is meant for the authors of Hazelcast and of the script engine and only worries those who start a
 * node. The JVM prints it once, so it is told that it has; the calls themselves work until a JDK
 * removes them.
 */
public final class UnsafeWarning {
  private UnsafeWarning() {}

  /** Does nothing on older JDKs, and where the jar's manifest has not opened the package. */
  public static void silence() {
    try {
      Field warned = Class.forName("sun.misc.Unsafe").getDeclaredField("memoryAccessWarned");
      warned.setAccessible(true);
      warned.setBoolean(null, true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // The field is an internal of newer JDKs: without it there is nothing to silence, or the
      // warning is printed, which harms nobody.
      return;
    }
  }
}
