package io.galop.jvm;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many files and sockets a process may have open, for messages of where it has no more.
 *
 * @param most 0 where that is not known
 */
public record OpenFiles(long most) {
  /** Of Linux and macOS, whatever the locale of the JVM. */
  private static final String NONE_LEFT = "Too many open files";

  /** Of this process; made while there are files left, which reading the limit may take. */
  public static OpenFiles ofProcess() {
    return new OpenFiles(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : 0);
  }

  /** What to do, to be put behind a failure; empty where that has another reason. */
  public String advice(String failure) {
    return failure.contains(NONE_LEFT) && most > 0
        ? "; this process may have %d files and sockets open: raise that (ulimit -n), or connect fewer"
            .formatted(most)
        : "";
  }
}
