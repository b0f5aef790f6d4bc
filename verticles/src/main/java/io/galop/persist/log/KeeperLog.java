package io.galop.persist.log;

import com.sun.management.UnixOperatingSystemMXBean;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says why the Log cannot be tended, the same once a minute at most. For one thread. */
final class KeeperLog {
  private static final Logger LOG = LoggerFactory.getLogger(KeeperLog.class);
  private static final long EVERY_NS = TimeUnit.MINUTES.toNanos(1);

  /** Of Linux and macOS, whatever the locale of the JVM. */
  private static final String NO_FILE_LEFT = "Too many open files";

  private final long mostFiles;
  private String said = "";
  private long saidNs;

  KeeperLog(long mostFiles) {
    this.mostFiles = mostFiles;
  }

  /** Of this process; made while there are files left, which reading the limit may take. */
  static KeeperLog ofProcess() {
    return new KeeperLog(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : 0);
  }

  /** Notes a failure at a time of {@link System#nanoTime}; only a bug has its stack. */
  void failed(Exception failure, long nowNs) {
    String why = ErrorText.of(failure);
    if (why.equals(said) && nowNs - saidNs < EVERY_NS) {
      LOG.debug("maintenance of the Log failed again", failure);
      return;
    }
    said = why;
    saidNs = nowNs;
    if (failure instanceof IOException) {
      LOG.error("maintenance of the Log failed; trying again: {}{}", why, advice(why));
    } else {
      LOG.error("maintenance of the Log failed; trying again", failure);
    }
  }

  private String advice(String why) {
    return why.contains(NO_FILE_LEFT) && mostFiles > 0
        ? "; this process may have %d files and sockets open: raise that (ulimit -n), or connect fewer"
            .formatted(mostFiles)
        : "";
  }
}
